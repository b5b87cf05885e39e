/** The bot's receiver on loopback, over either transport; tests act as Slack. */
import { createHmac, randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type HealthServer, serveHealth } from '../../../src/health/http-server.ts';
import { createManualClock, instant, wallNow } from '../../../src/lib/clock.ts';
import { createLog, secret } from '../../../src/lib/log.ts';
import type { Served } from '../../../src/sandbox/contracts/services.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { isFormPayload, readFormState, readOptionsQuery } from '../../../src/slack/forms/form-payloads.ts';
import { readMessageEvent } from '../../../src/slack/interactions/text-commands.ts';
import {
  readChannelJoined,
  readPress,
  readSlashCommand,
  readSubmission,
} from '../../../src/slack/receiver/payloads.ts';
import {
  type BoltOptions,
  createSlackConnection,
  type SlackConnection,
} from '../../../src/slack/receiver/slack-connection.ts';
import type { ReplicaStore } from '../../../src/store/port/replica-records.ts';
import { freePort } from '../../harness/free-port.ts';
import { IDENTITY } from '../harness/fake-slack-web.ts';

export const SECRET = '5'.repeat(32);
export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';

export type ReceiverStage = {
  /** Payloads that reached listeners. */
  readonly heard: unknown[];
  /** Log lines. */
  readonly lines: string[];
  /** Of each command, whether it can be answered at its response URL. */
  readonly answerable: boolean[];
  readonly connection: SlackConnection;
};
export type StageOptions = {
  readonly isForeign?: BoltOptions['isForeign'];
  readonly rememberSignature?: ReplicaStore['rememberSignature'];
};

const ROUTES = [{ path: '/healthz', answer: async () => ({ status: 200, body: { alive: true } }) }] as const;

function optionsOf(
  stage: Pick<ReceiverStage, 'heard' | 'lines' | 'answerable'>,
  { isForeign = () => false, rememberSignature = async () => true }: StageOptions,
  { server }: HealthServer,
) {
  const hear = (read: (payload: unknown) => unknown) => async (payload: unknown) => {
    stage.heard.push(read(payload));
  };
  return {
    root: '/fleet',
    identity: IDENTITY,
    conversation: {
      onSlashCommand: async (_: unknown, payload: unknown, respond: unknown) => {
        stage.heard.push(readSlashCommand(payload));
        stage.answerable.push(typeof respond === 'function');
      },
      onMessage: hear(readMessageEvent),
    },
    actions: {
      press: async (payload: unknown, ack: () => Promise<void>) => {
        stage.heard.push(
          isFormPayload(payload) ? readFormState(payload, { verified: (text) => text }) : readPress(payload),
        );
        await ack();
      },
      submit: async (payload: unknown, ack: () => Promise<void>) => {
        stage.heard.push(
          isFormPayload(payload)
            ? readFormState(payload, { verified: (text) => text })
            : readSubmission(payload),
        );
        await ack();
      },
    },
    forms: {
      onOptions: async (payload: unknown, ack: (options: readonly never[]) => Promise<void>) => {
        stage.heard.push(readOptionsQuery(payload));
        await ack([]);
      },
    },
    onShortcut: hear((payload) => payload),
    onChannelJoined: hear(readChannelJoined),
    onHomeOpened: hear((payload) => payload),
    onLinkShared: hear((payload) => payload),
    routes: ROUTES,
    server,
    isForeign,
    onFatal: (reason: string) => void stage.lines.push(reason),
    onCounted: () => undefined,
    store: { replicas: { rememberSignature } },
    clock: createManualClock(instant(0)),
    log: createLog({ level: 'trace', destination: { write: (line: string) => void stage.lines.push(line) } }),
  } satisfies Omit<BoltOptions, 'config'>;
}

const slack = { botToken: secret('xoxb-test'), command: '/fleet', proxy: null };

/** Starts the receiver for signed HTTP. */
export async function startHttp(
  options: StageOptions = {},
): Promise<ReceiverStage & { readonly url: string }> {
  const stage = { heard: [], lines: [], answerable: [] };
  const port = await freePort();
  const transport = { kind: 'http', signingSecret: secret(SECRET) } as const;
  const health = await serveHealth(ROUTES, { host: '127.0.0.1', port });
  const connection = createSlackConnection({
    ...optionsOf(stage, options, health),
    config: { slack: { ...slack, apiUrl: 'http://127.0.0.1:1/', transport } },
  });
  await connection.start();
  onTestFinished(async () => {
    await connection.stop();
    await health.stop();
  });
  return { ...stage, connection, url: `http://127.0.0.1:${port}` };
}

export type Signing = { readonly secret?: string; readonly secondsAhead?: number };

/** Signed as Slack does it, or almost. */
export function signed(body: string, { secret: key = SECRET, secondsAhead = 0 }: Signing = {}) {
  const seconds = Math.floor(wallNow() / 1_000) + secondsAhead;
  const digest = createHmac('sha256', key).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
}

/** Seconds between two posts, as if they had not come at once: the same body again has another signature. */
let apart = 0;

/** Posts a body to Slack's endpoint. */
export function post(
  url: string,
  body: string,
  { type = JSON_TYPE, ...signing }: Signing & { readonly type?: string } = {},
): Promise<Response> {
  apart = (apart + 1) % 240;
  const headers = { 'content-type': type, ...signed(body, { secondsAhead: apart, ...signing }) };
  return fetch(`${url}/slack/events`, { method: 'POST', headers, body });
}

/** Connects by Socket Mode to a Slack that sends only what the test says. */
export async function startSocket(options: StageOptions = {}): Promise<SocketStage> {
  const stage = { heard: [], lines: [], answerable: [] };
  const sockets: WebSocket[] = [];
  const acked = new Set<string>();
  const served: Served = await listenOnLoopback((server) => {
    server.on('request', (request, response) => {
      request.resume();
      const answer = { ok: true, url: served.url.replace('http', 'ws') };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    new WebSocketServer({ server }).on('connection', (socket) => {
      sockets.push(socket);
      socket.on('message', (data) => {
        const { envelope_id } = JSON.parse(String(data)) as { envelope_id: string }; // the client's own words
        acked.add(envelope_id);
      });
      socket.send(JSON.stringify({ type: 'hello' }));
    });
  });
  const transport = { kind: 'socket', appToken: secret('xapp-test') } as const;
  const health = await serveHealth(ROUTES, { host: '127.0.0.1', port: 0 });
  const connection = createSlackConnection({
    ...optionsOf(stage, options, health),
    config: { slack: { ...slack, apiUrl: `${served.url}/`, transport } },
  });
  await connection.start();
  onTestFinished(async () => {
    await connection.stop();
    await health.stop();
    await served.stop();
  });
  // The start waits for the first connection; the second opens beside it.
  await expect.poll(() => sockets.length).toBe(2);
  return {
    ...stage,
    connection,
    acked,
    connections: () => sockets.length,
    send: (text) => sockets.at(-1)?.send(text),
  };
}
export type SocketStage = ReceiverStage & {
  /** Ids of acknowledged envelopes. */
  readonly acked: ReadonlySet<string>;
  /** How often the bot connected. */
  readonly connections: () => number;
  readonly send: (text: string) => void;
};

/** An envelope with a new id. */
export function enveloped(type: unknown, payload: unknown) {
  const id = randomUUID();
  return { id, text: JSON.stringify({ envelope_id: id, type, payload }) };
}

export const command = {
  command: '/fleet',
  text: 'device web-01',
  user_id: 'U1',
  channel_id: 'C1',
  trigger_id: 't1',
  response_url: 'http://127.0.0.1:1/',
};
