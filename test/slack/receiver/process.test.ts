/** A real process with the receiver. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { ENTRY } from '../../harness/entry.ts';
import { freePort } from '../../harness/free-port.ts';
import { startSandboxToJoin } from '../../harness/sandbox-to-join.ts';
import { until } from '../../harness/until.ts';
import { FORM, post, SECRET } from './receiver-harness.ts';

it('a process that listens for signed HTTP survives bodies that are no payload', async () => {
  const joined = await startSandboxToJoin();
  const { SLACK_APP_TOKEN: _, ...settings } = joined.settings;
  const port = await freePort();
  const env = { ...settings, SLACK_SIGNING_SECRET: SECRET, PORT: String(port) };
  const child = spawn(process.execPath, [ENTRY, 'start'], { env, stdio: 'ignore' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await joined.stop();
  });
  const url = `http://127.0.0.1:${port}`;
  const lives = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(lives, { what: 'the process to listen' });
  // Each is another body: one that was sent before is refused.
  const takes = async () => (await post(url, JSON.stringify({ id: randomUUID() }))).status !== 503;
  await until(takes, { what: 'the process to take requests of Slack' });

  for (const body of ['null', '7', '[]', '{', '{}', '{"type":"event_callback","event":null}'])
    expect((await post(url, body)).status).toBe(200);
  expect((await post(url, 'payload=null', { type: FORM })).status).toBe(200);

  expect(child.exitCode).toBeNull();
  expect(await lives()).toBe(true);
});
