/** The product is killed at each failpoint and started again: nothing may be lost or happen twice. */
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard, stateOf } from '../harness/sandbox-people.ts';
import { startKillableSandbox } from './killable-sandbox.ts';

// The product starts twice and more, which a busy machine does slowly.
vi.setConfig({ testTimeout: 180_000 });

const people = useReset(startKillableSandbox);

const dead = () => until(async () => !(await people.state()).bot.running, { what: 'the product to end' });
const revive = async () => {
  await dead();
  await people.bot({ do: 'start' });
};
const onlyCard = async (channel: string): Promise<PostedCard> => {
  const card = await people.card(channel, () => true);
  expect(await people.posts(channel)).toHaveLength(1);
  return card;
};

/** Requests a reboot without waiting for an answer, which a kill may lose. */
const ask = () =>
  people.command({
    user: 'operator',
    channel: 'ops',
    command: '/fleet',
    text: 'reboot web-01 because kernel',
  });
/** On how many devices the patch failed, by the service's own log. */
async function failing(patch: string): Promise<number> {
  const { management, organization } = await people.state();
  const query = `o=${organization.id}&limit=500&eventName=system.patch.failed`;
  const headers = { authorization: `Bearer ${management.apiKey}` };
  const rows = await (await fetch(`${management.baseUrl}/events?${query}`, { headers })).json();
  const failed = rowSchema.parse(rows).filter(({ data }) => data?.patches === `"${patch}"`);
  return new Set(failed.map(({ server_id: device }) => device)).size;
}
const rowSchema = z.array(
  z.looseObject({
    server_id: z.number().nullable(),
    data: z.looseObject({ patches: z.string().optional() }).nullable(),
  }),
);
const approve = (card: PostedCard) => people.push('approver', card, 'approve');

describe('killed while a request is made', () => {
  it.each(['request.recorded', 'card.attempted', 'card.posted'] as const)(
    'at %s: one card is posted, and it can be approved',
    async (step) => {
      people.killAt(step);
      await ask();
      await revive();
      await people.advance('5m');
      const card = await onlyCard('approvals');
      expect(stateOf(card)).toBe('waiting');
      await approve(card);
      await people.becomes(card, 'verified');
      expect(await people.posts('approvals')).toHaveLength(1);
      expect(await people.writes()).toHaveLength(1);
    },
  );
});

describe('killed while a request is decided and carried out', () => {
  it.each(['request.decided', 'target.recorded', 'target.verified'] as const)(
    'at %s: the command is sent once and its card reaches verified',
    async (step) => {
      await ask();
      const card = await onlyCard('approvals');
      people.killAt(step);
      await approve(card);
      if (step === 'target.verified') await people.advance('10m');
      await revive();
      await people.becomes(card, 'verified');
      expect(await people.posts('approvals')).toHaveLength(1);
      expect(await people.writes()).toHaveLength(1);
    },
  );

  it('at request.decided of several in one window: the others are decided by the next start, each once', async () => {
    for (const device of ['web-01', 'web-02', 'web-03']) await people.runs('operator', `reboot ${device}`);
    const list = { ...(await people.runs('approver', 'approvals')), channel: 'ops' };
    const window = await people.opens('approver', list, 'several:0');
    const blocks = window.blocks as readonly { readonly block_id: string }[]; // as the bot sent them
    const marks = blocks.map(({ block_id: id }) => id).filter((id) => id.startsWith('mark:'));
    const values = Object.fromEntries(marks.map((id) => [id, { [id]: id.slice('mark:'.length) }]));
    people.killAt('request.decided');
    await people.submit({
      ...{ user: 'approver', view_id: window.id },
      values: { ...values, marked: { marked: 'deny' } },
    });
    await revive();
    const answers = () => people.messages('ops', 'approver');
    await until(async () => (await answers()).some(({ text }) => text.startsWith('You denied 3 requests.')));
    const cards = await people.posts('approvals');
    expect(cards.map(stateOf)).toEqual(['denied', 'denied', 'denied']);
    const told = async () =>
      (await people.messages('@operator', 'operator')).filter(({ text }) => text.includes('Denied'));
    await until(async () => (await told()).length === 3, { what: 'a message about each' });
  });

  it('at target.sent: the command is found in the queue, not sent again, and followed to its proof', async () => {
    await ask();
    const card = await onlyCard('approvals');
    people.killAt('target.sent');
    await approve(card);
    await revive();
    await people.becomes(card, 'verified');
    expect(await people.writes()).toHaveLength(1);
  });

  it('at target.claimed: nothing was sent, nothing is sent, and the card says that it is not known', async () => {
    await ask();
    const card = await onlyCard('approvals');
    people.killAt('target.claimed');
    await approve(card);
    await revive();
    const unknown = await people.becomes(card, 'unknown');
    await people.advance('2h');
    expect(await people.writes()).toEqual([]);
    expect(stateOf(await people.becomes(unknown, 'unknown'))).toBe('unknown');
    expect(messageText(unknown)).toMatch(/not known|unknown/i);
  });
});

describe('killed while a channel is notified', () => {
  it.each(['poll.fetched', 'poll.committed', 'card.attempted', 'card.posted'] as const)(
    'at %s: every failure is posted once',
    async (step) => {
      people.killAt(step);
      await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'one' });
      await people.world({ do: 'patch-fails', device: 'web-02', patch: 'curl', reason: 'two' });
      await people.advance('20s');
      await revive();
      await people.advance('5m');
      const alerts = await until(async () => {
        const posts = await people.posts('patch-alerts');
        return posts.length >= 2 ? posts : null;
      });
      expect(new Set(alerts.map(cardKeyIn)).size).toBe(2);
      await people.advance('2m');
      expect(await people.posts('patch-alerts')).toHaveLength(2);
    },
  );

  it.each(['poll.fetched', 'poll.committed', 'card.attempted', 'card.posted'] as const)(
    'at %s: grouped alerts are one card with every device',
    async (step) => {
      people.killAt(step);
      await people.world({ do: 'storm', count: 20, patch: 'acme-agent', reason: 'gone' });
      await people.advance('20s');
      await revive();
      await people.world({ do: 'storm', count: 10, patch: 'acme-agent', reason: 'gone' });
      await people.advance('2m');
      const devices = await failing('acme-agent');
      await people.card('patch-alerts', (card) => messageText(card).includes(`${devices} devices`));
      expect(await people.posts('patch-alerts')).toHaveLength(1);
    },
  );
});

describe('killed while a line is posted in the thread of a rollout', () => {
  it.each(['card.attempted', 'card.posted'] as const)('at %s: the line is there once', async (step) => {
    await people.command({
      user: 'operator',
      channel: 'ops',
      command: '/fleet',
      text: 'reboot web-01,web-02 waves:1,100% because kernel',
    });
    const card = await onlyCard('approvals');
    await approve(card);
    const running = await people.card('approvals', (one) => actionIdsOf(one).includes('control:pause'));
    people.killAt(step);
    await people.click({
      user: 'operator',
      channel: 'approvals',
      ts: running.ts,
      action_id: 'control:pause',
    });
    await revive();
    await people.advance('5m');
    const lines = async () =>
      (await people.posts('approvals')).filter(
        ({ thread_ts: thread, text }) => thread === card.ts && text.includes('Paused by'),
      );
    await until(async () => (await lines()).length > 0, { what: 'the line' });
    await people.advance('10m');
    expect(await lines()).toHaveLength(1);
  });
});
