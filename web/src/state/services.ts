/** What a page needs of the server, made once and handed down. */
import { createContext, useContext } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../api/http.ts';
import { Link } from '../api/link.ts';
import { Live } from '../api/live.ts';
import { connectSocket, onWake } from '../api/socket.ts';
import { type ConnectionView, connectionStore } from './connection.ts';
import { DeviceName } from './device-name.ts';
import { deviceStorage } from './device-storage.ts';
import { type Overview, overviewStore } from './overview-store.ts';
import { type People, peopleStore } from './people-store.ts';
import { SessionStores } from './session-store.ts';

export type Services = {
  api: Api;
  link: StoreApi<ConnectionView>;
  /** The reader knows about the trouble with the link. */
  dismissTrouble: () => void;
  overview: StoreApi<Overview>;
  sessions: SessionStores;
  people: StoreApi<People>;
  /** Lets the others know what is in view on this page; null for nothing. */
  look: Live['look'];
};

/** Opens the live connection. */
export function connectServices(api: Api): Services {
  const connection = connectionStore(api);
  const link = new Link((events) => connectSocket(api.base, events), {
    ...connection.events,
    onFrame: (frame) => {
      if (frame.type === 'pong') connection.outlivedQuiet();
      live.onFrame(frame);
    },
  });
  const live = new Live(link);
  onWake(() => link.wake());
  return {
    api,
    link: connection.view,
    dismissTrouble: connection.dismiss,
    overview: overviewStore(live),
    sessions: new SessionStores(live),
    people: peopleStore(live, new DeviceName(deviceStorage())),
    look: (place) => live.look(place),
  };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('no services around this component');
  return services;
}
