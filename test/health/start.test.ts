/** The health routes from the first moment of a start, with a Slack that takes its time. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { StartupError } from '../../src/slack/web-api/slack-web.ts';
import { freePort } from '../harness/free-port.ts';
import { startSandboxToJoin } from '../harness/sandbox-to-join.ts';
import { useStarted } from '../harness/use-started.ts';

const joined = useStarted(startSandboxToJoin);

function appOf(changes: Record<string, string>) {
  const read = readConfig({ ...joined.settings, ...changes });
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  const clock = createClock({ onError: () => undefined });
  return createApp({ config: read.config, clock, log: silentLog, onFatal: () => undefined });
}

const get = async (port: number, path: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, body: await answer.json() };
};

it('answers that it lives before Slack has answered anything', async () => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: release, resolve: onRelease } = Promise.withResolvers<void>();
  const slack = await listenOnLoopback((server) =>
    server.on('request', async (_, response) => {
      onAsked();
      await release;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, error: 'invalid_auth' }));
    }),
  );
  const port = await freePort();
  const app = appOf({ PORT: String(port), SLACK_API_URL: `${slack.url}/api/` });
  const refused = expect(app.start()).rejects.toThrow(StartupError);
  await asked;
  expect(await get(port, '/healthz')).toEqual({ status: 200, body: { alive: true } });
  expect(await get(port, '/readyz')).toMatchObject({
    status: 503,
    body: { problems: [{ kind: 'starting' }] },
  });
  onRelease();
  await refused;
  await slack.stop();
  await expect(get(port, '/healthz')).rejects.toThrow('fetch failed');
});

it.each(['socket', 'http'] as const)(
  'answers on one port throughout, and says when it is ready: %s',
  async (transport) => {
    const { slack } = await joined.sandbox.state();
    const port = await freePort();
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: slack.signingSecret };
    const app = appOf({
      ...(transport === 'http' ? http : {}),
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(joined.folder, `${transport}.sqlite`)}`,
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
