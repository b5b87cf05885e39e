import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { answerOf, startWorkspace } from '../harness/workspace-harness.ts';

const LARGEST = 4 * 1024 * 1024;

function body(size: number): string {
  return JSON.stringify({ filler: 'x'.repeat(size) });
}
/** Sends it whole, or in chunks, so that no length is declared. */
function post(url: string, sentText: string, inPieces: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(inPieces ? {} : { 'content-length': sentText.length }),
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    if (inPieces) sent.write(sentText.slice(0, 10));
    sent.end(inPieces ? sentText.slice(10) : sentText);
  });
}

it.each([
  { how: 'of a declared length', inPieces: false },
  { how: 'that comes in pieces', inPieces: true },
])('a body $how is read up to four megabytes', async ({ inPieces }) => {
  const { workspace } = await startWorkspace();
  const ask = (size: number) => post(`${workspace.apiUrl}chat.postMessage`, body(size), inPieces);
  expect(JSON.parse(await text(await ask(LARGEST - 100)))).toMatchObject({ error: 'not_authed' });
  expect((await ask(LARGEST + 100)).statusCode).toBe(413);
});

/** The first line of the answer to a WebSocket upgrade of this address. */
async function upgraded(apiUrl: string, address: string): Promise<string> {
  const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  const headers = [
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
  ];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write([`GET ${address} HTTP/1.1`, ...headers, key, '', ''].join('\r\n'));
  const [line = ''] = (await text(socket)).split('\r\n');
  return line;
}

it.each(['//', 'http://[', '*', '/link/?ticket=%'])(
  '%s opens no connection and ends nothing',
  async (address) => {
    const { workspace } = await startWorkspace();
    expect(await upgraded(workspace.apiUrl, address)).toBe('HTTP/1.1 401 Unauthorized');
    expect(await answerOf(workspace, 'auth.test', {})).toMatchObject({ ok: true });
  },
);
