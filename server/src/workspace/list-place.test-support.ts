/** For tests: a real workspaces.json in a test box, opened as a server does. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestBox } from '../runtime/test-session.ts';
import type { ListPlace } from './manager.ts';
import { RememberedIds } from './remembered-ids.ts';
import { WorkspaceFile } from './workspace-file.ts';

/** Beside the box's `work` directory. Without `config` the file is left as it is. `warnings` takes what is told. */
export async function openListPlace(
  box: TestBox,
  config?: unknown,
  warnings: string[] = [],
): Promise<ListPlace> {
  const path = join(box.dir, 'workspaces.json');
  if (config !== undefined)
    await writeFile(path, typeof config === 'string' ? config : `${JSON.stringify(config, null, 2)}\n`);
  const places = { forbidden: [box.stateDir, box.config.codexHome] };
  const file = await WorkspaceFile.open(path, { places, ids: new RememberedIds(box.db, path) });
  return { file, home: box.dir, warn: (text) => warnings.push(text) };
}
