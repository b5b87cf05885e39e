/** `curl -X DELETE` and `curl -X POST` without a body, against the served control interface. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createClient } from '../../harness/client.ts';
import { useStarted } from '../../harness/use-started.ts';

const sandbox = useStarted(() => createSandbox({ only: 'management', devices: 20 }));

/** Sends exactly these lines: every client of ours would add a content-length to a POST. */
async function sendBare(method: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(sandbox.address);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each([
  ['DELETE', '/sandbox/fault'],
  ['POST', '/sandbox/reset'],
])('%s %s takes no body and no length, and removes the faults', async (method, path) => {
  const fault = { service: 'management', match: 'GET /servers', kind: 'status', status: 503 } as const;
  const client = createClient(sandbox.address);
  await client.fault(fault);
  const asServed = () => fetch(`${sandbox.management.baseUrl}/servers`).then(({ status }) => status);
  expect(await asServed()).toBe(503);
  const answer = await sendBare(method, path);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"ok":true');
  expect(await asServed()).toBe(401);
  expect(await client.state()).toMatchObject({ faults: [], living: false });
});

test('a call that needs a body says what is missing in it', async () => {
  const answer = await sendBare('POST', '/sandbox/clock');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('advance is missing');
});
