/** The health routes from the first moment of a start, with a Slack that takes its time. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { StartupError } from '../../src/slack/web-api/sign-in.ts';
import { settingsOf } from '../harness/product-settings.ts';
import { IDLE_BOT } from '../harness/run-product.ts';
import { type StartedSandbox, startSandbox } from '../harness/start-sandbox.ts';

let sandbox: StartedSandbox;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await startSandbox({ entry: IDLE_BOT });
  folder = mkdtempSync(join(tmpdir(), 'patchbay-health-'));
  env = await settingsOf(sandbox, folder);
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' ? address?.port : 0);
}

function appOf(changes: Record<string, string>) {
  const read = readConfig({ ...env, ...changes });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const clock = createClock({ onError: () => undefined });
  return createApp({ config: read.config, clock, log: silentLog, onFatal: () => undefined });
}

const get = async (port: string, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, body: await answer.json() };
};

it('answers that it lives before Slack has answered anything', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: release, resolve: onRelease } = Promise.withResolvers<void>();
  const slack = createHttpServer(async (_, response) => {
    onAsked();
    await release;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: false, error: 'invalid_auth' }));
  }).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  const address = slack.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/`;
  const port = await freePort();
  const app = appOf({ PORT: port, SLACK_API_URL: apiUrl });
  const refused = expect(app.start()).rejects.toThrow(StartupError);
  await asked;
  expect(await get(port, '/healthz')).toEqual({ status: 200, body: { alive: true } });
  expect(await get(port, '/readyz')).toMatchObject({
    status: 503,
    body: { problems: [{ kind: 'starting' }] },
  });
  onRelease();
  await refused;
  slack.close();
  slack.closeAllConnections();
  await expect(get(port, '/healthz')).rejects.toThrow('fetch failed');
});

it.each(['socket', 'http'] as const)(
  'answers on one port throughout, and says when it is ready: %s',
  async (transport) => {
    const { slack } = await sandbox.state();
    const port = await freePort();
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: slack.signingSecret };
    const app = appOf({
      ...(transport === 'http' ? http : {}),
      PORT: port,
      DATABASE_URL: `sqlite:${join(folder, `${transport}.sqlite`)}`,
    });
    await app.start();
    try {
      await app.ready();
      expect(await get(port, '/healthz')).toEqual({ status: 200, body: { alive: true } });
      const ready = await get(port, '/readyz');
      expect(ready).toMatchObject({ status: 200, body: { slack: true, database: true, problems: [] } });
      expect(ready.body.lastWrite.database).toMatch(/^\d{4}-/);
    } finally {
      await app.stop();
    }
    await expect(get(port, '/healthz')).rejects.toThrow('fetch failed');
  },
);
