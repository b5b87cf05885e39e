/** The product ends by SIGKILL at each named point and is started again: nothing may be lost or happen twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { type MortalTown, startMortalTown } from './mortal-town.ts';
import { type Card, keyOf, stateOf, wordsOf } from './town.ts';

let town: MortalTown;

beforeAll(async () => {
  town = await startMortalTown();
});
afterAll(() => town.stop());
beforeEach(async () => {
  await town.reset();
});

const dead = () => until(async () => !(await town.state()).bot.running, { what: 'the product to end' });
const revive = async () => {
  await dead();
  await town.bot({ do: 'start' });
};
const onlyCard = async (channel: string): Promise<Card> => {
  const card = await town.card(channel, () => true);
  expect(await town.posts(channel)).toHaveLength(1);
  return card;
};

/** Asks for a reboot without waiting for an answer, which a kill may cost. */
const ask = () =>
  town.command({ user: 'operator', channel: 'ops', command: '/fleet', text: 'reboot web-01 because kernel' });
const approve = (card: Card) =>
  town.click({ user: 'approver', channel: card.channel, ts: card.ts, action_id: 'approve' });

describe('killed while a request is made', () => {
  it.each(['approval.recorded', 'card.attempted', 'card.posted'] as const)(
    'at %s: one card is posted, and it can be approved',
    async (step) => {
      town.killAt(step);
      await ask();
      await revive();
      await town.advance('5m');
      const card = await onlyCard('approvals');
      expect(stateOf(card)).toBe('waiting');
      await approve(card);
      await town.becomes(card, 'verified');
      expect(await town.posts('approvals')).toHaveLength(1);
      expect(await town.writes()).toHaveLength(1);
    },
  );
});

describe('killed while a request is decided and carried out', () => {
  it.each(['approval.decided', 'operation.accepted', 'operation.verified'] as const)(
    'at %s: the command is sent once and its card reaches verified',
    async (step) => {
      await ask();
      const card = await onlyCard('approvals');
      town.killAt(step);
      await approve(card);
      if (step === 'operation.verified') await town.advance('10m');
      await revive();
      await town.becomes(card, 'verified');
      expect(await town.posts('approvals')).toHaveLength(1);
      expect(await town.writes()).toHaveLength(1);
    },
  );

  it('at operation.sent: the command is found in the queue, not sent again, and followed to its proof', async () => {
    await ask();
    const card = await onlyCard('approvals');
    town.killAt('operation.sent');
    await approve(card);
    await revive();
    await town.becomes(card, 'verified');
    expect(await town.writes()).toHaveLength(1);
  });

  it('at operation.claimed: nothing was sent, nothing is sent, and the card says that it is not known', async () => {
    await ask();
    const card = await onlyCard('approvals');
    town.killAt('operation.claimed');
    await approve(card);
    await revive();
    const unknown = await town.becomes(card, 'unknown');
    await town.advance('2h');
    expect(await town.writes()).toEqual([]);
    expect(stateOf(await town.becomes(unknown, 'unknown'))).toBe('unknown');
    expect(wordsOf(unknown)).toMatch(/not known|unknown/i);
  });
});

describe('killed while a channel is told', () => {
  it.each(['poll.fetched', 'poll.committed', 'card.attempted', 'card.posted'] as const)(
    'at %s: every failure is told once',
    async (step) => {
      town.killAt(step);
      await town.world({ do: 'patch-fails', device: 'web-01', reason: 'one' });
      await town.world({ do: 'patch-fails', device: 'web-02', reason: 'two' });
      await town.advance('20s');
      await revive();
      await town.advance('5m');
      const alerts = await until(async () => {
        const posts = await town.posts('patch-alerts');
        return posts.length >= 2 ? posts : null;
      });
      expect(new Set(alerts.map(keyOf)).size).toBe(2);
      await town.advance('2m');
      expect(await town.posts('patch-alerts')).toHaveLength(2);
    },
  );

  it.each(['poll.fetched', 'poll.committed', 'card.attempted', 'card.posted'] as const)(
    'at %s: a storm is one card with every device',
    async (step) => {
      town.killAt(step);
      await town.world({ do: 'storm', count: 20, patch: 'acme-agent', reason: 'gone' });
      await town.advance('20s');
      await revive();
      await town.world({ do: 'storm', count: 10, patch: 'acme-agent', reason: 'gone' });
      await town.advance('2m');
      await town.card('patch-alerts', (card) => wordsOf(card).includes('30 patch failures'));
      expect(await town.posts('patch-alerts')).toHaveLength(1);
    },
  );
});
