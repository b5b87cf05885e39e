/** Bots that speak raw Socket Mode or plain HTTP, to observe what Slack's own client and Bolt's receiver hide. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { clientOf, type StartOptions, startWorkspace } from './workspace-harness.ts';

type Json = Record<string, unknown>;
export type Envelope = { readonly envelope_id: string; readonly type: string; readonly payload: Json } & Json;
export type RawBot = {
  readonly hello: Json;
  readonly envelopes: readonly Envelope[];
  readonly last: () => Json;
  readonly isClosed: () => boolean;
  readonly closedWith: () => number | undefined;
  readonly send: (frame: string) => void;
  /** Pings the other side; resolves with whether a pong came before `until` resolved. */
  readonly pinged: (until: Promise<unknown>) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

export async function connectionUrl(workspace: Workspace): Promise<string> {
  const { url } = await clientOf(workspace, workspace.appToken).apps.connections.open({});
  return url ?? '';
}

/** Connects; every envelope is acknowledged with what `answer` returns, or not at all when that is null. */
export async function startRawBot(
  workspace: Workspace,
  answer: (envelope: Envelope) => Json | null = () => ({}),
): Promise<RawBot> {
  const socket = new WebSocket(await connectionUrl(workspace));
  const envelopes: Envelope[] = [];
  let closeCode: number | undefined;
  socket.once('close', (code) => {
    closeCode = code;
  });
  const hello = await new Promise<Json>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('message', (data) => resolve(JSON.parse(String(data))));
  });
  socket.on('message', (data) => {
    const envelope: Envelope = JSON.parse(String(data));
    envelopes.push(envelope);
    const payload = answer(envelope);
    if (payload) socket.send(JSON.stringify({ envelope_id: envelope.envelope_id, payload }));
  });
  const close = async () => {
    if (socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close();
    await closed;
  };
  const pinged = async (until: Promise<unknown>) => {
    const pong = new Promise<boolean>((resolve) => socket.once('pong', () => resolve(true)));
    socket.ping();
    return Promise.race([pong, until.then(() => false)]);
  };
  onTestFinished(close);
  return {
    hello,
    envelopes,
    last: () => envelopes.at(-1)?.payload ?? {},
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    closedWith: () => closeCode,
    send: (frame) => socket.send(frame),
    pinged,
    close,
  };
}

/** A workspace with one bot, both for one test. */
export async function startWithBot(options: StartOptions = {}, answer?: Parameters<typeof startRawBot>[1]) {
  const started = await startWorkspace(options);
  return { ...started, bot: await startRawBot(started.workspace, answer) };
}

export type AnswerRequest = ServerResponse;
export type BotRequest = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly url: string;
};

/** Starts the server and points a workspace at it; `answer` gets each request with its complete body. */
export async function withHttpBot(
  answer: (response: AnswerRequest, heard: BotRequest) => void,
  options: StartOptions = {},
) {
  const started = await startWorkspace({ transport: 'http', ...options });
  const heard: BotRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url ?? '' };
    heard.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  started.workspace.setBotUrl(`http://127.0.0.1:${port}`);
  return { ...started, heard };
}

/** A bot with these subscriptions, and the events that it got so far. */
export async function listening(events: readonly string[], options: StartOptions = {}) {
  const { bot, ...started } = await startWithBot({ ...options, events });
  const heard = () => bot.envelopes.map(({ payload }) => payload['event'] as Json); // all are events
  return { ...started, heard };
}

/** Once a later command has arrived, everything sent before has too. */
export async function settled(workspace: Workspace) {
  await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
}
