/** Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode): the bot connects, Slack sends. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { later, SECOND, type Timer } from '../../../lib/clock.ts';
import { parseJson } from '../../parse-json.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { InstalledApp } from '../core/installed-app.ts';
import { asJsonObject, type JsonObject } from '../core/json-object.ts';
import {
  ACKNOWLEDGE_WITHIN_MS,
  type DeliveryOutcome,
  type DeliveryRequest,
  type RetryReason,
  TIMED_OUT,
  UNREACHABLE,
} from './delivery.ts';

const PATH = '/link/';

export type SocketMode = Readonly<ReturnType<typeof createSocketMode>>;
type SocketModeOptions = Pick<WorkspaceCore, 'app' | 'clock' | 'ids'> & { readonly origin: () => string };

export function createSocketMode({ app, clock, ids, origin }: SocketModeOptions) {
  const tickets = new Set<string>();
  const acks = createPendingAcknowledgements();
  const onMessage = (text: string) => {
    const { envelope_id, payload } = asJsonObject(parseJson(text));
    if (typeof envelope_id === 'string') acks.acknowledge(envelope_id, asJsonObject(payload));
  };
  const connections = createConnections({ app, clock, onMessage });

  return {
    /** An address for one connection, valid once. */
    open() {
      const ticket = ids.secret();
      tickets.add(ticket);
      const query = new URLSearchParams({ ticket, app_id: app.appId });
      return `${origin().replace(/^http/, 'ws')}${PATH}?${query}`;
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      // An invalid address must not end the process.
      const url = URL.parse(request.url ?? '/', origin());
      if (url?.pathname === PATH && tickets.delete(url.searchParams.get('ticket') ?? ''))
        connections.accept(request, socket, head);
      else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    },
    async deliver(envelope: DeliveryRequest): Promise<DeliveryOutcome> {
      const id = randomUUID();
      if (!connections.send(JSON.stringify(socketEnvelope(id, envelope)))) return UNREACHABLE;
      return acks.await(id);
    },
    applyFault: connections.applyFault,
    stop() {
      connections.stop();
      acks.abandon();
    },
  };
}

function socketEnvelope(id: string, { kind, payload, retry }: DeliveryRequest): JsonObject {
  const isEvent = kind === 'events_api';
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: socketReason(retry?.reason) };
  return {
    envelope_id: id,
    type: kind,
    payload,
    accepts_response_payload: acceptsPayload(kind, payload),
    ...(isEvent ? retried : {}),
  };
}

/**
 * The page has it for commands, elements, forms and questions for options; shortcuts are only acknowledged
 * (slackapi/python-slack-sdk, mock_socket_mode_server.py).
 */
const WITH_ANSWER = ['block_actions', 'view_submission', 'block_suggestion'];

function acceptsPayload(kind: DeliveryRequest['kind'], { type }: JsonObject): boolean {
  return kind === 'slash_commands' || (kind === 'interactive' && WITH_ANSWER.some((name) => name === type));
}

/** Slack's pages name the reasons of HTTP; over a socket it says `timeout` (slackapi/bolt-js issue 2487). */
function socketReason(reason: RetryReason | undefined): string {
  return reason === 'http_timeout' ? 'timeout' : (reason ?? '');
}

function createPendingAcknowledgements() {
  const waiting = new Map<string, (outcome: DeliveryOutcome) => void>();
  return {
    /** The outcome of the envelope with this id, within three seconds. */
    await: (envelopeId: string) =>
      new Promise<DeliveryOutcome>((resolve) => {
        const settle = (outcome: DeliveryOutcome) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(TIMED_OUT), ACKNOWLEDGE_WITHIN_MS);
        waiting.set(envelopeId, settle);
      }),
    acknowledge: (envelopeId: string, body: JsonObject) =>
      waiting.get(envelopeId)?.({ kind: 'acknowledged', body }),
    /** No further acknowledgement will come. */
    abandon() {
      for (const settle of waiting.values()) settle(UNREACHABLE);
    },
  };
}

const MAX_CONNECTIONS = 10;
/** Clients drop a server that has not pinged for 30 s. */
const PING_EVERY_MS = 10_000;
/** Lifetime of a connection in seconds, as it is told: moving the clock by hours must not cut the bot off. */
const CONNECTION_LIFE = 18_060;
/** How long before its end a connection is warned. */
const WARNING_BEFORE_MS = 10 * SECOND;
const HOST = 'sandbox';
/**
 * Longer frames of the bot close the connection with 1009 ("Max frame length of 20480 has been exceeded.",
 * revelrylabs/slax#614; slack-go/slack, socketmode.go).
 */
const MAX_FRAME_BYTES = 20 * 1024;
/** A close frame without a code keeps the reader of one well-known client waiting for 20 s. */
const NORMAL_CLOSURE = 1_000;

/** Faults of a connection: two kinds of notice, and two kinds of silence. */
type ConnectionFault = 'disconnect' | 'refresh' | 'half-open' | 'kill-socket';

type ConnectionsOptions = Pick<WorkspaceCore, 'app' | 'clock'> & {
  readonly onMessage: (text: string) => void;
};

/** `dead`: nothing gets through, though neither side was told. */
type SocketState = { readonly socket: WebSocket; readonly timers: Timer[]; dead: boolean };

function createConnections({ app, clock, onMessage }: ConnectionsOptions) {
  // Pongs are sent by our code, because a half-open connection sends none.
  const server = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: MAX_FRAME_BYTES });
  const started = new Date(clock.now()).toISOString().slice(0, -1).replace('T', ' ');
  let open: readonly SocketState[] = [];
  let turns = 0;

  const forget = (connection: SocketState) => {
    open = open.filter((other) => other !== connection);
    for (const timer of connection.timers) timer.cancel();
  };
  const after = (connection: SocketState, ms: number, task: () => void) => {
    connection.timers.push(clock.at(later(clock.now(), ms), task));
  };
  const end = (connection: SocketState) => {
    sendJson(connection, disconnectMessage('refresh_requested'));
    forget(connection);
    connection.socket.close(NORMAL_CLOSURE);
  };
  const warn = (connection: SocketState) => {
    sendJson(connection, disconnectMessage('warning'));
    after(connection, WARNING_BEFORE_MS, () => end(connection));
  };
  const effects: Readonly<Record<ConnectionFault, (connection: SocketState) => void>> = {
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

  const welcome = (socket: WebSocket) => {
    const connection: SocketState = { socket, timers: [], dead: false };
    listen(connection, onMessage);
    socket.on('close', () => forget(connection));
    if (open.length >= MAX_CONNECTIONS) {
      sendJson(connection, disconnectMessage('too_many_websockets'));
      socket.close(NORMAL_CLOSURE);
      return;
    }
    open = [...open, connection];
    sendJson(connection, helloMessage(app, started, open.length));
  };
  const pings = setInterval(() => {
    for (const { socket, dead } of open) if (!dead) socket.ping();
  }, PING_EVERY_MS);
  pings.unref();

  return {
    /** Turns the upgraded request into a connection. */
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      server.handleUpgrade(request, socket, head, welcome),
    /** Sends to one of the connections, in turn. False when there is none. */
    send(text: string) {
      turns += 1;
      const connection = open[turns % Math.max(open.length, 1)];
      if (!connection) return false;
      if (!connection.dead) connection.socket.send(text);
      return true;
    },
    /** Applies the fault to the oldest `count` connections; returns how many were affected. */
    applyFault(fault: ConnectionFault, count: number) {
      const met = open.filter(({ dead }) => !dead).slice(0, count);
      for (const connection of met) effects[fault](connection);
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

function listen(connection: SocketState, onMessage: ConnectionsOptions['onMessage']): void {
  const { socket } = connection;
  socket.on('message', (data: RawData) => {
    if (!connection.dead) onMessage(String(data));
  });
  socket.on('ping', (data: Buffer) => {
    if (!connection.dead && socket.readyState === WebSocket.OPEN) socket.pong(data);
  });
  // A broken connection also closes; the error adds nothing.
  socket.on('error', () => undefined);
}

function sendJson({ socket, dead }: SocketState, message: JsonObject): void {
  if (!dead) socket.send(JSON.stringify(message));
}

function disconnectMessage(reason: 'warning' | 'refresh_requested' | 'too_many_websockets'): JsonObject {
  return { type: 'disconnect', reason, debug_info: { host: HOST } };
}

function helloMessage(app: InstalledApp, started: string, connections: number): JsonObject {
  return {
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: app.appId },
    debug_info: { host: HOST, started, build_number: 1, approximate_connection_time: CONNECTION_LIFE },
  };
}
