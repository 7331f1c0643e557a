/** Which list of workspaces to serve; without one of the user's own, a scratch workspace. */
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readWorkspaceConfig, type WorkspaceEntry } from '../workspace/config-file.ts';
import { findUp } from './find-up.ts';

/** Throws `workspaces.config` for a file that is no list of workspaces. */
export async function readWorkspaceList(options: {
  /** `--workspace-config` */
  flag: string | undefined;
  cwd: string;
  stateDir: string;
  codexHome: string;
}): Promise<WorkspaceEntry[]> {
  const { stateDir, codexHome } = options;
  const own = resolve(options.cwd, options.flag ?? 'workspaces.json');
  const path = options.flag !== undefined || existsSync(own) ? own : await scratchList(stateDir);
  const places = { forbidden: [stateDir, codexHome], except: scratchDirectory(stateDir) };
  return readWorkspaceConfig(path, places);
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
