/** The smallest possible bot in Socket Mode: it acknowledges everything. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Started } from './process-messages.ts';

export type SlackClient = {
  /** The newest envelope. */
  readonly envelope: () => object;
  /** How many envelopes have come. */
  readonly received: () => number;
  readonly close: () => void;
};

/** Connects; resolves when the server has said hello. */
export async function connectClient({ apiUrl, appToken }: Started): Promise<SlackClient> {
  const opened = await fetch(`${apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: { authorization: `Bearer ${appToken}` },
  });
  const { url } = Object(await opened.json());
  const socket = new WebSocket(url);
  let envelope: object = {};
  let received = 0;
  const hello = once(socket, 'message');
  socket.on('message', (data) => {
    const { envelope_id, ...rest } = JSON.parse(String(data));
    if (envelope_id === undefined) return;
    envelope = rest;
    received += 1;
    socket.send(JSON.stringify({ envelope_id }));
  });
  await hello;
  return { envelope: () => envelope, received: () => received, close: () => socket.terminate() };
}
