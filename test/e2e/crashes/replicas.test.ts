/** Two products on one PostgreSQL: neither repeats what the other did, and each continues what the other left. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SECOND } from '../../../src/lib/clock.ts';
import { until } from '../../harness/until.ts';
import { type Postgres, startPostgres } from '../../store/postgres.ts';
import { cardKeyIn, type SandboxPeople, startSandboxPeople, stateOf } from '../harness/sandbox-people.ts';

let postgres: Postgres;
let people: SandboxPeople;

beforeAll(async () => {
  postgres = await startPostgres();
  people = await startSandboxPeople({ databaseUrl: (await postgres.createDatabase()).reveal() });
  await people.bot({ do: 'start', count: 2 });
});
afterAll(async () => {
  await people.stop();
  await postgres.stop();
});

const alerts = () => people.posts('patch-alerts');

// The outage and the pause wait for several answers of seconds each, beside two processes and PostgreSQL.
describe('two replicas', { timeout: 120_000 }, () => {
  it('both run', async () => {
    expect((await people.state()).bot.processes).toBe(2);
  });

  it('read the event log once for both', async () => {
    const polls = async () =>
      (await people.journal('management')).filter(({ path }) => path.includes('/events')).length;
    const [{ clock: begun }, before] = [await people.state(), await polls()];
    await people.advance('1m');
    await until(async () => (await polls()) > before);
    const count = (await polls()) - before;
    // Every 15 seconds of the time that passed, by one replica only. A slow machine takes some of it itself.
    const { clock: ended } = await people.state();
    expect(count).toBeLessThanOrEqual(Math.floor((ended - begun) / (15 * SECOND)) + 1);
  });

  it('post grouped alerts on one card, and other failures once each', async () => {
    await people.world({ do: 'storm', count: 60, reason: 'repository is away' });
    for (let count = 1; count <= 10; count += 1)
      await people.world({
        do: 'patch-fails',
        device: 'web-01',
        patch: `package-${count}`,
        reason: 'held',
      });
    await people.advance('20s');
    await until(async () => (await alerts()).length >= 11, { what: '11 alerts' });
    await people.card('patch-alerts', ({ text }) => text.includes('Patch failed on 60 devices'));
    await people.advance('2m');
    expect(new Set((await alerts()).map(cardKeyIn)).size).toBe(11);
    expect(await alerts()).toHaveLength(11);
  });

  it('send one command for a request that two people approve at once', async () => {
    await people.runs('operator', 'reboot web-01 because kernel');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    await Promise.all((['approver', 'approver2'] as const).map((user) => people.push(user, card, 'approve')));
    await people.becomes(card, 'verified');
    expect(await people.writes()).toHaveLength(1);
    expect(await people.posts('approvals')).toHaveLength(1);
  });

  it('put the answer into a form’s window, whichever of them handles it', async () => {
    const user = 'operator';
    const sent = (await people.writes()).length;
    const top = async (part: string) => {
      const shown = (await people.views(user)).modals.at(-1);
      return shown !== undefined && JSON.stringify([shown['title'], shown.blocks]).includes(part)
        ? shown
        : null;
    };
    await people.command({ user, channel: 'ops', command: '/fleet', text: 'scan' });
    const form = await until(() => top('Scan a device'));
    const action_id = 'search_device';
    const field = { view_id: form.id, block_id: 'device', action_id, value: 'web-01' };
    // Either replica may get the question, and one that just started still reads the fleet.
    await until(async () => {
      const { options = [] } = await people.suggest({ user, ...field });
      return JSON.stringify(options).includes('4001') ? options : null;
    });
    const values = { device: { [action_id]: '4001' } };
    expect(await people.submit({ user, view_id: form.id, values })).toMatchObject({ ok: true });
    const answer = await until(() => top(' requested'));
    expect(answer.id).toBe(form.id);
    await until(async () => (await people.writes()).length > sent, { what: 'the scan to be sent' });
  });

  it('send nothing from two seconds after a pause on, however much is waiting', async () => {
    const SLOW_MS = 3_000;
    const COUNT = 24;
    onTestFinished(async () => {
      await people.clearFaults();
      await people.runs('admin', 'pause off');
    });
    await people.fault({ service: 'management', match: 'POST /servers', kind: 'slow', ms: SLOW_MS });
    const devices = Array.from({ length: COUNT }, (_, n) => 4011 + n);
    // Of these devices alone: a scan that was requested before may be sent only now.
    const queues = new Set(devices.map((id) => `/servers/${id}/queues`));
    const posts = async () =>
      (await people.journal('management')).filter(
        ({ method, path }) => method === 'POST' && queues.has(path),
      );
    // More than both replicas handle at once: the others wait while the first ones are answered slowly.
    for (const id of devices)
      expect(
        await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text: `scan #${id}` }),
      ).toMatchObject({ ok: true });
    await until(async () => (await posts()).length > 0, { what: 'a scan to be sent' });
    await people.command({
      user: 'admin',
      channel: 'ops',
      command: '/fleet',
      text: 'pause because an incident',
    });
    await people.card('approvals', ({ text }) => text.includes('paused'), 'the pause');
    const { clock } = await people.state();
    const unsent = async () => (await people.posts('ops')).filter((card) => stateOf(card) === 'not_sent');
    // Work read only after the pause was refused at once.
    const refused = async () =>
      (await people.messages('ops', 'operator')).filter(
        ({ ephemeral, text }) => ephemeral && text.startsWith('All changes are paused'),
      ).length;
    const rest = async () => COUNT - (await posts()).length - (await unsent()).length - (await refused());
    await until(async () => (await rest()) === 0, { timeoutMs: 60_000, what: 'all to be sent or not' }).catch(
      async (cause: unknown) => {
        const answers = (await people.messages('ops', 'operator')).map(({ text }) => text);
        throw new Error(`${await rest()} of ${COUNT} are neither: ${JSON.stringify(answers)}`, { cause });
      },
    );
    expect((await unsent()).length).toBeGreaterThan(0);
    const late = (await posts()).filter(({ at }) => at > clock + 2_000);
    expect(late).toEqual([]);
  });

  it('lose nothing when they are killed, and go on when they are started', async () => {
    await people.runs('operator', 'reboot web-02 because kernel');
    const card = await people.card('approvals', ({ text }) => text.includes('web-02'));
    await people.push('approver', card, 'approve');
    await people.bot({ do: 'kill' });
    await people.world({ do: 'patch-fails', device: 'web-02', reason: 'while nobody looked' });
    await people.bot({ do: 'start', count: 2 });
    await people.advance('2m');
    await people.card('patch-alerts', ({ text }) => text.includes('while nobody looked'));
    expect((await people.writes()).filter((path) => path.includes('4002')).length).toBeLessThanOrEqual(1);
    expect((await people.posts('approvals')).filter(({ text }) => text.includes('web-02'))).toHaveLength(1);
  });
});
