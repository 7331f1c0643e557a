/** Which list of workspaces to serve; without one of the user's own, a scratch workspace. */
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Database } from '../base/database.ts';
import { RememberedIds } from '../workspace/remembered-ids.ts';
import type { EditPlace } from '../workspace/workspace-edits.ts';
import { WorkspaceFile } from '../workspace/workspace-file.ts';
import { findUp } from './find-up.ts';

/** Throws `workspaces.…` for a file that cannot be read as a list of workspaces. */
export async function openWorkspaceList(options: {
  /** `--workspace-config` */
  flag: string | undefined;
  cwd: string;
  stateDir: string;
  codexHome: string;
  db: Database;
}): Promise<EditPlace> {
  const { cwd, stateDir, codexHome, db } = options;
  const own = resolve(cwd, options.flag ?? 'workspaces.json');
  const isOwn = options.flag !== undefined || existsSync(own);
  const path = isOwn ? own : await scratchList(stateDir);
  const places = { forbidden: [stateDir, codexHome], except: scratchDirectory(stateDir) };
  const file = await WorkspaceFile.open(path, { places, ids: new RememberedIds(db, path) });
  // beside the scratch list there is no room for anybody's work
  return { file, home: isOwn ? dirname(own) : cwd };
}

/** The example list, copied once; its one workspace is a directory beside it, so that no clone gets dirty. */
async function scratchList(stateDir: string): Promise<string> {
  const path = join(stateDir, 'workspaces.json');
  await mkdir(scratchDirectory(stateDir), { recursive: true });
  if (!existsSync(path)) await copyFile(findUp('workspaces.example.json'), path, constants.COPYFILE_EXCL);
  return path;
}

function scratchDirectory(stateDir: string): string {
  return join(stateDir, 'scratch');
}
