/**
 * The user's own files: `config.toml`, the profiles beside it and in it, `.env`. Each is as it was when it was last
 * whole.
 */
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '@tscodex/shared/workspace';
import { Failure, problemOf } from '../errors.ts';
import { watchPath } from '../path-watch.ts';
import { ConfigFile } from './config-file.ts';
import { type ConfigLayer, NO_LAYER, readLayer } from './config-layer.ts';
import { type Env, withDotenv } from './dotenv.ts';
import type { TomlFile } from './toml-file.ts';

/** Bytes; no configuration comes near. */
const FILE_LIMIT = 1024 * 1024;

const PROFILE_FILE = /^(.+)\.config\.toml$/;

export type UserConfigSource = {
  codexHome: string;
  /** Absolute; instead of `config.toml` in `codexHome`. It must exist. */
  configPath: string | undefined;
  env: Env;
  /** Throws `Failure` for a layer that cannot hold. */
  check(layer: ConfigLayer, from: string): void | Promise<void>;
  /** Something has happened to one of the files. */
  stirred(): void;
};

/** `tables`: the profiles `[profiles.NAME]`, or why one cannot hold. */
type Base = { layer: ConfigLayer; tables: ReadonlyMap<string, ConfigLayer | Failure> };

export class UserConfig {
  readonly file: string;
  env: Env = {};
  readonly #base: ConfigFile<Base>;
  /** By their names. */
  readonly #profiles = new Map<string, ConfigFile<ConfigLayer | null>>();
  /** Of the folder of the file: profiles may come into it. */
  readonly #unwatch: () => void;
  /**
   * The profiles there were at the start, and whether there was a `.env`: beside a file that lies where its user has
   * put it commands of agents may write, and only what was there is kept from them. null: all are the user's.
   */
  #fixed: { profiles: ReadonlySet<string>; dotenv: boolean } | null = null;

  private constructor(private readonly source: UserConfigSource) {
    this.file = source.configPath ?? join(source.codexHome, 'config.toml');
    this.#base = new ConfigFile(this.file, (toml) => this.#readBase(toml), source.stirred, false, FILE_LIMIT);
    const ours = (name: string) => name === '.env' || PROFILE_FILE.test(name);
    this.#unwatch = watchPath(this.file, source.stirred, ours);
  }

  /** Throws `config.…` for a file that cannot be read; of profiles not even then. */
  static async open(source: UserConfigSource): Promise<UserConfig> {
    const config = new UserConfig(source);
    try {
      const real = (path: string) => realpath(path).catch(() => path);
      const names = await config.#profileNames();
      const isHome = (await real(dirname(config.file))) === (await real(source.codexHome));
      if (!isHome) {
        const entries: string[] = await readdir(dirname(config.file)).catch(() => []);
        config.#fixed = { profiles: new Set(names), dotenv: entries.includes('.env') };
      }
      await config.refresh();
      config.#base.value; // throws what is wrong with it
      return config;
    } catch (error) {
      config.close();
      throw error;
    }
  }

  /** Reads all of it again. */
  async refresh(): Promise<void> {
    const names = (await this.#profileNames()).filter((name) => this.#fixed?.profiles.has(name) ?? true);
    for (const name of names)
      if (!this.#profiles.has(name)) this.#profiles.set(name, this.#profileFile(name));
    for (const [name, file] of this.#profiles)
      if (!names.includes(name) && this.#profiles.delete(name)) file.close();
    const reads = [this.#base, ...this.#profiles.values()].map((file) => file.refresh());
    await Promise.all(reads);
    const readsEnv = this.#fixed?.dotenv ?? true;
    this.env = readsEnv
      ? await withDotenv(this.source.env, join(dirname(this.file), '.env'))
      : this.source.env;
  }

  get base(): ConfigLayer {
    return this.#base.value.layer;
  }

  get profileNames(): string[] {
    return [...new Set([...this.#profiles.keys(), ...this.#base.value.tables.keys()])].sort();
  }

  /** The files of the profiles. */
  get profileFiles(): string[] {
    return [...this.#profiles.values()].map(({ path }) => path);
  }

  /** null: there is none. Throws why one that is cannot hold. */
  profile(name: string): ConfigLayer | null {
    const own = this.#profiles.get(name)?.value;
    if (own) return own;
    const table = this.#base.value.tables.get(name);
    if (table instanceof Failure) throw table;
    return table ?? null;
  }

  /** The failure of a profile that is named and is not there. */
  unknownProfile(name: string): Failure {
    const own = join(dirname(this.file), `${name}.config.toml`);
    const message = `unknown profile ${JSON.stringify(name)}: there is neither ${own} nor [profiles.${name}] in ${this.file}`;
    return new Failure('invalid', 'config.profile', message, { details: { name, file: this.file, own } });
  }

  /** Why some of it cannot be read right now. */
  get problems(): Problem[] {
    const files = [this.#base, ...this.#profiles.values()].flatMap(({ problem }) => problem ?? []);
    const tables = [...this.#base.value.tables.values()].filter((table) => table instanceof Failure);
    return [...files, ...tables.map(problemOf)];
  }

  get notices(): Problem[] {
    const { layer, tables } = this.#base.value;
    const files = [...this.#profiles.values()].filter(({ problem }) => problem === null);
    const layers = [layer, ...tables.values(), ...files.map(({ value }) => value)];
    return layers.flatMap((one) => (one && !(one instanceof Failure) ? one.notices : []));
  }

  close(): void {
    this.#unwatch();
    this.#base.close();
    for (const file of this.#profiles.values()) file.close();
  }

  async #readBase(toml: TomlFile | null): Promise<Base> {
    if (toml === null && this.source.configPath !== undefined)
      throw new Failure('invalid', 'config.missing', `${this.file}: there is no such config file`, {
        details: { file: this.file },
      });
    if (toml === null) return { layer: NO_LAYER, tables: new Map() };
    const layer = await this.#readLayer(toml, toml.table);
    const tables = new Map<string, ConfigLayer | Failure>();
    for (const [name, table] of Object.entries(layer.settings.profiles ?? {})) {
      const read = await this.#readLayer(toml, table, ['profiles', name]).catch((error: unknown) => {
        if (error instanceof Failure) return error;
        throw error;
      });
      tables.set(name, read);
    }
    return { layer, tables };
  }

  #profileFile(name: string): ConfigFile<ConfigLayer | null> {
    const path = join(dirname(this.file), `${name}.config.toml`);
    const read = async (toml: TomlFile | null) => toml && (await this.#readLayer(toml, toml.table));
    return new ConfigFile(path, read, this.source.stirred, true, FILE_LIMIT);
  }

  async #readLayer(toml: TomlFile, table: unknown, within?: readonly string[]): Promise<ConfigLayer> {
    const { file, places } = toml;
    const layer = readLayer({
      ...{ from: file, places, table, folder: dirname(file) },
      ...(within ? { within } : {}),
    });
    await this.source.check(layer, file);
    return layer;
  }

  async #profileNames(): Promise<string[]> {
    const names: string[] = await readdir(dirname(this.file)).catch(() => []);
    return names
      .filter((name) => name !== basename(this.file))
      .flatMap((name) => PROFILE_FILE.exec(name)?.[1] ?? []);
  }
}
