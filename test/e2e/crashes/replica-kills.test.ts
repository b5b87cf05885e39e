/** One of two products on one PostgreSQL is killed at every failpoint: the other goes on exactly where it stood. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LEADER_LEASE_MS } from '../../../src/store/port/replica-records.ts';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { query, startPostgres } from '../../store/postgres.ts';
import { actionOf, openModalOf, submitModal } from '../harness/modals.ts';
import {
  actionIdsOf,
  cardKeyIn,
  messageText,
  type SandboxPeople,
  startSandboxPeople,
} from '../harness/sandbox-people.ts';
import { KILLABLE_PRODUCT, type KillOrder } from './killable-sandbox.ts';
import { IN_FLIGHT, killedRollouts } from './killed-rollouts.ts';

/** Two products on one PostgreSQL, of which one kills itself where a test says so (`killable-product.ts`). */
type KillableReplicas = SandboxPeople & {
  /** Whichever reaches the first of these dies there, and whichever reaches the next one afterwards. */
  readonly killAt: (...steps: readonly KillOrder[]) => void;
  /** The rows of a query on their database. */
  readonly query: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Starts whichever died, and lets time pass until all kills happened and `done`. */
  readonly goOn: (done: () => Promise<boolean>) => Promise<void>;
  /** Waits until a replica that lives reads the event log: the lease of one that died ends by the database's time. */
  readonly led: () => Promise<void>;
};

const REPLICAS = 2;
const MOST_STEPS = 120;
/** The time of the database, of which leases are (`leaseNow` of `store/session.ts`). */
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)';

async function startKillableReplicas(): Promise<KillableReplicas> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kill-'));
  const order = join(folder, 'kill-at');
  const url = new URL((await postgres.createDatabase()).reveal());
  url.searchParams.set('application_name', folder);
  const people = await startSandboxPeople({ entry: KILLABLE_PRODUCT, databaseUrl: url.href });
  await people.bot({ do: 'start', count: REPLICAS });
  const rows = (text: string) => query(url.href, text);
  const killsLeft = () => (existsSync(order) ? readFileSync(order, 'utf8') : '');
  const areAlive = async () => (await people.state()).bot.processes === REPLICAS;

  /** The database's time can't be moved: leases of the dead that nobody ended since end now, not after half a minute. */
  const revive = async (): Promise<void> => {
    const held = await rows('select lease_token from work where lease_token is not null');
    await people.bot({ do: 'start', count: REPLICAS });
    const listed = held.map((row) => `'${String(row['lease_token'])}'`).join(',');
    if (listed !== '') await rows(`update work set lease_until = 0 where lease_token in (${listed})`);
  };

  /** Nothing is under way, or somebody died: a rollout for which only time passes would be paused. */
  const isIdle = async (): Promise<boolean> =>
    (await rows('select 1 from work where lease_until > 0')).length === 0 || !(await areAlive());

  return {
    ...people,
    query: rows,
    killAt: (...steps) => writeFileSync(order, steps.join('\n')),
    async goOn(done) {
      const isOver = async () => killsLeft() === '' && (await areAlive()) && (await done());
      for (let steps = 0; steps < MOST_STEPS && !(await isOver()); steps += 1) {
        if (!(await areAlive())) await revive();
        await until(isIdle, { timeoutMs: 60_000, what: 'what is due to be done' });
        await people.advance('2m');
      }
      if (!(await isOver())) throw new Error(`not done; kills that are left: ${killsLeft()}`);
    },
    async led() {
      const [renewed] = await rows(`select ${NOW} + ${LEADER_LEASE_MS} as until`);
      const isRenewed = async () =>
        (await rows(`select 1 from leaders where until > ${String(renewed?.['until'])}`)).length > 0;
      await until(isRenewed, { what: 'a leader' });
    },
    async reset() {
      rmSync(order, { force: true });
      const answer = await people.reset();
      await people.bot({ do: 'start', count: REPLICAS });
      return answer;
    },
    async stop() {
      await people.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

vi.setConfig({ testTimeout: 240_000 });

/** At a claim and at what was sent, twice each; and at what was recorded. */
const KILLS_WHILE_SENDING = 5;
/** So many that enough are left for each kill of the last wave, which takes up to four. */
const DEVICES = 24;

const people = useReset(startKillableReplicas);
const rollouts = killedRollouts(people);

const cards = async () =>
  (await people.posts('approvals')).filter((one) => cardKeyIn(one)?.startsWith('approval:') === true);

it('a rollout sends to each device at most once, on one card, and tells its end once', async () => {
  people.killAt('request.recorded', 'card.attempted', 'card.posted');
  // Each kill loses up to four calls: enough devices are left of each wave to prove it.
  await rollouts.ask(DEVICES, `waves:9,22,100% brake:${DEVICES}`);
  await people.goOn(async () => (await cards()).length > 0);
  const [card, ...others] = await cards();
  expect(others).toEqual([]);
  if (card === undefined) throw new Error('no card');
  people.killAt(
    ...(['inbox.recorded', 'request.decided', 'wave.rechecked', 'target.claimed'] as const),
    ...(['target.sent', 'wave.ended', 'target.recorded', 'target.claimed'] as const),
    ...(['target.sent', 'target.verified'] as const),
  );
  await rollouts.press({ ...card, channel: 'approvals' }, 'approver', 'approve');
  await people.goOn(rollouts.isEnded);
  await rollouts.expectSentOnce(KILLS_WHILE_SENDING * IN_FLIGHT);
  // One card, and one line in its thread for each of the first two waves.
  expect(await rollouts.shown()).toEqual(['approval', 'line', 'line']);
  await until(async () => (await rollouts.told()).length > 0, { what: 'the message at its end' });
  await people.advance('10m');
  expect(await rollouts.told()).toHaveLength(1);
});

it('a rollout that brakes sends nothing more until another approver resumes it', async () => {
  await rollouts.failCommands(403, 2);
  await rollouts.ask(8, 'waves:2,100% brake:2');
  people.killAt('rollout.braked');
  await rollouts.press(await people.card('approvals', () => true), 'approver', 'approve');
  await people.goOn(async () => (await rollouts.hold())?.kind === 'braked');
  await people.advance('10m');
  expect(await people.writes()).toHaveLength(2);
  const braked = await people.card('approvals', (one) => messageText(one).includes('Stopped automatically'));
  expect(actionIdsOf(braked)).toContain('control:resume');
  await rollouts.press(braked, 'approver2', 'control:resume');
  await people.goOn(rollouts.isEnded);
  await rollouts.expectSentOnce(0);
  expect(await rollouts.sent()).toHaveLength(8);
});

it('a submitted form is carried out once', async () => {
  const user = 'operator';
  await people.command({ user, channel: 'ops', command: '/fleet', text: 'scan' });
  const form = await openModalOf(people, user, 'Scan a device');
  const action_id = actionOf(form, 'device');
  // Either replica may get the question, and one that just started still reads the fleet.
  await until(async () => {
    const field = { view_id: form.id, block_id: 'device', action_id, value: 'web-01' };
    const { options = [] } = await people.suggest({ user, ...field });
    return JSON.stringify(options).includes('4001');
  });
  people.killAt('inbox.recorded');
  await submitModal(people, user, form, { device: '4001' });
  await people.goOn(rollouts.isEnded);
  expect(await people.writes()).toHaveLength(1);
});

it.each(['poll.fetched', 'poll.committed', 'card.attempted', 'card.posted'] as const)(
  'every failure is posted once where one of them dies at %s',
  async (step) => {
    people.killAt(step);
    await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'one' });
    await people.world({ do: 'patch-fails', device: 'web-02', patch: 'curl', reason: 'two' });
    await people.goOn(async () => true);
    await people.led();
    const alerts = () => people.posts('patch-alerts');
    await people.goOn(async () => (await alerts()).length >= 2);
    await people.advance('2m');
    expect(new Set((await alerts()).map(cardKeyIn)).size).toBe(2);
    expect(await alerts()).toHaveLength(2);
  },
);
