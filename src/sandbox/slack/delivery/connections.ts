/** The bot's WebSocket connections (docs.slack.dev/apis/events-api/using-socket-mode). */
import type { IncomingMessage } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { type Clock, later, SECOND, type Timer } from '../../../clock.ts';
import type { ServeOptions } from '../../contracts.ts';
import type { App } from '../app.ts';
import type { Fields } from '../json.ts';

const MOST_CONNECTIONS = 10;
/** Clients give a server up that has not pinged for 30 s. */
const PING_EVERY_MS = 10_000;
/** How long Slack keeps a connection, in seconds, and how long with `&debug_reconnects=true`. */
const USUAL_LIFE = 18_060;
const DEBUG_LIFE = 360;
/** How long before its end a connection is warned. */
const WARNED_MS = 10 * SECOND;
const HOST = 'sandbox';

/** What can happen to a connection: two kinds of notice, and two kinds of silence. */
export type ConnectionOrder = 'disconnect' | 'refresh' | 'half-open' | 'kill-socket';

export type Connections = {
  /** Makes the upgraded request a connection. */
  readonly accept: NonNullable<ServeOptions['upgrade']>;
  /** Sends to any one of the connections; ours take turns. False when there is none. */
  readonly send: (text: string) => boolean;
  /** Does this to the oldest `count` connections; how many it met. */
  readonly disturb: (order: ConnectionOrder, count: number) => number;
  readonly stop: () => void;
};
export type ConnectionsOptions = {
  readonly app: App;
  readonly clock: Clock;
  readonly onMessage: (text: string) => void;
};

/** `dead`: nothing passes any more, though neither side has been told. */
type Connection = { readonly socket: WebSocket; readonly timers: Timer[]; dead: boolean };

export function createConnections({ app, clock, onMessage }: ConnectionsOptions): Connections {
  // Pongs are given by hand, as a half-open connection gives none.
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  let open: readonly Connection[] = [];
  let turns = 0;

  const forget = (connection: Connection) => {
    open = open.filter((other) => other !== connection);
    for (const timer of connection.timers) timer.cancel();
  };
  const after = (connection: Connection, ms: number, task: () => void) => {
    connection.timers.push(clock.at(later(clock.now(), ms), task));
  };
  const end = (connection: Connection) => {
    tell(connection, disconnection('refresh_requested'));
    forget(connection);
    connection.socket.close();
  };
  const warn = (connection: Connection) => {
    tell(connection, disconnection('warning'));
    after(connection, WARNED_MS, () => end(connection));
  };
  const happenings: Readonly<Record<ConnectionOrder, (connection: Connection) => void>> = {
    disconnect: warn,
    refresh: end,
    'half-open': (connection) => {
      connection.dead = true;
    },
    'kill-socket': (connection) => {
      forget(connection);
      connection.socket.terminate();
    },
  };

  const welcome = (socket: WebSocket, request: IncomingMessage) => {
    const connection: Connection = { socket, timers: [], dead: false };
    socket.on('message', (data: RawData) => {
      if (!connection.dead) onMessage(String(data));
    });
    socket.on('ping', (data: Buffer) => {
      if (!connection.dead && socket.readyState === WebSocket.OPEN) socket.pong(data);
    });
    // A connection that breaks closes too; the error itself says nothing more.
    socket.on('error', () => undefined);
    socket.on('close', () => forget(connection));
    if (open.length >= MOST_CONNECTIONS) {
      tell(connection, disconnection('too_many_websockets'));
      socket.close();
      return;
    }
    open = [...open, connection];
    const isShort = request.url?.includes('debug_reconnects=true') === true;
    tell(connection, hello(app, open.length, isShort ? DEBUG_LIFE : USUAL_LIFE));
    // Only a connection that asked for it ends by itself: moving the clock by hours must not cut the bot off.
    if (isShort) after(connection, DEBUG_LIFE * SECOND - WARNED_MS, () => warn(connection));
  };
  const pings = setInterval(() => {
    for (const { socket, dead } of open) if (!dead) socket.ping();
  }, PING_EVERY_MS);
  pings.unref();

  return {
    accept: (request, socket, head) => server.handleUpgrade(request, socket, head, welcome),
    send(text) {
      turns += 1;
      const connection = open[turns % Math.max(open.length, 1)];
      if (!connection) return false;
      if (!connection.dead) connection.socket.send(text);
      return true;
    },
    disturb(order, count) {
      const met = open.filter(({ dead }) => !dead).slice(0, count);
      for (const connection of met) happenings[order](connection);
      return met.length;
    },
    stop() {
      clearInterval(pings);
      for (const { socket, timers } of open) {
        socket.terminate();
        for (const timer of timers) timer.cancel();
      }
      server.close();
    },
  };
}

function tell({ socket, dead }: Connection, message: Fields): void {
  if (!dead) socket.send(JSON.stringify(message));
}

function disconnection(reason: 'warning' | 'refresh_requested' | 'too_many_websockets'): Fields {
  return { type: 'disconnect', reason, debug_info: { host: HOST } };
}

function hello(app: App, connections: number, seconds: number): Fields {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: app.appId },
    debug_info: { host: HOST, build_number: 1, approximate_connection_time: seconds },
  };
}
