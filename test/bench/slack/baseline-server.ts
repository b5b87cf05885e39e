/**
 * The baseline: a process with an HTTP server, which stores posts in a list and answers with the end of the list, and
 * a WebSocket server, which sends one envelope repeatedly and waits for each acknowledgement.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { inParallel, serveRequests } from './process-messages.ts';

const PAGE = 200;

const startedAt = performance.now();
const messages: unknown[] = [];
const pendingEnvelopes = new Map<string, () => void>();
let socket: WebSocket | undefined;

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(await answer(request)));
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (connected) => {
  socket = connected;
  connected.send(JSON.stringify({ type: 'hello' }));
  connected.on('message', (data) => {
    const { envelope_id } = JSON.parse(String(data));
    pendingEnvelopes.get(envelope_id)?.();
    pendingEnvelopes.delete(envelope_id);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const listeningMs = performance.now() - startedAt;

async function answer(request: IncomingMessage): Promise<unknown> {
  const { host } = request.headers;
  switch (request.url) {
    case '/api/apps.connections.open':
      return { ok: true, url: `ws://${host}/` };
    case '/api/conversations.history':
      return { ok: true, messages: messages.slice(-PAGE).toReversed() };
    default:
      return { ok: true, message: messages[messages.push(JSON.parse(await text(request))) - 1] };
  }
}

function send(envelope: object): Promise<void> {
  const id = randomUUID();
  return new Promise((resolve) => {
    pendingEnvelopes.set(id, resolve);
    socket?.send(JSON.stringify({ ...envelope, envelope_id: id }));
  });
}

const address = server.address();
const port = typeof address === 'object' && address ? address.port : 0;
serveRequests({ listeningMs, apiUrl: `http://127.0.0.1:${port}/api/`, appToken: 'none' }, (order) =>
  inParallel(order.commands, () => send(order.envelope)),
);
