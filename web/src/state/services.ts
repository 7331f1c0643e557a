/** What a page needs of the server, made once and handed down. */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/http.ts';
import { Link } from '../api/link.ts';
import { Live } from '../api/live.ts';
import { connectSocket, onWake } from '../api/socket.ts';
import type { Connection } from './actions.ts';
import { type Overview, overviewStore } from './overview-store.ts';
import { SessionStores } from './session-store.ts';

export type LinkView = {
  connection: Connection;
  /** Tries in a row that failed although plain requests are answered: something in between is at fault. */
  refused: number;
};

export type Services = {
  api: Api;
  link: StoreApi<LinkView>;
  overview: StoreApi<Overview>;
  sessions: SessionStores;
};

/** Opens the live connection. */
export function connectServices(api: Api): Services {
  const view = createStore<LinkView>(() => ({ connection: 'connecting', refused: 0 }));
  const link = new Link((events) => connectSocket(api.base, events), {
    onConnection: (connection) =>
      view.setState(connection === 'live' ? { connection, refused: 0 } : { connection }),
    onFrame: (frame) => live.onFrame(frame),
    onRefused: (refused) => {
      // a browser does not tell why: a plain request finds out whether the login has ended (and goes there)
      api.json('GET', 'api/me').then(
        () => view.setState({ refused }),
        () => view.setState({ refused: 0 }),
      );
    },
  });
  const live = new Live(link);
  onWake(() => link.wake());
  return { api, link: view, overview: overviewStore(live), sessions: new SessionStores(live) };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('no services around this component');
  return services;
}
