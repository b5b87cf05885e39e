/** The product is killed at every step of rollouts, and each time goes on exactly where it stood. */
import { expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { actionIdsOf, cardKeyIn, messageText } from '../harness/sandbox-people.ts';
import { startKillableSandbox } from './killable-sandbox.ts';
import { IN_FLIGHT, killedRollouts } from './killed-rollouts.ts';

/** Calls in a row without a clear answer that hold a rollout, and those in flight beside the last of them. */
const MOST_LOST = 5 + IN_FLIGHT - 1;
/** At a claim, twice; at what was sent, and at what was recorded. */
const KILLS_WHILE_SENDING = 4;
/** Starts and a look at what was lost for half an hour, several times. */
const PATIENCE_MS = 180_000;

const people = useReset(startKillableSandbox);
const rollouts = killedRollouts(people);

const card = () => people.card('approvals', (one) => cardKeyIn(one)?.startsWith('approval:') === true);
const revive = async () => {
  if (!(await people.state()).bot.running) await people.bot({ do: 'start' });
};

/**
 * Starts the product whenever it died, and lets time pass until all kills happened and the rollout ended: so little at once
 * that the deaths in a row do not add up to the time after which a rollout is paused, because it stood still.
 */
async function goOn(): Promise<void> {
  const isOver = async () => people.killsLeft() === '' && (await rollouts.isEnded());
  for (let steps = 0; steps < 120 && !(await isOver()); steps += 1) {
    await revive();
    await people.advance('2m');
  }
  await revive();
  const left = [people.killsLeft(), await rollouts.hold(), await rollouts.targets()];
  expect(await isOver(), JSON.stringify(left)).toBe(true);
}

it(
  'killed at every step, a rollout ends with each device sent at most once, and one message',
  async () => {
    people.killAt(
      ...(['request.recorded', 'request.decided', 'wave.rechecked', 'target.claimed'] as const),
      ...(['wave.ended', 'target.sent', 'target.recorded', 'target.verified'] as const),
      ...(['wave.ended', 'target.claimed 5'] as const),
    );
    // Each kill loses up to four calls: enough devices are left of each wave to prove it.
    await rollouts.ask(24, 'waves:6,18,100% brake:24');
    await until(async () => !(await people.state()).bot.running, { what: 'the first kill' });
    await revive();
    await rollouts.press(await card(), 'approver', 'approve');
    await goOn();
    await rollouts.expectSentOnce(KILLS_WHILE_SENDING * IN_FLIGHT);
    expect(await rollouts.told()).toHaveLength(1);
    // One card, and one line in its thread for each of the first two waves.
    expect(await rollouts.shown()).toEqual(['approval', 'line', 'line']);
  },
  PATIENCE_MS,
);

it(
  'killed when it brakes, a rollout tells its people once, and sends nothing more until an approver resumes it',
  async () => {
    await rollouts.failCommands(403, 2);
    people.killAt('rollout.braked', 'target.claimed 2');
    await rollouts.ask(8, 'waves:2,100% brake:2');
    const shown = await card();
    await rollouts.press(shown, 'approver', 'approve');
    await until(async () => !(await people.state()).bot.running, { what: 'the kill at the brake' });
    await revive();
    await people.advance('30m');
    expect(await rollouts.hold()).toMatchObject({ kind: 'braked' });
    expect(await rollouts.sent()).toHaveLength(2);
    const braked = await people.card(shown.channel, (one) =>
      messageText(one).includes('Stopped automatically'),
    );
    expect(actionIdsOf(braked)).toContain('control:resume');
    const messages = async (person: 'operator' | 'approver') =>
      (await people.messages(`@${person}`, person)).filter((one) => cardKeyIn(one)?.includes('.held.'));
    for (const person of ['operator', 'approver'] as const) {
      const [message, ...others] = await messages(person);
      expect([others, message?.text]).toEqual([
        [],
        expect.stringContaining('Stopped automatically: Reboot 8'),
      ]);
    }
    await people.home({ user: 'approver2' });
    const home = async () => JSON.stringify((await people.views('approver2')).home);
    await until(async () => /Needs your decision \(1\).*Stopped automat.*control:resume/s.test(await home()));
    const [message] = await messages('approver');
    if (message === undefined) throw new Error('no message to the approver');
    await rollouts.press({ ...message, channel: '@approver' }, 'approver', 'control:resume');
    await until(async () => (await messages('approver'))[0]?.text.includes('No longer waiting'));
    await goOn();
    expect((await rollouts.sent()).length).toBeGreaterThanOrEqual(8 - IN_FLIGHT);
    expect((await rollouts.targets()).filter(({ state }) => state === 'refused')).toHaveLength(2);
    await rollouts.expectSentOnce(IN_FLIGHT);
  },
  PATIENCE_MS,
);

it(
  'killed when it is held for lost answers, a rollout sends nothing more until another approver resumes it',
  async () => {
    await rollouts.failCommands(500, MOST_LOST);
    people.killAt('rollout.braked');
    await rollouts.ask(14, 'waves:14 brake:14');
    const shown = await card();
    await rollouts.press(shown, 'approver', 'approve');
    await until(async () => !(await people.state()).bot.running, { what: 'the kill at the hold' });
    await revive();
    await people.advance('5m');
    expect(await rollouts.hold()).toMatchObject({ kind: 'unanswered', sends: 5 });
    const sent = (await rollouts.sent()).length;
    expect(sent).toBeLessThanOrEqual(MOST_LOST);
    const held = await people.card(shown.channel, (one) =>
      messageText(one).includes('Stopped automatically'),
    );
    expect(JSON.stringify(held.blocks)).toContain(
      'Stopped automatically: the last 5 commands got no clear answer',
    );
    await rollouts.press(held, 'operator', 'control:resume');
    await people.advance('5m');
    expect(await rollouts.sent()).toHaveLength(sent);
    await people.clearFaults();
    await rollouts.press(held, 'approver2', 'control:resume');
    await goOn();
    expect((await rollouts.sent()).length).toBeGreaterThanOrEqual(14 - IN_FLIGHT);
    const unknown = (await rollouts.targets()).filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThanOrEqual(5);
    expect((await rollouts.targets()).filter(({ state }) => state === 'verified')).toHaveLength(
      14 - unknown.length,
    );
    await rollouts.expectSentOnce(MOST_LOST);
  },
  PATIENCE_MS,
);
