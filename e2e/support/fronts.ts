/**
 * `TSCODEX_E2E_PROXY=nginx` (or `caddy`) puts the real web server, with the example under `deploy/`, in front of
 * every server of the suite: its pages are then below `/a/b/`. Without it nothing is in front.
 */
import { PREFIX, type Program, WebServer } from './web-server.ts';

/** The web servers in front of one box, one for each server that was started on it. */
export class Fronts {
  readonly #program = process.env.TSCODEX_E2E_PROXY as Program | undefined;
  readonly #started: { web: WebServer; upstream: string }[] = [];

  /** The flags of a server that will sit behind one. */
  flags(args: readonly string[]): string[] {
    if (this.#program === undefined) return [...args];
    // who starts again where the last one was means what is in front of it
    const known = (arg: string) => this.#started.find(({ web }) => arg === `127.0.0.1:${web.port}`);
    return ['--base-path', PREFIX, ...args.map((arg) => known(arg)?.upstream ?? arg)];
  }

  /** Where people open a server that printed this link. */
  async lead(loginUrl: string): Promise<string> {
    if (this.#program === undefined) return loginUrl;
    const { host: upstream, port } = new URL(loginUrl);
    const known = this.#started.find((front) => front.upstream === upstream);
    const web = known?.web ?? (await WebServer.start(this.#program, Number(port)));
    if (!known) this.#started.push({ web, upstream });
    return loginUrl.replace(upstream, `127.0.0.1:${web.port}`);
  }

  async stop(): Promise<void> {
    for (const { web } of this.#started) await web.stop();
  }
}
