/** The bot's WebSocket connections. */
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { ServeOptions } from '../../contracts.ts';
import type { App } from '../app.ts';

/** docs.slack.dev/apis/events-api/using-socket-mode */
const MOST_CONNECTIONS = 10;
/** Clients give a server up that has not pinged for 30 s. */
const PING_EVERY_MS = 10_000;

export type Connections = {
  /** Makes the upgraded request a connection. */
  readonly accept: NonNullable<ServeOptions['upgrade']>;
  /** Any one of the connections; ours take turns. Undefined when there is none. */
  readonly next: () => WebSocket | undefined;
  readonly stop: () => void;
};

export function createConnections(app: App, onMessage: (text: string) => void): Connections {
  const server = new WebSocketServer({ noServer: true });
  let open: readonly WebSocket[] = [];
  let turns = 0;

  const welcome = (socket: WebSocket) => {
    socket.on('message', (data: RawData) => onMessage(String(data)));
    // A connection that breaks closes too; the error itself says nothing more.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open = open.filter((other) => other !== socket);
    });
    if (open.length >= MOST_CONNECTIONS) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      socket.close();
      return;
    }
    open = [...open, socket];
    socket.send(JSON.stringify(hello(app, open.length)));
  };
  const pings = setInterval(() => {
    for (const socket of open) socket.ping();
  }, PING_EVERY_MS);
  pings.unref();

  return {
    accept: (request, socket, head) => server.handleUpgrade(request, socket, head, welcome),
    next() {
      turns += 1;
      return open[turns % Math.max(open.length, 1)];
    },
    stop() {
      clearInterval(pings);
      for (const socket of open) socket.terminate();
      server.close();
    },
  };
}

function hello(app: App, connections: number) {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: app.appId },
    debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
  };
}
