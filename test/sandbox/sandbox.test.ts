/** The whole sandbox with a fake product: what is started, what a reset does, and that nothing is left. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../src/lib/clock.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { createClient } from '../harness/client.ts';
import { startSandbox } from '../harness/start-sandbox.ts';
import { until } from '../harness/until.ts';
import { useStarted } from '../harness/use-started.ts';

const entry = fileURLToPath(new URL('process/fake-product.ts', import.meta.url));

describe('a sandbox', () => {
  const sandbox = useStarted(() => startSandbox({ entry }));

  test('says who and what is there', async () => {
    const { users, channels, slack, management, bot } = await sandbox.state();
    expect(users.map(({ name }) => name)).toEqual([
      'operator',
      'operator2',
      'approver',
      'approver2',
      'approver3',
      'viewer',
      'admin',
      'outsider',
    ]);
    expect(channels.map(({ name }) => name).sort()).toEqual([
      'approvals',
      'new-devices',
      'ops',
      'patch-alerts',
      'random',
    ]);
    expect(slack.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/$/);
    expect(management.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
    expect(bot).toEqual({ running: true, processes: 1 });
  });

  test('gives the product exactly its settings', () => {
    expect(sandbox.lines.find((line) => line.startsWith('settings '))?.split(' ')).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'FLEET_API_KEY',
        'FLEET_BASE_URL',
        'FLEET_ORGANIZATION',
        'LOG_LEVEL',
        'PATCHBAY_CONFIG',
        'PORT',
        'SLACK_API_URL',
        'SLACK_APP_TOKEN',
        'SLACK_BOT_TOKEN',
      ]),
    );
  });

  test('accepts the keys that it prints', async () => {
    const { slack, management, organization } = await sandbox.state();
    const auth = await fetch(`${slack.apiUrl}auth.test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}` },
    });
    expect(await auth.json()).toMatchObject({ ok: true });
    const servers = await fetch(`${management.baseUrl}/servers?o=${organization.id}&limit=1`, {
      headers: { authorization: `Bearer ${management.apiKey}` },
    });
    expect(servers.status).toBe(200);
    const asked = await sandbox.journal();
    expect(asked.map(({ service, status }) => [service, status])).toEqual([
      ['slack', 200],
      ['management', 200],
    ]);
  });

  test('moves its time and the product’s together', async () => {
    const before = await sandbox.state();
    const { clock = 0 } = await sandbox.advance('1h');
    expect(clock).toBeGreaterThanOrEqual(before.clock + HOUR);
    await until(() => sandbox.lines.includes('minute 60'));
  });

  test('kills the product, starts it again, and several of it', async () => {
    expect(await sandbox.bot({ do: 'kill' })).toEqual({ ok: true, running: 0 });
    expect((await sandbox.state()).bot.running).toBe(false);
    expect(await sandbox.bot({ do: 'start', count: 2 })).toEqual({ ok: true, running: 2 });
    expect(await sandbox.bot({ do: 'stop', count: 1 })).toEqual({ ok: true, running: 1 });
  });

  test('writes the configuration file, whether or not a product runs that can refuse it', async () => {
    const { text: first } = await sandbox.configuration();
    expect(first).toMatch(/^roles:\n/);
    expect(await sandbox.writeConfiguration(`${first}\nfault: here`)).toEqual({
      ok: false,
      problems: ['fault: here'],
    });
    expect((await sandbox.configuration()).text).toBe(`${first}\nfault: here`);
    await sandbox.bot({ do: 'stop' });
    expect(await sandbox.writeConfiguration('fault: there')).toEqual({ ok: true, problems: [] });
    await sandbox.bot({ do: 'start' });
    expect(await sandbox.writeConfiguration('# ünchanged\r\n')).toEqual({ ok: true, problems: [] });
    expect((await sandbox.configuration()).text).toBe('# ünchanged\r\n');
    expect((await sandbox.reset()).ok).toBe(true);
    expect((await sandbox.configuration()).text).toBe(first);
  });

  test('goes back to the seed and keeps its time', async () => {
    await sandbox.fault({ service: 'slack', match: 'POST', kind: 'status' });
    await sandbox.message({ user: 'operator', channel: 'random', text: 'hello' });
    expect(await sandbox.messages('random', 'operator')).toHaveLength(1);
    const before = await sandbox.state();
    const { ok, clock = 0 } = await sandbox.reset();
    expect(ok).toBe(true);
    expect(clock).toBeGreaterThanOrEqual(before.clock);
    expect(await sandbox.messages('random', 'operator')).toEqual([]);
    expect(await sandbox.journal()).toEqual([]);
    expect((await sandbox.state()).bot).toEqual({ running: true, processes: 1 });
    const auth = await fetch(`${before.slack.apiUrl}auth.test`, { method: 'POST' });
    expect(auth.status).toBe(200);
  });
});

describe('the end of a sandbox', () => {
  test('leaves no folder, no port and no process behind', async () => {
    const sandbox = await startSandbox({ entry, transport: 'http' });
    const { slack, management } = await sandbox.state();
    expect(slack.botUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const policy = sandbox.lines.find((line) => line.startsWith('policy '))?.slice('policy '.length) ?? '';
    expect(existsSync(policy)).toBe(true);
    await sandbox.stop();
    expect(sandbox.lines).toContain('stopped in order');
    expect(sandbox.lines.find((line) => line.startsWith('settings '))).toContain('SLACK_SIGNING_SECRET');
    for (const url of [sandbox.address, slack.apiUrl, management.baseUrl]) {
      await expect(fetch(url)).rejects.toThrow();
    }
    expect(existsSync(dirname(policy))).toBe(false);
  });

  test('comes at once, with everything stopped, when the product cannot start', async () => {
    const broken = fileURLToPath(new URL('no-product.ts', import.meta.url));
    await expect(createSandbox({ port: 0, entry: broken })).rejects.toThrow(
      /The bot exited before it was ready:\n(?:.*\n)*.*no-product\.ts/,
    );
  });

  test('comes at once when the port is taken', async () => {
    const first = await createSandbox({ only: 'management' });
    const port = Number(new URL(first.address).port);
    await expect(createSandbox({ port, entry })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.stop();
  });
});

describe('the management service alone', () => {
  test('has its part of the interface and no more', async () => {
    const { address, management, stop } = await createSandbox({ only: 'management', devices: 40 });
    const client = createClient(address);
    expect(await client.state()).toMatchObject({
      users: [],
      slack: null,
      management: { baseUrl: management.baseUrl, apiKey: management.apiKey },
    });
    expect((await client.world({ do: 'device-offline', device: 'web-01' })).ok).toBe(true);
    expect((await client.advance('5m')).ok).toBe(true);
    expect((await client.reset()).ok).toBe(true);
    expect((await client.bot({ do: 'start' })).error).toMatch(/no route for POST \/sandbox\/bot/);
    expect(await client.writeConfiguration('')).toMatchObject({ ok: false });
    await stop();
  });
});
