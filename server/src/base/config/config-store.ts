/**
 * The configuration while a server runs: its files are read again when they change, what a broken one said before
 * holds until it is mended, and every session gets its settings, by its profile and its directory, as one frozen value.
 */
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConfigReport, Problem, ProfileChoice } from '@tscodex/shared/workspace';
import { Failure, problemOf } from '../errors.ts';
import { type Config, resolveConfig } from './config.ts';
import { type ConfigLayer, joinLayers, NO_LAYER } from './config-layer.ts';
import { type ConfigSource, expectTools, readCommandLine } from './config-source.ts';
import { ProjectConfigs } from './project-configs.ts';
import { UserConfig } from './user-config.ts';

/** Of a session. */
export type ConfigPlace = {
  /** null: the server's. */
  profile: string | null;
  /** Where it works. */
  directory: string;
  /** The directories of workspaces: agents write there. */
  workspaces: readonly string[];
};

export class ConfigStore {
  #current!: Config;
  #report: ConfigReport = { problems: [], notices: [] };
  #profiles: ProfileChoice[] = [];
  #told = '';
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  private constructor(
    private readonly source: ConfigSource,
    /** Of the command line. */
    private readonly above: ConfigLayer,
    private readonly user: UserConfig,
    private readonly projects: ProjectConfigs,
  ) {}

  /** Throws `config.…` for what is wrong with the user's file, the profile or the command line. */
  static async open(given: ConfigSource): Promise<ConfigStore> {
    const source = { ...given, env: { ...given.env } };
    const check = (layer: ConfigLayer, from: string) => expectTools(layer, from, source);
    const above = await readCommandLine(source);
    let store: ConfigStore | null = null;
    const stirred = () => void store?.refresh();
    const { codexHome, configPath, env } = source;
    const user = await UserConfig.open({ codexHome, configPath, env, check, stirred });
    try {
      store = new ConfigStore(source, above, user, new ProjectConfigs(stirred));
      store.#current = store.#resolve(store.#server);
      store.#look();
      return store;
    } catch (error) {
      user.close();
      throw error;
    }
  }

  /** The server's own: its profile, no project. */
  get current(): Config {
    return this.#current;
  }

  get report(): ConfigReport {
    return this.#report;
  }

  get profiles(): readonly ProfileChoice[] {
    return this.#profiles;
  }

  /** Files beside the user's that may hold keys. */
  get profileFiles(): readonly string[] {
    return this.user.profileFiles;
  }

  /** Called after `report` or `profiles` has changed. Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The settings of a session, as the files say right now. A profile that is gone leaves a model that cannot be
   * called and says so. Throws `config.…` for a profile or a project that was never whole.
   */
  of(place: ConfigPlace): Promise<Config> {
    return this.#inTurn(async () => {
      await this.user.refresh();
      try {
        return await this.#of(place);
      } finally {
        this.#look();
      }
    });
  }

  /** Reads all files again. Never throws: what could not be looked at is a problem, and what was held stays. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#closed) return;
      try {
        await this.user.refresh();
        await this.projects.refresh();
        this.#look();
      } catch (error) {
        this.#tell({ ...this.#report, problems: [problemOf(error)] });
      }
    });
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.user.close();
    this.projects.close();
  }

  async #of({ profile, directory, workspaces }: ConfigPlace): Promise<Config> {
    const name = profile ?? this.#server;
    const found = name === null ? NO_LAYER : this.user.profile(name);
    const below = joinLayers([this.user.base, found ?? NO_LAYER]);
    const real = await realpath(directory).catch(() => directory);
    const project = await this.projects.of({
      ...{ directory: real, below, ownFile: this.user.file },
      projects: joinLayers([below, this.above]).settings.projects ?? {},
      workspaces: [real, ...workspaces],
      writableRoots: this.#writableRoots,
    });
    const config = this.#made(name, joinLayers([below, project, this.above]));
    if (found !== null) return config;
    const problem = `The profile ${JSON.stringify(name)} of this session is gone: put it back into ${dirname(this.user.file)}, or go on in a new session`;
    return Object.freeze({ ...config, model: Object.freeze({ kind: 'broken', problem }) });
  }

  /** Where commands of a session of some profile may write beside the workspaces. */
  get #writableRoots(): string[] {
    const { TMPDIR } = this.source.env;
    const sandboxes = [null, ...this.user.profileNames].flatMap((name) => this.#try(name)?.sandbox ?? []);
    return sandboxes.flatMap(({ writableRoots, slashTmp, tmpdir }) => [
      ...writableRoots,
      ...(slashTmp ? ['/tmp'] : []),
      ...(tmpdir && TMPDIR ? [TMPDIR] : []),
    ]);
  }

  /** The profile that counts where none is named. */
  get #server(): string | null {
    return this.source.profile ?? this.user.base.settings.profile ?? null;
  }

  /** Without a project. Throws `config.profile`, and why the profile cannot hold. */
  #resolve(profile: string | null): Config {
    const layer = profile === null ? NO_LAYER : this.user.profile(profile);
    if (layer === null) throw this.user.unknownProfile(profile ?? '');
    return this.#made(profile, joinLayers([this.user.base, layer, this.above]));
  }

  #made(profile: string | null, layer: ConfigLayer): Config {
    const { codexHome, systemPrompt } = this.source;
    const { file, env } = this.user;
    const config = resolveConfig({ ...{ codexHome, file, profile, layer, env, systemPrompt } });
    this.source.hide(config.keyVariables);
    return config;
  }

  /** Takes what the files say now, and tells of it. */
  #look(): void {
    const { user, projects } = this;
    const problems = [...user.problems, ...projects.problems];
    try {
      this.#current = this.#resolve(this.#server);
    } catch (error) {
      const problem = problemOf(error);
      if (!problems.some(({ message }) => message === problem.message)) problems.push(problem);
    }
    this.#profiles = user.profileNames.map((name) => this.#choice(name));
    problems.push(...this.#modelProblems());
    this.#tell({ problems, notices: [...this.above.notices, ...user.notices, ...projects.notices] });
  }

  #tell(report: ConfigReport): void {
    this.#report = report;
    const told = JSON.stringify([this.#report, this.#profiles]);
    if (told === this.#told) return;
    this.#told = told;
    for (const listener of this.#listeners) listener();
  }

  #choice(name: string): ProfileChoice {
    try {
      const { model } = this.#resolve(name);
      if (model.kind === 'broken') return { name, model: null, problem: modelProblem(model.problem) };
      return { name, model: model.kind === 'configured' ? model.name : null };
    } catch (error) {
      return { name, model: null, problem: problemOf(error) };
    }
  }

  /** Of the server, and of the profiles that have others. */
  #modelProblems(): Problem[] {
    const { model } = this.#current;
    const own = model.kind === 'broken' ? [modelProblem(model.problem)] : [];
    const others = this.#profiles.flatMap(({ name, problem }) => {
      if (problem?.code !== 'config.model' || problem.message === own[0]?.message) return [];
      return { ...problem, message: `profile ${JSON.stringify(name)}: ${problem.message}` };
    });
    return [...own, ...others];
  }

  /** null for a profile that cannot hold: why is among the problems. */
  #try(profile: string | null): Config | null {
    try {
      return this.#resolve(profile);
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // whoever asked for it hears of it
    return done;
  }
}

function modelProblem(sentence: string): Problem {
  return { code: 'config.model', message: `no model can be called: ${sentence}` };
}
