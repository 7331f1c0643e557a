/** The files of projects that sessions work in, and what is to be said of them. */
import type { Problem } from '@tscodex/shared/workspace';
import { ConfigFile } from './config-file.ts';
import { type ConfigLayer, joinLayers, type LayerSettings } from './config-layer.ts';
import {
  type ProjectLayer,
  type ProjectPlace,
  projectFiles,
  readProjectLayer,
  stricterThan,
} from './config-project.ts';

/** Directories and files that are remembered; those that were asked for first are forgotten. */
const REMEMBERED = 200;

/** Bytes: whoever fills a repository is not whoever runs this server. */
const FILE_LIMIT = 64 * 1024;

export type ProjectQuery = ProjectPlace & {
  /** What the files are laid on. */
  below: Pick<ConfigLayer, 'settings'>;
};

export class ProjectConfigs {
  readonly #files = new Map<string, ConfigFile<ProjectLayer | null>>();
  /** By the directory. */
  readonly #asked = new Map<string, { query: ProjectQuery; notices: Problem[] }>();

  /** `stirred`: something has happened to one of the files. */
  constructor(private readonly stirred: () => void) {}

  /** What the project says for a directory, as its files are now. Throws why one that was never whole is broken. */
  async of(query: ProjectQuery): Promise<ConfigLayer> {
    const { files, notices } = await projectFiles(query);
    const layers: ConfigLayer[] = [];
    let below: LayerSettings = query.below.settings;
    try {
      for (const path of files) {
        const file = this.#file(path);
        await file.refresh();
        if (file.value === null) continue;
        const layer = stricterThan(below, file.value);
        layers.push(layer);
        below = joinLayers([{ ...layer, settings: below }, layer]).settings;
      }
    } finally {
      const all = [...notices, ...layers.flatMap((layer) => layer.notices)];
      remember(this.#asked, query.directory, { query, notices: all });
    }
    return joinLayers(layers);
  }

  /** Looks again at all that were asked for. */
  async refresh(): Promise<void> {
    // one that is broken is among the problems
    for (const { query } of [...this.#asked.values()]) await this.of(query).catch(() => undefined);
  }

  get problems(): Problem[] {
    return [...this.#files.values()].flatMap(({ problem }) => problem ?? []);
  }

  get notices(): Problem[] {
    const all = [...this.#asked.values()].flatMap(({ notices }) => notices);
    // several sessions below one repository have its notices in common
    return [...new Map(all.map((notice) => [notice.message, notice])).values()];
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
  }

  #file(path: string): ConfigFile<ProjectLayer | null> {
    const known = this.#files.get(path);
    if (known) return known;
    const file = new ConfigFile(
      path,
      (toml) => toml && readProjectLayer(toml),
      ...([this.stirred, true, FILE_LIMIT] as const),
    );
    remember(this.#files, path, file)?.close();
    return file;
  }
}

/** Returns what was forgotten for it. */
function remember<T>(map: Map<string, T>, key: string, value: T): T | undefined {
  // in its place, if it has one: what is told of them is not to look new
  map.set(key, value);
  const [oldest] = map;
  if (map.size <= REMEMBERED || !oldest) return undefined;
  map.delete(oldest[0]);
  return oldest[1];
}
