/** The product ends by SIGKILL right after it was asked for something, and is started again days later. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { type MortalTown, startMortalTown } from './mortal-town.ts';
import { actionsOf, type Card, keyOf, stateOf, wordsOf } from './town.ts';

let town: MortalTown;

beforeAll(async () => {
  town = await startMortalTown();
});
afterAll(() => town.stop());
beforeEach(async () => {
  await town.reset();
});

/** Once it has ended, lets `time` pass and starts it again. */
const reviveAfter = async (time: string) => {
  await until(async () => !(await town.state()).bot.running, { what: 'the product to end' });
  await town.advance(time);
  await town.bot({ do: 'start' });
};
const type = (text: string) => town.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
const told = () =>
  until(async () => {
    const messages = await town.messages('@operator', 'operator');
    return messages.find((one) => keyOf(one)?.startsWith('told:'));
  });
const approvalCard = () => town.card('approvals', ({ text }) => text.includes('web-01'));

describe('killed after a scan was asked for', () => {
  it('and started in time: it is sent once, and its card reaches verified', async () => {
    town.killAt('operation.recorded');
    await type('scan web-01');
    await reviveAfter('10m');
    await town.becomes(await town.card('ops', ({ text }) => text.includes(': Scan web-01')), 'verified');
    expect(await town.writes()).toHaveLength(1);
  });

  it('and started later than the configuration allows: nothing is sent', async () => {
    town.configure('changes: {maxAge: 1m}');
    town.killAt('operation.recorded');
    await type('scan web-01');
    await reviveAfter('2m');
    const card = await town.card('ops', (one) => stateOf(one) === 'not_sent');
    expect(wordsOf(card)).toContain('Changes older than 1 minute are not sent');
    expect(await town.writes()).toEqual([]);
  });
});

describe('killed, and started much later', () => {
  it('after a scan was asked for: nothing is sent, its card and the one who asked are told, and it is asked for anew', async () => {
    town.killAt('operation.recorded');
    await type('scan web-01');
    await reviveAfter('72h');
    const card = await town.card('ops', (one) => stateOf(one) === 'not_sent');
    expect(wordsOf(card)).toContain('Too late. It was requested');
    await town.advance('30m');
    expect(await town.writes()).toEqual([]);
    const message = await told();
    expect(message.text).toMatch(/^▫️ Not sent\. Your request: Scan web-01\n/);
    expect([actionsOf(card), actionsOf(message)]).toEqual([['again', 'device'], ['again']]);

    await town.push('operator', card, 'again');
    const anew = await town.card('ops', ({ ts, text }) => ts !== card.ts && text.includes(': Scan web-01'));
    await town.becomes(anew, 'verified');
    expect(await town.writes()).toHaveLength(1);
  });

  it('after a device was renamed: the newer name stays', async () => {
    town.killAt('operation.recorded');
    await type('device-edit web-01 name:"old wish"');
    await reviveAfter('72h');
    const card = await town.card('ops', (one) => stateOf(one) === 'not_sent');
    expect(wordsOf(card)).toContain('Too late. It was requested');
    expect(await town.writes()).toEqual([]);
    expect((await town.asks('operator', 'device web-01')).text).not.toContain('old wish');
  });

  it('after a reboot was approved: nothing is sent, and nobody is asked again', async () => {
    await type('reboot web-01 because kernel');
    const card: Card = await approvalCard();
    town.killAt('approval.decided');
    await town.push('approver', card, 'approve');
    await reviveAfter('16m');
    const ended = await town.becomes(card, 'not_sent', '1m');
    expect(wordsOf(ended)).toContain('Too late. It was approved');
    expect(actionsOf(ended)).toEqual(['again', 'device']);
    expect((await told()).text).toMatch(/^▫️ Not sent\. Your request: Reboot web-01\n/);
    expect(await town.writes()).toEqual([]);
  });

  it('after a scan was claimed: it is looked for, and never sent again', async () => {
    town.killAt('operation.sent');
    await type('scan web-01');
    await reviveAfter('72h');
    await town.card('ops', (one) => ['verified', 'not_verified', 'unknown'].includes(stateOf(one) ?? ''));
    await town.advance('30m');
    expect(await town.writes()).toHaveLength(1);
  });
});

describe('killed with a press or a form that was stored, before it is acknowledged', () => {
  const directly = (begin: string) =>
    until(async () => {
      const messages = await town.messages('@operator', 'operator');
      return messages.find(({ text }) => text.startsWith(begin));
    });

  it('a press that asks for a scan is not carried out three days later, and may be requested again', async () => {
    const answer = await town.asks('operator', 'device web-01');
    town.killAt('press.recorded');
    await town.click({ user: 'operator', channel: 'ops', ts: answer.ts, action_id: 'scan' });
    await reviveAfter('72h');
    const message = await directly('▫️ *Not sent:* `/fleet scan web-01`');
    await town.advance('30m');
    expect(await town.writes()).toEqual([]);
    expect(actionsOf(message)).toEqual(['again']);
    const again = await town.presses('operator', { ...message, channel: '@operator' }, 'again');
    expect(again.text).toMatch(/scan web-01/i);
    await until(async () => (await town.writes()).length === 1);
  });

  it('a form that asks for a scan is not carried out three days later', async () => {
    const user = 'operator';
    await town.command({ user, channel: 'ops', command: '/fleet', text: 'scan' });
    const form = await until(async () => {
      const shown = (await town.views(user)).modals.at(-1);
      return JSON.stringify(shown ?? {}).includes('Scan a device') ? shown : null;
    });
    await until(async () => {
      const search = { view_id: form.id, block_id: 'device', action_id: 'search_device', value: 'web-01' };
      const { options = [] } = await town.suggest({ user, ...search });
      return JSON.stringify(options).includes('4001') ? options : null;
    });
    town.killAt('form.recorded');
    await town.submit({ user, view_id: form.id, values: { device: { search_device: '4001' } } });
    await reviveAfter('72h');
    await directly('▫️ *Not sent:* `/fleet scan web-01`');
    await town.advance('30m');
    expect(await town.writes()).toEqual([]);
  });

  it.each([
    ['10m', 'denied'],
    ['72h', 'expired'],
  ])('a denial counts %s later as long as its request lives: %s', async (time, state) => {
    await type('reboot web-01 because kernel');
    const card = await approvalCard();
    town.killAt('press.recorded');
    await town.click({ user: 'approver', channel: 'approvals', ts: card.ts, action_id: 'deny' });
    await reviveAfter(time);
    await town.becomes(card, state, '1m');
    expect(await town.writes()).toEqual([]);
  });
});
