/** The real WebSocket behind a link, and the moments at which a browser should look after it. */
import type { Wire, WireEvents } from './link.ts';

/** Starts a connection to the server at `base`. */
export function connectSocket(base: URL, events: WireEvents): Wire {
  const url = new URL('api/socket', base);
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('message', (message) => events.onMessage(String(message.data)));
  socket.addEventListener('open', () => events.onOpen());
  socket.addEventListener('close', (close) => events.onClose(close.wasClean));
  return {
    // the close of a socket that is gone is already on its way
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    close: () => socket.close(),
  };
}

/** Calls `wake` when the device is back on a network, and when the page is looked at or thawed again. */
export function onWake(wake: () => void): void {
  addEventListener('online', wake);
  addEventListener('pageshow', wake);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) wake();
  });
}
