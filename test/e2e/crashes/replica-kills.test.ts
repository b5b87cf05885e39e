/** One of two products on one PostgreSQL is killed at every failpoint: the other goes on exactly where it stood. */
import { expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { actionOf, openModalOf, submitModal } from '../harness/modals.ts';
import { actionIdsOf, cardKeyIn, messageText } from '../harness/sandbox-people.ts';
import { startKillableReplicas } from './killable-replicas.ts';
import { IN_FLIGHT, killedRollouts } from './killed-rollouts.ts';

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
    await people.world({ do: 'patch-fails', device: 'web-01', reason: 'one' });
    await people.world({ do: 'patch-fails', device: 'web-02', reason: 'two' });
    await people.goOn(async () => true);
    await people.led();
    const alerts = () => people.posts('patch-alerts');
    await people.goOn(async () => (await alerts()).length >= 2);
    await people.advance('2m');
    expect(new Set((await alerts()).map(cardKeyIn)).size).toBe(2);
    expect(await alerts()).toHaveLength(2);
  },
);
