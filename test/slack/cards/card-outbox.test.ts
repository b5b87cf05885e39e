import { describe, expect, it } from 'vitest';
import { HOUR, instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { CardKey } from '../../../src/store/port/records.ts';
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

/** Not of an alert. */
const REQUEST: CardKey = 'approval:r_1';

/** Slack says so often that the card is gone. */
const gone = (error: string, times: number) =>
  Array.from({ length: times }, () => ({ kind: 'refused', error }) as const);

async function updateRequest(shown: string): Promise<void> {
  outboxWorld().shown = shown;
  await outboxWorld().store.cards.enqueueUpdate(REQUEST, outboxWorld().clock.now());
}

/** The first message is found in the history at the time that its timestamp says, as with Slack. */
function placeByTimestamp(): void {
  const [first] = outboxWorld().web.messages;
  if (first === undefined) throw new Error('no card');
  outboxWorld().web.messages[0] = { ...first, at: instant(Number(first.ts) * 1_000) };
}

describe('a card', () => {
  it('of a request is given up when the channel will never accept it, and that is reported', async () => {
    const key = 'approval:a1';
    outboxWorld().web.next('post', { kind: 'refused', error: 'is_archived' });
    await enqueueOtherCard(key);
    await settleCalls();
    expect(outboxWorld().refused).toEqual([`${key} is_archived`]);
    expect(await outboxWorld().store.cards.get(key)).toMatchObject({ failure: 'is_archived', ts: null });
    await settleCalls(20 * MINUTE);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('of an alert waits until its channel accepts it again', async () => {
    outboxWorld().web.next(
      'post',
      { kind: 'refused', error: 'not_in_channel' },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await enqueueCard();
    await settleCalls(9 * MINUTE);
    expect(outboxWorld().web.messages).toEqual([]);
    await settleCalls(30 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().refused).toEqual([]);
  });

  it('of an alert is tried rarely while its channel refuses, and all are posted when it accepts', async () => {
    const news = Array.from({ length: 40 }, (_, at): CardKey => `notice:n${at}`);
    const closed = { kind: 'refused', error: 'is_archived' } as const;
    outboxWorld().web.next('post', ...news.map(() => closed));
    for (const key of news) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBeLessThan(10);
    await settleCalls(12 * HOUR);
    expect(outboxWorld().web.messages).toHaveLength(40);
    expect(outboxWorld().web.posts()).toBe(80);
  });

  it('that waits for a decision is posted again when somebody deleted it', async () => {
    await enqueueCard();
    await settleCalls();
    outboxWorld().web.next('update', { kind: 'refused', error: 'message_not_found' });
    await enqueueUpdate();
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(2);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ failure: null });
  });

  it('to which alerts were added waits for its channel where that was archived meanwhile', async () => {
    outboxWorld().state = 'storm';
    await enqueueCard();
    await settleCalls();
    outboxWorld().web.next(
      'update',
      { kind: 'refused', error: 'is_archived' },
      { kind: 'refused', error: 'is_archived' },
    );
    outboxWorld().shown = 'two of them';
    await enqueueUpdate();
    await settleCalls(9 * MINUTE);
    expect(texts()).toEqual(['first']);
    await settleCalls(30 * MINUTE);
    expect(texts()).toEqual(['two of them']);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('is not given up where alerts were added while its edit was refused', async () => {
    outboxWorld().state = 'posted';
    await enqueueCard();
    await settleCalls();
    outboxWorld().web.next('update', { kind: 'refused', error: 'message_not_found' });
    outboxWorld().meanwhile = async () => {
      outboxWorld().meanwhile = null;
      Object.assign(outboxWorld(), { state: 'storm', shown: 'two of them' });
      await enqueueUpdate();
    };
    await enqueueUpdate();
    await settleCalls(MINUTE);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ failure: null });
    expect(texts().at(-1)).toBe('two of them');
  });

  it.each(
    ['message_not_found', 'cant_update_message', 'edit_window_closed'].flatMap((error) =>
      ['storm', 'posted'].map((state) => [state, error] as const),
    ),
  )('of an alert (%s) is posted anew on %s, once, and the old one is removed', async (state, error) => {
    outboxWorld().state = state;
    await enqueueCard();
    await settleCalls();
    placeByTimestamp();
    outboxWorld().web.next('update', { kind: 'refused', error });
    outboxWorld().shown = 'later';
    await enqueueUpdate();
    await settleCalls(HOUR);
    expect(texts()).toEqual(['later']);
    expect(outboxWorld().web.posts()).toBe(2);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ failure: null });
  });

  it('that shows what is no longer true and cannot be edited is posted anew in every state', async () => {
    outboxWorld().state = 'running';
    await enqueueOtherCard(REQUEST);
    await settleCalls();
    placeByTimestamp();
    Object.assign(outboxWorld(), { state: 'verified', shown: 'verified' });
    outboxWorld().web.next('update', { kind: 'refused', error: 'edit_window_closed' });
    await outboxWorld().store.cards.enqueueUpdate(REQUEST, outboxWorld().clock.now());
    await settleCalls(HOUR);
    expect(texts()).toEqual(['verified']);
  });

  it('is kept while the token is refused, and posted when it works again', async () => {
    outboxWorld().web.next(
      'post',
      { kind: 'refused', error: 'token_revoked' },
      { kind: 'refused', error: 'token_revoked' },
    );
    await enqueueCard();
    await settleCalls(10 * MINUTE);
    expect(texts()).toEqual(['first']);
  });

  it('with a completion message is tried for a day, and then recorded in the audit as undelivered', async () => {
    const key: CardKey = 'told:operation:o_1';
    const ann = personId('U0ANN');
    const unknown = { kind: 'refused', error: 'fatal_error' } as const;
    outboxWorld().web.next('post', ...Array.from({ length: 400 }, () => unknown));
    await outboxWorld().store.cards.enqueue({
      key,
      channel: channelId('U0ANN'),
      fallbackPerson: ann,
      dueAt: outboxWorld().clock.now(),
    });
    for (let hours = 0; hours < 22; hours += 1) await outboxWorld().clock.advance(HOUR);
    expect(await outboxWorld().store.cards.get(key)).toMatchObject({ failure: null });
    for (let hours = 0; hours < 4; hours += 1) await outboxWorld().clock.advance(HOUR);
    expect(await outboxWorld().store.cards.get(key)).toMatchObject({ failure: 'fatal_error' });
    expect(await outboxWorld().store.work.nextDue()).toBeNull();
    const [line] = await outboxWorld().store.audit.list(0, 10);
    expect(line).toMatchObject({
      actor: 'patchbay',
      action: 'outcome.untold',
      subject: 'operation:o_1',
      detail: { person: 'U0ANN', error: 'fatal_error' },
    });
    expect(outboxWorld().web.messages).toEqual([]);
  });

  it('that nobody has to decide any more is not posted again when somebody deleted it', async () => {
    outboxWorld().state = 'verified';
    await enqueueOtherCard(REQUEST);
    await settleCalls();
    outboxWorld().web.next('update', ...gone('message_not_found', 3));
    await updateRequest('verified');
    await settleCalls(10 * MINUTE);
    expect(outboxWorld().web.posts()).toBe(1);
    expect(await outboxWorld().store.cards.get(REQUEST)).toMatchObject({ failure: 'message_not_found' });
    expect(await outboxWorld().store.work.nextDue()).toBeNull();
  });

  it.each(['channel_not_found', 'is_archived', 'message_not_found'])(
    'of a request of which Slack says once in error that it is gone (%s) shows its last state all the same',
    async (error) => {
      outboxWorld().state = 'verified';
      await enqueueOtherCard(REQUEST);
      await settleCalls();
      outboxWorld().web.next('update', ...gone(error, 1));
      await updateRequest('verified, and shown');
      await settleCalls(3 * MINUTE);
      expect(texts()).toEqual(['verified, and shown']);
      expect(outboxWorld().refused).toEqual([]);
    },
  );

  it('that was given up for one state is edited for the next, and ends once more where it is gone', async () => {
    await enqueueOtherCard(REQUEST);
    await settleCalls();
    outboxWorld().web.next('update', ...gone('channel_not_found', 3));
    await updateRequest('running');
    await settleCalls(HOUR);
    expect(outboxWorld().refused).toEqual([`${REQUEST} channel_not_found`]);
    await updateRequest('verified');
    await settleCalls(MINUTE);
    expect(texts()).toEqual(['verified']);
    outboxWorld().web.next('update', ...gone('is_archived', 9));
    await updateRequest('closed');
    await settleCalls(12 * HOUR);
    expect(outboxWorld().refused).toHaveLength(2);
    expect(await outboxWorld().store.work.nextDue()).toBeNull();
  });
});
