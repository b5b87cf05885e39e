import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId } from '../../../src/lib/ids.ts';
import {
  CHANNEL,
  enqueueCard,
  enqueueOtherCard,
  enqueueUpdate,
  KEY,
  outboxWorld,
  settleCalls,
  texts,
} from './outbox-harness.ts';

describe('a card', () => {
  it('is posted once and then edited in place', async () => {
    await enqueueCard();
    await settleCalls();
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(MINUTE);
    expect(outboxWorld().web.messages).toMatchObject([{ text: 'second', channel: CHANNEL, edits: 1 }]);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('is not posted twice when the answer to the post was lost', async () => {
    outboxWorld().web.next('post', { kind: 'lost' });
    await enqueueCard();
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(1);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({
      ts: outboxWorld().web.messages[0]?.ts,
      failure: null,
    });
  });

  it('shows the newest state when it was found again after a lost answer', async () => {
    outboxWorld().web.next('post', { kind: 'lost' });
    await enqueueCard();
    await settleCalls(0);
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(5 * MINUTE);
    expect(outboxWorld().web.messages).toMatchObject([{ text: 'second' }]);
  });

  it('is posted again when the look-up does not find it', async () => {
    outboxWorld().web.next('post', { kind: 'uncertain', detail: 'reset', inFlight: false });
    await enqueueCard();
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(1);
    outboxWorld().passed += 5 * SECOND;
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(2);
  });

  it('is not posted while Slack cannot say whether it exists already', async () => {
    outboxWorld().web.next('post', { kind: 'lost' });
    outboxWorld().web.next(
      'history',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'fatal_error' },
    );
    await enqueueCard();
    await settleCalls(10 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('waits as long as Slack asks, and so do the others', async () => {
    outboxWorld().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await enqueueCard();
    await settleCalls();
    await enqueueOtherCard('notice:n2');
    await settleCalls(20 * SECOND);
    expect(outboxWorld().web.posts()).toBe(1);
    await settleCalls(20 * SECOND);
    expect(outboxWorld().web.messages).toHaveLength(2);
  });

  it('goes to its person’s direct message where the bot is no member of the channel', async () => {
    outboxWorld().web.next('post', { kind: 'refused', error: 'not_in_channel' });
    await enqueueCard('U0OPERATOR');
    await settleCalls();
    expect(outboxWorld().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(MINUTE);
    expect(outboxWorld().web.messages).toMatchObject([{ channel: 'DU0OPERATOR', text: 'second' }]);
  });

  it('that was lost on its way to the direct message is found there', async () => {
    outboxWorld().web.next('post', { kind: 'refused', error: 'not_in_channel' }, { kind: 'lost' });
    await enqueueCard('U0OPERATOR');
    await settleCalls(5 * MINUTE);
    expect(outboxWorld().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
  });

  it('whose post may still be under way is looked for, and not posted again for a minute', async () => {
    outboxWorld().web.next('post', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    await enqueueCard();
    await settleCalls(5 * MINUTE);
    expect(outboxWorld().web.posts()).toBe(1);
    outboxWorld().passed += MINUTE;
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(2);
    expect(texts()).toEqual(['first']);
  });

  it('whose edit may still be under way is edited once more when that has settled, and when it was watched', async () => {
    await enqueueCard();
    await settleCalls();
    outboxWorld().web.next('update', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(5 * MINUTE);
    const edits = outboxWorld().web.messages[0]?.edits ?? 0;
    expect(texts()).toEqual(['second']);
    outboxWorld().passed += MINUTE;
    await settleCalls(2 * MINUTE);
    expect(outboxWorld().web.messages[0]?.edits).toBe(edits + 1);
    outboxWorld().passed += 3 * MINUTE;
    await settleCalls(10 * MINUTE);
    expect(outboxWorld().web.messages[0]?.edits).toBe(edits + 2);
    outboxWorld().passed += 3 * MINUTE;
    await settleCalls(10 * MINUTE);
    expect(outboxWorld().web.messages[0]?.edits).toBe(edits + 2);
  });

  it('that another holder posted again meanwhile stays there', async () => {
    await enqueueCard();
    await settleCalls();
    const { store, web } = outboxWorld();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const second = await web.post(CHANNEL, outboxWorld().drawn());
    if (second.kind !== 'ok') throw new Error('not posted');
    outboxWorld().meanwhile = async () => {
      outboxWorld().meanwhile = null;
      await store.cards.recordRemoved(KEY, first);
      await store.cards.recordPosted(KEY, { ...second.value, revision: 0 });
    };
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    await enqueueUpdate();
    await settleCalls(MINUTE);
    expect(web.posts()).toBe(2);
    expect(await store.cards.get(KEY)).toMatchObject({ ts: second.value.ts });
  });

  it.each(['the replica that noticed it', 'another replica'])(
    'that waits because the bot is in no channel is posted by %s once it is invited',
    async (who) => {
      const { web, store, clock } = outboxWorld();
      const refusal = { kind: 'refused', error: 'not_in_channel' } as const;
      web.next('post', refusal, refusal);
      await enqueueOtherCard('notice:n1');
      await settleCalls(20 * MINUTE);
      await enqueueOtherCard('notice:n2');
      await settleCalls();
      expect([web.posts(), web.messages.length]).toEqual([2, 0]);
      if (who === 'another replica') await store.cards.resumeUnposted(CHANNEL, clock.now());
      else await outboxWorld().cards.resume(CHANNEL);
      outboxWorld().worker.wake();
      await settleCalls();
      expect([web.posts(), web.messages.length]).toEqual([4, 2]);
    },
  );

  it('that was given up leaves no call that later reads search for', async () => {
    const { store, web } = outboxWorld();
    web.next(
      'post',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await enqueueOtherCard('approval:a1');
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    await settleCalls(10 * MINUTE);
    expect(outboxWorld().refused).toEqual(['approval:a1 not_in_channel']);
    expect(await store.cardCalls.postsIn(CHANNEL, outboxWorld().clock.now())).toEqual([]);
  });

  it('that was throttled is posted without a search, because it certainly does not exist', async () => {
    outboxWorld().web.next('post', { kind: 'throttled', retryAfterMs: SECOND });
    outboxWorld().web.next('history', { kind: 'refused', error: 'a look would fail' });
    await enqueueCard();
    await settleCalls(10 * SECOND);
    expect(texts()).toEqual(['first']);
  });

  it('of another channel is not held up by one that Slack throttles', async () => {
    outboxWorld().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await enqueueCard();
    await settleCalls();
    const other = channelId('C0APPROVALS');
    await enqueueOtherCard('approval:a1', other);
    outboxWorld().worker.wake();
    await settleCalls(SECOND);
    expect(outboxWorld().web.messages).toMatchObject([{ channel: other }]);
  });

  it('is posted as text when Slack does not take its blocks', async () => {
    outboxWorld().web.next('post', { kind: 'refused', error: 'invalid_blocks' });
    await enqueueCard();
    await settleCalls();
    expect(outboxWorld().web.messages).toMatchObject([{ text: 'first', blocks: [] }]);
  });
});
