/** The product is killed right after a request, and started again days later. */
import { describe, expect, it, vi } from 'vitest';
import { openedByPress } from '../../harness/decide-in-window.ts';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard, stateOf } from '../harness/sandbox-people.ts';
import { startKillableSandbox } from './killable-sandbox.ts';

// The product starts twice and more, which a busy machine does slowly.
vi.setConfig({ testTimeout: 180_000 });

const people = useReset(startKillableSandbox);

/** Waits until it has ended, lets `time` pass and starts it again. */
const reviveAfter = async (time: string) => {
  await until(async () => !(await people.state()).bot.running, { what: 'the product to end' });
  await people.advance(time);
  await people.bot({ do: 'start' });
};
const type = (text: string) => people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
const notified = () =>
  until(async () => {
    const messages = await people.messages('@operator', 'operator');
    return messages.find((one) => cardKeyIn(one)?.startsWith('told:'));
  });
const approvalCard = () => people.card('approvals', ({ text }) => text.includes('web-01'));

describe('killed after a scan was requested', () => {
  it('and started in time: it is sent once, and its card reaches verified', async () => {
    people.killAt('request.recorded');
    await type('scan web-01');
    await reviveAfter('10m');
    await people.becomes(
      await people.card('ops', ({ text }) => text.includes(': Scan web-01\n')),
      'verified',
    );
    expect(await people.writes()).toHaveLength(1);
  });

  it('and started later than the configuration allows: nothing is sent', async () => {
    people.configure('changes: {maxAge: 1m}');
    people.killAt('request.recorded');
    await type('scan web-01');
    await reviveAfter('2m');
    const card = await people.card('ops', (one) => stateOf(one) === 'not_sent');
    expect(messageText(card)).toContain('Changes older than 1 minute are not sent');
    expect(await people.writes()).toEqual([]);
  });
});

describe('killed, and started much later', () => {
  it('after a scan was requested: nothing is sent, card and requester say so, and it can be requested again', async () => {
    people.killAt('request.recorded');
    await type('scan web-01');
    await reviveAfter('72h');
    const card = await people.card('ops', (one) => stateOf(one) === 'not_sent');
    expect(messageText(card)).toContain('Too late. It was requested');
    await people.advance('30m');
    expect(await people.writes()).toEqual([]);
    const message = await notified();
    expect(message.text).toMatch(/^▫️ Not sent\. Your request: Scan web-01\n/);
    expect([actionIdsOf(card), actionIdsOf(message)]).toEqual([['again', 'device'], ['again']]);

    await people.push('operator', card, 'again');
    const anew = await people.card(
      'ops',
      ({ ts, text }) => ts !== card.ts && text.includes(': Scan web-01\n'),
    );
    await people.becomes(anew, 'verified');
    expect(await people.writes()).toHaveLength(1);
  });

  it('after a reboot was approved: nothing is sent, and nobody is asked again', async () => {
    await type('reboot web-01 because kernel');
    const card: PostedCard = await approvalCard();
    people.killAt('request.decided');
    await people.push('approver', card, 'approve');
    await reviveAfter('16m');
    const ended = await people.becomes(card, 'not_sent', '1m');
    expect(messageText(ended)).toContain('Too late. It was approved');
    expect(actionIdsOf(ended)).toEqual(['again', 'device']);
    expect((await notified()).text).toMatch(/^▫️ Not sent\. Your request: Reboot web-01\n/);
    expect(await people.writes()).toEqual([]);
  });
});

describe('killed with a press that was stored, before it is acknowledged', () => {
  const directly = (begin: string) =>
    until(async () => {
      const messages = await people.messages('@operator', 'operator');
      return messages.find(({ text }) => text.startsWith(begin));
    });

  it('a press that asks for a scan is not carried out three days later, and may be requested again', async () => {
    const answer = await people.runs('operator', 'device web-01');
    const pressed = { user: 'operator', channel: 'ops', ts: answer.ts, action_id: 'scan' };
    const window = await openedByPress(people, 'operator', () => people.click(pressed));
    people.killAt('inbox.recorded');
    await people.submit({ user: 'operator', view_id: window?.id ?? '', values: {} });
    await reviveAfter('72h');
    const message = await directly('▫️ *Not sent:* `/fleet scan web-01`');
    await people.advance('30m');
    expect(await people.writes()).toEqual([]);
    expect(actionIdsOf(message)).toEqual(['again']);
    const again = await people.presses('operator', { ...message, channel: '@operator' }, 'again');
    expect(again.text).toMatch(/scan (of )?web-01/i);
    await until(async () => (await people.writes()).length === 1);
  });

  it.each([
    ['10m', 'denied'],
    ['72h', 'expired'],
  ])('a denial counts %s later as long as its request lives: %s', async (time, state) => {
    await type('reboot web-01 because kernel');
    const card = await approvalCard();
    const window = await people.opens('approver', card, 'deny');
    people.killAt('inbox.recorded');
    await people.submit({ user: 'approver', view_id: window.id, values: {} });
    await reviveAfter(time);
    await people.becomes(card, state, '1m');
    expect(await people.writes()).toEqual([]);
  });
});
