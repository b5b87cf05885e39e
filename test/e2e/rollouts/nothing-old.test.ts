/** Nothing old is sent by itself: after days, after an outage, and after a wave that proves nothing. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { type Postgres, startPostgres } from '../../store/postgres.ts';
import { onlineDevices } from '../harness/online-devices.ts';
import {
  messageText,
  type PostedCard,
  type SandboxPeople,
  startSandboxPeople,
  stateOf,
} from '../harness/sandbox-people.ts';

// The bot starts several times, and days pass.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describe.each(['SQLite', 'PostgreSQL with two replicas'])('on %s', (engine) => {
  const isShared = engine !== 'SQLite';
  let postgres: Postgres | undefined;
  let people: SandboxPeople;

  beforeAll(async () => {
    postgres = isShared ? await startPostgres() : undefined;
    const database = postgres && { databaseUrl: (await postgres.createDatabase()).reveal() };
    const entry = fileURLToPath(new URL('../harness/short-approvals-product.ts', import.meta.url));
    people = await startSandboxPeople({ entry, ...database });
    await starts();
  });
  afterAll(async () => {
    await people.stop();
    await postgres?.stop();
  });
  beforeEach(async () => {
    await people.reset();
    await starts();
  });

  const starts = () => people.bot({ do: 'start', ...(isShared ? { count: 2 } : {}) });
  const isDown = () =>
    until(async () => (await people.state()).bot.processes === 0, { what: 'the end of the bot' });
  const sent = async () =>
    (await people.writes()).map((write) => /^POST \/servers\/(\d+)\//.exec(write)?.[1] ?? write);
  const card = () => people.card('approvals', ({ thread_ts: thread, ts }) => (thread ?? ts) === ts);
  /** Slack says so where the bot is late: after its clock was moved by days it has much to do. */
  const press = (action: string, user: 'approver' | 'operator' = 'approver') =>
    until(async () => {
      try {
        await people.push(user, await card(), action);
        return true;
      } catch (error) {
        if (!String(error).includes('operation_timeout')) throw error;
        return false;
      }
    });

  /** A rollout whose first device has its command. */
  const begins = async (options: string, count = 4): Promise<PostedCard> => {
    const names = (await onlineDevices(people)).slice(0, count).map((id) => `#${id}`);
    await people.runs('operator', `reboot ${names.join(',')} ${options} because kernel`);
    await card();
    await press('approve');
    await until(async () => (await sent()).length === 1, { what: 'the first command' });
    return card();
  };
  const isIn = async (state: string, step = '2m', most = 60) => {
    for (let steps = 0; steps < most && stateOf(await card()) !== state; steps += 1)
      await people.advance(step);
    // The clock may be ahead of the edit that shows it.
    await expect.poll(async () => stateOf(await card())).toBe(state);
    return messageText(await card());
  };

  /** What is sent counts, not how it ends: on a busy machine a device may need longer than the moved clock gives it. */
  const continues = async () => {
    await press('control:continue');
    for (let steps = 0; steps < 60 && (await sent()).length < 4; steps += 1) await people.advance('1m');
    expect(await sent()).toHaveLength(4);
  };

  it('a canary that comes back after its approval ended releases nothing', async () => {
    await begins('waves:1,100% brake:2');
    const [canary = ''] = await sent();
    await people.world({ do: 'device-offline', device: canary });
    await people.advance('10m');
    expect(messageText(await card())).toContain('Waiting only for 1 offline device');
    await people.advance('2h');
    expect(await isIn('paused')).toContain('the approval ended before everything was sent');
    await people.world({ do: 'device-online', device: canary });
    await people.advance('10m');
    expect(await sent()).toEqual([canary]);
    await continues();
  });

  it('killed after its first wave and started two days later, nothing goes on unasked', async () => {
    await begins('waves:1,100% wait:30m');
    await isIn('running', '1m', 3);
    await people.bot({ do: 'kill' });
    await isDown();
    await people.advance('48h');
    await starts();
    expect(await isIn('paused')).toContain('Patchbay wasn’t running since');
    await people.advance('2h');
    expect(await sent()).toHaveLength(1);
    await continues();
  });

  it('stopped as a machine sleeps for two days, nothing goes on unasked', async () => {
    await begins('waves:1,100%');
    await people.bot({ do: 'pause' });
    await people.advance('48h');
    await people.bot({ do: 'resume' });
    await isIn('paused', '1m');
    await people.advance('2h');
    expect(await sent()).toHaveLength(1);
  });

  it('a restart goes on', async () => {
    await begins('waves:1,100%');
    if (isShared) {
      for (const index of [0, 1]) {
        await people.bot({ do: 'stop', index });
        await people.advance('10m');
        await people.bot({ do: 'start', count: 2 });
      }
    } else {
      await people.bot({ do: 'stop' });
      await isDown();
      await people.advance('10m');
      await starts();
    }
    await isIn('verified');
    expect(await sent()).toHaveLength(4);
  });

  it('is closed by its requester, who may not continue it without an offline canary', async () => {
    await begins('waves:1,100%');
    const [canary = ''] = await sent();
    await people.world({ do: 'device-offline', device: canary });
    await people.advance('10m');
    await press('control:continue-without', 'operator');
    await press('control:close', 'operator');
    expect(await isIn('stopped')).toContain('1 not verified, 3 not sent');
    expect(await sent()).toEqual([canary]);
  });
});
