/** The product is killed at every step of rollouts, and each time goes on exactly where it stood. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { onlineDevices } from '../harness/online-devices.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard } from '../harness/sandbox-people.ts';
import { type KillableSandbox, startKillableSandbox } from './killable-sandbox.ts';

/** Calls that a kill may leave with an unknown outcome. */
const IN_FLIGHT = 4;
/** Calls in a row without a clear answer that hold a rollout, and those in flight beside the last of them. */
const MOST_LOST = 5 + IN_FLIGHT - 1;
/** At a claim, twice; at what was sent, and at what was recorded. */
const KILLS_WHILE_SENDING = 4;
/** Starts and a look at what was lost for half an hour, several times. */
const PATIENCE_MS = 180_000;

let people: KillableSandbox;
let devices: readonly number[];

beforeAll(async () => {
  people = await startKillableSandbox();
});
afterAll(() => people.stop());
beforeEach(async () => {
  await people.reset();
  devices = await onlineDevices(people);
});

/** Requests a reboot of so many devices without waiting for an answer, which a kill may lose. */
const ask = (count: number, options: string) => {
  const names = devices.slice(0, count).map((id) => `#${id}`);
  const text = `reboot ${names.join(',')} ${options} because kernel`;
  return people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
};
const card = () => people.card('approvals', (one) => cardKeyIn(one)?.startsWith('approval:') === true);
const press = (on: PostedCard, user: string, action: string) =>
  people.click({ user, channel: on.channel, ts: on.ts, action_id: action });
const revive = async () => {
  if (!(await people.state()).bot.running) await people.bot({ do: 'start' });
};

/** How many POSTs each device got, by its id. */
async function posts(): Promise<ReadonlyMap<number, number>> {
  const sent = (await people.writes()).map((write) => Number(/^POST \/servers\/(\d+)\//.exec(write)?.[1]));
  return new Map([...Map.groupBy(sent, (id) => id)].map(([id, all]) => [id, all.length]));
}
const targets = () =>
  people.query('select device_id, state, ended_at from request_targets order by position');
const hold = () => {
  const [request] = people.query('select rollout from requests');
  const rollout: unknown = JSON.parse(String(request?.['rollout']));
  return (rollout as { readonly hold: { readonly kind: string } | null }).hold;
};
const isEnded = () => people.query("select 1 from requests where state = 'ended'").length === 1;

/**
 * Starts the product whenever it died, and lets time pass until `done`: so little at once that the deaths in a row do not
 * add up to the time after which a rollout is paused, because it stood still.
 */
async function goOn(done: () => boolean): Promise<void> {
  for (let steps = 0; steps < 120 && !done(); steps += 1) {
    await revive();
    await people.advance('2m');
  }
  await revive();
  expect(done(), JSON.stringify([people.killsLeft(), hold(), targets()])).toBe(true);
}

/** Each device got the command once, or it is not known that it did not. */
async function expectSentOnce(mostUnknown: number): Promise<void> {
  const sent = await posts();
  expect([...sent.values()].filter((count) => count > 1)).toEqual([]);
  const unsent = targets().filter(({ device_id: id }) => !sent.has(Number(id)));
  expect(unsent.filter(({ state }) => state !== 'unknown')).toEqual([]);
  const unknown = targets().filter(({ state }) => state === 'unknown');
  expect(unknown.length).toBeLessThanOrEqual(mostUnknown);
}

it(
  'killed at every step, a rollout ends with each device sent at most once, and one message',
  async () => {
    people.killAt(
      ...(['request.recorded', 'request.decided', 'wave.rechecked', 'target.claimed'] as const),
      ...(['wave.ended', 'target.sent', 'target.recorded', 'target.verified'] as const),
      ...(['wave.ended', 'target.claimed 5'] as const),
    );
    await ask(14, 'waves:2,8,100% brake:14');
    await until(async () => !(await people.state()).bot.running, { what: 'the first kill' });
    await revive();
    await press(await card(), 'approver', 'approve');
    await goOn(() => people.killsLeft() === '' && isEnded());
    await expectSentOnce(KILLS_WHILE_SENDING * IN_FLIGHT);
    const told = (await people.messages('@operator', 'operator')).filter((one) =>
      cardKeyIn(one)?.startsWith('told:'),
    );
    expect(told).toHaveLength(1);
    // One card, and one line in its thread for each of the first two waves.
    const shown = (await people.posts('approvals')).map((one) => cardKeyIn(one)?.split(':')[0]);
    expect(shown.toSorted()).toEqual(['approval', 'line', 'line']);
  },
  PATIENCE_MS,
);

it(
  'killed when it brakes, a rollout sends nothing more until another approver resumes it',
  async () => {
    await people.fault({
      service: 'management',
      match: 'POST /servers/{id}/queues',
      kind: 'status',
      status: 403,
      times: 2,
    });
    people.killAt('rollout.braked', 'target.claimed 2');
    await ask(8, 'waves:2,100% brake:2');
    const shown = await card();
    await press(shown, 'approver', 'approve');
    await until(async () => !(await people.state()).bot.running, { what: 'the kill at the brake' });
    await revive();
    await people.advance('30m');
    expect(hold()).toMatchObject({ kind: 'braked' });
    expect((await posts()).size).toBe(2);
    const braked = await people.card(shown.channel, (one) => messageText(one).includes('Braked'));
    expect(actionIdsOf(braked)).toContain('control:resume');
    await press(braked, 'approver2', 'control:resume');
    await goOn(() => people.killsLeft() === '' && isEnded());
    expect((await posts()).size).toBeGreaterThanOrEqual(8 - IN_FLIGHT);
    expect(targets().filter(({ state }) => state === 'refused')).toHaveLength(2);
    await expectSentOnce(IN_FLIGHT);
  },
  PATIENCE_MS,
);

it(
  'killed when it is held for lost answers, a rollout sends nothing more until another approver resumes it',
  async () => {
    await people.fault({
      service: 'management',
      match: 'POST /servers/{id}/queues',
      kind: 'status',
      status: 500,
      times: MOST_LOST,
    });
    people.killAt('rollout.braked');
    await ask(14, 'waves:14 brake:14');
    const shown = await card();
    await press(shown, 'approver', 'approve');
    await until(async () => !(await people.state()).bot.running, { what: 'the kill at the hold' });
    await revive();
    await people.advance('5m');
    expect(hold()).toMatchObject({ kind: 'unanswered', sends: 5 });
    const sent = (await posts()).size;
    expect(sent).toBeLessThanOrEqual(MOST_LOST);
    const held = await people.card(shown.channel, (one) => messageText(one).includes('Braked'));
    expect(JSON.stringify(held.blocks)).toContain('the last 5 commands got no clear answer');
    await press(held, 'operator', 'control:resume');
    await people.advance('5m');
    expect((await posts()).size).toBe(sent);
    // The service works again.
    await people.clearFaults();
    await press(held, 'approver2', 'control:resume');
    await goOn(() => people.killsLeft() === '' && isEnded());
    expect((await posts()).size).toBeGreaterThanOrEqual(14 - IN_FLIGHT);
    const unknown = targets().filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(5);
    expect(targets().filter(({ state }) => state === 'verified')).toHaveLength(14 - unknown.length);
    await expectSentOnce(MOST_LOST);
  },
  PATIENCE_MS,
);
