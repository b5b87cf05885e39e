/** Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode): the bot connects, Slack sends. */
import { randomUUID } from 'node:crypto';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { ServeOptions } from '../../contracts.ts';
import type { App } from '../app.ts';
import type { Ids } from '../ids.ts';
import { fieldsOf, parseJson } from '../json.ts';
import { ACK_WITHIN_MS, type Deliver, type Outcome, TIMED_OUT, UNREACHABLE } from './delivery.ts';

const PATH = '/link/';
const MOST_CONNECTIONS = 10;
/** Clients give a server up that has not pinged for 30 s. */
const PING_EVERY_MS = 10_000;

export type SocketMode = {
  /** The address of one connection, valid once. */
  readonly open: () => string;
  readonly upgrade: NonNullable<ServeOptions['upgrade']>;
  readonly deliver: Deliver;
  readonly stop: () => void;
};
type SocketModeOptions = { readonly app: App; readonly ids: Ids; readonly origin: () => string };
type Waiting = (outcome: Outcome) => void;

export function createSocketMode({ app, ids, origin }: SocketModeOptions): SocketMode {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const waiting = new Map<string, Waiting>();
  let connections: readonly WebSocket[] = [];
  let turns = 0;

  const receive = (data: RawData) => {
    const { envelope_id, payload } = fieldsOf(parseJson(String(data)));
    if (typeof envelope_id === 'string')
      waiting.get(envelope_id)?.({ kind: 'acknowledged', body: fieldsOf(payload) });
  };
  const welcome = (socket: WebSocket) => {
    socket.on('message', receive);
    // A connection that breaks closes too; the error itself says nothing more.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connections = connections.filter((other) => other !== socket);
    });
    if (connections.length >= MOST_CONNECTIONS) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      socket.close();
      return;
    }
    connections = [...connections, socket];
    socket.send(JSON.stringify(hello(app, connections.length)));
  };
  const pings = setInterval(() => {
    for (const socket of connections) socket.ping();
  }, PING_EVERY_MS);
  pings.unref();

  return {
    open() {
      const ticket = ids.secret();
      tickets.add(ticket);
      const query = new URLSearchParams({ ticket, app_id: app.appId });
      return `${origin().replace(/^http/, 'ws')}${PATH}?${query}`;
    },
    upgrade(request, socket, head) {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin());
      if (pathname === PATH && tickets.delete(searchParams.get('ticket') ?? ''))
        server.handleUpgrade(request, socket, head, welcome);
      else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    },
    /** Any one of the connections gets it; ours take turns. */
    deliver({ kind, payload, retry }) {
      turns += 1;
      const socket = connections[turns % Math.max(connections.length, 1)];
      if (!socket) return Promise.resolve(UNREACHABLE);
      const id = randomUUID();
      const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.reason ?? '' };
      const envelope = {
        envelope_id: id,
        type: kind,
        payload,
        accepts_response_payload: kind !== 'events_api',
        ...(kind === 'events_api' ? retried : {}),
      };
      return new Promise<Outcome>((resolve) => {
        const settle: Waiting = (outcome) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(TIMED_OUT), ACK_WITHIN_MS);
        waiting.set(id, settle);
        socket.send(JSON.stringify(envelope));
      });
    },
    stop() {
      clearInterval(pings);
      for (const socket of connections) socket.terminate();
      for (const settle of waiting.values()) settle(UNREACHABLE);
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
