/** Whether the live connection is there and, where a proxy in between seems to break it, how. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Api, ApiProblem } from '../api/http.ts';
import type { LinkEvents } from '../api/link.ts';
import { type Ending, ProxyTrouble, type Suspicion } from '../api/proxy-trouble.ts';
import type { Connection } from './actions.ts';

/** `told`: the server said itself why it refuses. */
export type Trouble = Suspicion | { kind: 'told'; sentence: string };

export type ConnectionView = { connection: Connection; trouble: Trouble | null };

type ConnectionStore = {
  view: StoreApi<ConnectionView>;
  /** For the link. */
  events: Pick<LinkEvents, 'onConnection' | 'onEnded'>;
  /** The server answered a ping. */
  outlivedQuiet(): void;
  /** The reader knows about the quiet cuts. */
  dismiss(): void;
};

export function connectionStore(api: Api): ConnectionStore {
  const view = createStore<ConnectionView>(() => ({ connection: 'connecting', trouble: null }));
  const proxy = new ProxyTrouble();
  let dismissed = false;

  const onConnection = (connection: Connection) => {
    if (connection !== 'live') return view.setState({ connection });
    proxy.cameUp();
    // a cut that comes again whenever it is quiet is still ahead
    view.setState(({ trouble }) => ({ connection, trouble: trouble?.kind === 'idle' ? trouble : null }));
  };

  const onEnded = async (ending: Ending) => {
    const suspicion = proxy.ended(ending);
    if (ending.live) {
      if (suspicion && !dismissed) view.setState({ trouble: suspicion });
      return;
    }
    // a plain request finds out whether the login has ended (and goes there), the server is away, or says why
    const trouble = await askWhy(api, suspicion);
    if (view.getState().connection !== 'live') view.setState({ trouble });
  };

  return {
    view,
    events: { onConnection, onEnded: (ending) => void onEnded(ending) },
    outlivedQuiet: () => proxy.outlivedQuiet(),
    dismiss: () => {
      dismissed = true;
      view.setState({ trouble: null });
    },
  };
}

/** Asks by the same path, as which the server judges the request alike. */
async function askWhy(api: Api, suspicion: Suspicion | null): Promise<Trouble | null> {
  try {
    await api.json('POST', 'api/socket');
    return suspicion;
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.status !== 403) return null;
    return { kind: 'told', sentence: problem.message };
  }
}
