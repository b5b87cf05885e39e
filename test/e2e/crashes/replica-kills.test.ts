/** One of two products on one PostgreSQL is killed at every failpoint: the other goes on exactly where it stood. */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { until } from '../../harness/until.ts';
import { actionOf, openModalOf, submitModal } from '../harness/modals.ts';
import { onlineDevices } from '../harness/online-devices.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard } from '../harness/sandbox-people.ts';
import { type KillableReplicas, startKillableReplicas } from './killable-replicas.ts';

vi.setConfig({ testTimeout: 240_000 });

/** Calls that a kill may leave with an unknown outcome. */
const IN_FLIGHT = 4;
/** At a claim and at what was sent, twice each; and at what was recorded. */
const KILLS_WHILE_SENDING = 5;
/** So many that enough are left for each kill of the last wave, which takes up to four. */
const DEVICES = 24;

let people: KillableReplicas;
beforeAll(async () => {
  people = await startKillableReplicas();
});
afterAll(() => people.stop());
beforeEach(() => people.reset());

/** Requests a reboot without waiting for an answer, which a kill may lose. */
const ask = async (count: number, options: string) => {
  const names = (await onlineDevices(people)).slice(0, count).map((id) => `#${id}`);
  const text = `reboot ${names.join(',')} ${options} because kernel`;
  await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
};
const cards = async () =>
  (await people.posts('approvals')).filter((one) => cardKeyIn(one)?.startsWith('approval:') === true);
const press = (on: PostedCard, user: string, action: string) =>
  people.click({ user, channel: on.channel, ts: on.ts, action_id: action });
const isEnded = async () => (await people.rows("select 1 from requests where state = 'ended'")).length === 1;
const hold = async () => {
  const [request] = await people.rows('select rollout from requests');
  const rollout: unknown = JSON.parse(String(request?.['rollout']));
  return (rollout as { readonly hold: { readonly kind: string } | null }).hold;
};

/** The devices that were sent something, each once; of all others that is not known. */
async function expectSentOnce(mostUnknown: number): Promise<readonly string[]> {
  const sent = (await people.writes()).map((write) => /^POST \/servers\/(\d+)\//.exec(write)?.[1] ?? '');
  expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
  const targets = await people.rows('select device_id, state from request_targets');
  const unsent = targets.filter(({ device_id: id }) => !sent.includes(String(id)));
  expect(unsent.filter(({ state }) => state !== 'unknown')).toEqual([]);
  const unknown = targets.filter(({ state }) => state === 'unknown');
  expect(unknown.length).toBeLessThanOrEqual(mostUnknown);
  return sent;
}

it('a rollout sends to each device at most once, on one card, and tells its end once', async () => {
  people.killAt('request.recorded', 'card.attempted', 'card.posted');
  await ask(DEVICES, `waves:2,10,100% brake:${DEVICES}`);
  await people.goOn(async () => (await cards()).length > 0);
  const [card, ...others] = await cards();
  expect(others).toEqual([]);
  if (card === undefined) throw new Error('no card');
  people.killAt(
    ...(['press.recorded', 'request.decided', 'wave.rechecked', 'target.claimed'] as const),
    ...(['target.sent', 'wave.ended', 'target.recorded', 'target.claimed'] as const),
    ...(['target.sent', 'target.verified'] as const),
  );
  await press({ ...card, channel: 'approvals' }, 'approver', 'approve');
  await people.goOn(isEnded);
  await expectSentOnce(KILLS_WHILE_SENDING * IN_FLIGHT);
  // One card, and one line in its thread for each of the first two waves.
  const shown = (await people.posts('approvals')).map((one) => cardKeyIn(one)?.split(':')[0]);
  expect(shown.toSorted()).toEqual(['approval', 'line', 'line']);
  const told = async () =>
    (await people.messages('@operator', 'operator')).filter((one) => cardKeyIn(one)?.startsWith('told:'));
  await until(async () => (await told()).length > 0, { what: 'the message at its end' });
  await people.advance('10m');
  expect(await told()).toHaveLength(1);
});

it('a rollout that brakes sends nothing more until another approver resumes it', async () => {
  const match = 'POST /servers/{id}/queues';
  await people.fault({ service: 'management', match, kind: 'status', status: 403, times: 2 });
  await ask(8, 'waves:2,100% brake:2');
  people.killAt('rollout.braked');
  await press(await people.card('approvals', () => true), 'approver', 'approve');
  await people.goOn(async () => (await hold())?.kind === 'braked');
  await people.advance('10m');
  expect(await people.writes()).toHaveLength(2);
  const braked = await people.card('approvals', (one) => messageText(one).includes('Braked'));
  expect(actionIdsOf(braked)).toContain('control:resume');
  await press(braked, 'approver2', 'control:resume');
  await people.goOn(isEnded);
  expect(await expectSentOnce(0)).toHaveLength(8);
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
  people.killAt('form.recorded');
  await submitModal(people, user, form, { device: '4001' });
  await people.goOn(isEnded);
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
