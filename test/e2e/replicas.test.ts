/** Two products on one PostgreSQL: what one does the other does not do again, and what one leaves the other takes up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { type Postgres, startPostgres } from '../store/postgres.ts';
import { keyOf, startTown, stateOf, type Town } from './town.ts';

let postgres: Postgres;
let town: Town;

beforeAll(async () => {
  postgres = await startPostgres();
  town = await startTown({ databaseUrl: (await postgres.createDatabase()).reveal() });
  await town.bot({ do: 'start', count: 2 });
});
afterAll(async () => {
  await town.stop();
  await postgres.stop();
});

const alerts = () => town.posts('patch-alerts');

describe('two replicas', () => {
  it('both run', async () => {
    expect((await town.state()).bot.processes).toBe(2);
  });

  it('read the event log once for both', async () => {
    const polls = async () =>
      (await town.journal('management')).filter(({ path }) => path.includes('/events')).length;
    const before = await polls();
    await town.advance('1m');
    await until(async () => (await polls()) > before);
    // Every 15 seconds, and no replica that does the same beside it.
    expect((await polls()) - before).toBeLessThanOrEqual(5);
  });

  it('tell a storm on one card, and other failures once each', async () => {
    await town.world({ do: 'storm', count: 60, reason: 'repository is away' });
    for (let count = 1; count <= 10; count += 1)
      await town.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: `reason ${count}` });
    await town.advance('20s');
    await until(async () => (await alerts()).length >= 11, { timeoutMs: 30_000, what: '11 alerts' });
    await town.card('patch-alerts', ({ text }) => text.includes('Patch failed on 60 devices'));
    await town.advance('2m');
    expect(new Set((await alerts()).map(keyOf)).size).toBe(11);
    expect(await alerts()).toHaveLength(11);
  });

  it('send one command for a request that two people approve at once', async () => {
    await town.asks('operator', 'reboot web-01 because kernel');
    const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
    const press = (user: string) =>
      town.click({ user, channel: 'approvals', ts: card.ts, action_id: 'approve' });
    await Promise.all(Array.from({ length: 8 }, (_, n) => press(n % 2 === 0 ? 'approver' : 'approver2')));
    await town.becomes(card, 'verified');
    expect(await town.writes()).toHaveLength(1);
    expect(await town.posts('approvals')).toHaveLength(1);
  });

  it('bring the window of a form to its answer, whichever of them works it off', async () => {
    const user = 'operator';
    const top = async (part: string) => {
      const shown = (await town.views(user)).modals.at(-1);
      return shown !== undefined && JSON.stringify([shown['title'], shown.blocks]).includes(part)
        ? shown
        : null;
    };
    await town.command({ user, channel: 'ops', command: '/fleet', text: 'scan' });
    const form = await until(() => top('Scan a device'), { timeoutMs: 15_000 });
    const action_id = 'search_device';
    const field = { view_id: form.id, block_id: 'device', action_id, value: 'web-01' };
    // Either replica may be asked, and one that just started still reads the fleet.
    await until(async () => {
      const { options = [] } = await town.suggest({ user, ...field });
      return JSON.stringify(options).includes('4001') ? options : null;
    });
    const values = { device: { [action_id]: '4001' } };
    expect(await town.submit({ user, view_id: form.id, values })).toMatchObject({ ok: true });
    const answer = await until(() => top(' requested'), { timeoutMs: 15_000 });
    expect(answer.id).toBe(form.id);
  });

  it('send nothing two seconds after a pause, whatever waits for its turn', async () => {
    const SLOW_MS = 3_000;
    const COUNT = 24;
    await town.fault({ service: 'management', match: 'POST /servers', kind: 'slow', ms: SLOW_MS });
    const posts = async () =>
      (await town.journal('management')).filter(
        ({ method, path }) => method === 'POST' && path.includes('/queues'),
      );
    const before = (await posts()).length;
    // More than both replicas have turns for: the others wait while the first ones are answered slowly.
    for (let count = 1; count <= COUNT; count += 1)
      await town.command({
        user: 'operator',
        channel: 'ops',
        command: '/fleet',
        text: `scan #${4010 + count}`,
      });
    await until(async () => (await posts()).length > before, {
      timeoutMs: 15_000,
      what: 'a scan to be sent',
    });
    await town.command({
      user: 'admin',
      channel: 'ops',
      command: '/fleet',
      text: 'pause because an incident',
    });
    await town.card('approvals', ({ text }) => text.includes('paused'), 'the pause');
    const { clock } = await town.state();
    const unsent = async () =>
      (await town.posts('ops')).filter((card) =>
        ['not_verified', 'refused', 'not_sent'].includes(stateOf(card) ?? ''),
      );
    // What was read only after the pause was refused at once.
    const refused = async () =>
      (await town.messages('ops', 'operator')).filter(
        ({ ephemeral, text }) => ephemeral && text.startsWith('All changes are paused'),
      ).length;
    const rest = async () =>
      COUNT - ((await posts()).length - before) - (await unsent()).length - (await refused());
    await until(async () => (await rest()) === 0, { timeoutMs: 30_000, what: 'all to be sent or not' });
    expect((await unsent()).length).toBeGreaterThan(0);
    const late = (await posts()).filter(({ at }) => at > clock + 2_000);
    expect(late).toEqual([]);
    await town.clearFaults();
    await town.command({ user: 'admin', channel: 'ops', command: '/fleet', text: 'pause off' });
  });

  it('lose nothing when they are killed, and go on when they are started', async () => {
    await town.asks('operator', 'reboot web-02 because kernel');
    const card = await town.card('approvals', ({ text }) => text.includes('web-02'));
    await town.click({ user: 'approver', channel: 'approvals', ts: card.ts, action_id: 'approve' });
    await town.bot({ do: 'kill' });
    await town.world({ do: 'patch-fails', device: 'web-02', reason: 'while nobody looked' });
    await town.bot({ do: 'start', count: 2 });
    await town.advance('2m');
    await town.card('patch-alerts', ({ text }) => text.includes('while nobody looked'));
    expect((await town.writes()).filter((path) => path.includes('4002')).length).toBeLessThanOrEqual(1);
    expect((await town.posts('approvals')).filter(({ text }) => text.includes('web-02'))).toHaveLength(1);
  });
});
