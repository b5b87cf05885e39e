import { describe, expect, it } from 'vitest';
import { HOUR, instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type CardKey, channelId, personId } from '../../../src/lib/ids.ts';
import {
  CHANNEL,
  editCard,
  enqueueCard,
  enqueueOtherCard,
  enqueueUpdate,
  KEY,
  postCard,
  postOther,
  refusals,
  settleCalls,
  storedCard,
  texts,
  world,
} from './outbox-harness.ts';

describe('a card', () => {
  it('is posted once and then edited in place', async () => {
    await postCard();
    await editCard(MINUTE, 'second');
    expect(world().web.messages).toMatchObject([{ text: 'second', channel: CHANNEL, edits: 1 }]);
    expect(world().web.posts()).toBe(1);
  });

  it('is not posted twice when the answer to the post was lost', async () => {
    world().web.next('post', { kind: 'lost' });
    await postCard(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
    expect(await storedCard()).toMatchObject({ ts: world().web.messages[0]?.ts, failure: null });
  });

  it('shows the newest state when it was found again after a lost answer', async () => {
    world().web.next('post', { kind: 'lost' });
    await postCard(0);
    await editCard(5 * MINUTE, 'second');
    expect(world().web.messages).toMatchObject([{ text: 'second' }]);
  });

  it('is posted again when the look-up does not find it', async () => {
    world().web.next('post', { kind: 'uncertain', detail: 'reset', inFlight: false });
    await postCard(MINUTE);
    expect(world().web.posts()).toBe(1);
    world().passed += 5 * SECOND;
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(2);
  });

  it('is not posted while Slack cannot say whether it exists already', async () => {
    world().web.next('post', { kind: 'lost' });
    world().web.next(
      'history',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'fatal_error' },
    );
    await postCard(10 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });

  it('waits as long as Slack asks, and so do the others', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await postCard();
    await postOther('notice:n2', 20 * SECOND);
    expect(world().web.posts()).toBe(1);
    await settleCalls(20 * SECOND);
    expect(world().web.messages).toHaveLength(2);
  });

  it('goes to its person’s direct message where the bot is no member of the channel', async () => {
    world().web.next('post', { kind: 'refused', error: 'not_in_channel' });
    await enqueueCard('U0OPERATOR');
    await settleCalls();
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
    await editCard(MINUTE, 'second');
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR', text: 'second' }]);
  });

  it('that was lost on its way to the direct message is found there', async () => {
    world().web.next('post', { kind: 'refused', error: 'not_in_channel' }, { kind: 'lost' });
    await enqueueCard('U0OPERATOR');
    await settleCalls(5 * MINUTE);
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
  });

  it('whose post may still be under way is looked for, and not posted again for a minute', async () => {
    world().web.next('post', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    await postCard(5 * MINUTE);
    expect(world().web.posts()).toBe(1);
    world().passed += MINUTE;
    await settleCalls(MINUTE);
    expect(world().web.posts()).toBe(2);
    expect(texts()).toEqual(['first']);
  });

  it('whose edit may still be under way is edited once more when that has settled, and when it was watched', async () => {
    await postCard();
    world().web.next('update', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    await editCard(5 * MINUTE, 'second');
    const edits = world().web.messages[0]?.edits ?? 0;
    expect(texts()).toEqual(['second']);
    world().passed += MINUTE;
    await settleCalls(2 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 1);
    world().passed += 3 * MINUTE;
    await settleCalls(10 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 2);
    world().passed += 3 * MINUTE;
    await settleCalls(10 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 2);
  });

  it('that another holder posted again meanwhile stays there', async () => {
    await postCard();
    const { store, web } = world();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const second = await web.post(CHANNEL, world().drawn());
    if (second.kind !== 'ok') throw new Error('not posted');
    world().meanwhile = async () => {
      world().meanwhile = null;
      await store.cards.recordRemoved(KEY, first);
      await store.cards.recordPosted(KEY, { ...second.value, revision: 0 });
    };
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    await editCard(MINUTE);
    expect(web.posts()).toBe(2);
    expect(await storedCard()).toMatchObject({ ts: second.value.ts });
  });

  it.each(['the replica that noticed it', 'another replica'])(
    'that waits because the bot is in no channel is posted by %s once it is invited',
    async (who) => {
      const { web, store, clock } = world();
      const refusal = { kind: 'refused', error: 'not_in_channel' } as const;
      web.next('post', refusal, refusal);
      await postOther('notice:n1', 20 * MINUTE);
      await postOther('notice:n2');
      expect([web.posts(), web.messages.length]).toEqual([2, 0]);
      if (who === 'another replica') await store.cards.resumeUnposted(CHANNEL, clock.now());
      else await world().cards.resume(CHANNEL);
      world().worker.wake();
      await settleCalls();
      expect([web.posts(), web.messages.length]).toEqual([4, 2]);
    },
  );

  it('that was given up leaves no call that later reads search for', async () => {
    const { store, web } = world();
    web.next(
      'post',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await postOther('approval:a1', MINUTE);
    world().passed += MINUTE;
    await settleCalls(10 * MINUTE);
    expect(world().refused).toEqual(['approval:a1 not_in_channel']);
    expect(await store.cardCalls.postsIn(CHANNEL, world().clock.now())).toEqual([]);
  });

  it('that was throttled is posted without a search, because it certainly does not exist', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: SECOND });
    world().web.next('history', { kind: 'refused', error: 'a look would fail' });
    await postCard(10 * SECOND);
    expect(texts()).toEqual(['first']);
  });

  it('of another channel is not held up by one that Slack throttles', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await postCard();
    const other = channelId('C0APPROVALS');
    await enqueueOtherCard('approval:a1', other);
    world().worker.wake();
    await settleCalls(SECOND);
    expect(world().web.messages).toMatchObject([{ channel: other }]);
  });

  it('is posted as text when Slack does not take its blocks', async () => {
    world().web.next('post', { kind: 'refused', error: 'invalid_blocks' });
    await postCard();
    expect(world().web.messages).toMatchObject([{ text: 'first', blocks: [] }]);
  });
});

/** Not of an alert. */
const REQUEST: CardKey = 'approval:r_1';

async function updateRequest(shown: string): Promise<void> {
  world().shown = shown;
  await world().store.cards.enqueueUpdate(REQUEST, world().clock.now());
}

/** The first message is found in the history at the time that its timestamp says, as with Slack. */
function placeByTimestamp(): void {
  const [first] = world().web.messages;
  if (first === undefined) throw new Error('no card');
  world().web.messages[0] = { ...first, at: instant(Number(first.ts) * 1_000) };
}

describe('a card', () => {
  it('of a request is given up when the channel will never accept it, and that is reported', async () => {
    const key = 'approval:a1';
    world().web.next('post', { kind: 'refused', error: 'is_archived' });
    await postOther(key);
    expect(world().refused).toEqual([`${key} is_archived`]);
    expect(await storedCard(key)).toMatchObject({ failure: 'is_archived', ts: null });
    await settleCalls(20 * MINUTE);
    expect(world().web.posts()).toBe(1);
  });

  it('of an alert waits until its channel accepts it again', async () => {
    world().web.next('post', ...refusals('not_in_channel', 2));
    await postCard(9 * MINUTE);
    expect(world().web.messages).toEqual([]);
    await settleCalls(30 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().refused).toEqual([]);
  });

  it('of an alert is tried rarely while its channel refuses, and all are posted when it accepts', async () => {
    const news = Array.from({ length: 40 }, (_, at): CardKey => `notice:n${at}`);
    const closed = { kind: 'refused', error: 'is_archived' } as const;
    world().web.next('post', ...news.map(() => closed));
    for (const key of news) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    expect(world().web.posts()).toBeLessThan(10);
    await settleCalls(12 * HOUR);
    expect(world().web.messages).toHaveLength(40);
    expect(world().web.posts()).toBe(80);
  });

  it('that waits for a decision is posted again when somebody deleted it', async () => {
    await postCard();
    world().web.next('update', { kind: 'refused', error: 'message_not_found' });
    await editCard(MINUTE);
    expect(world().web.posts()).toBe(2);
    expect(await storedCard()).toMatchObject({ failure: null });
  });

  it('to which alerts were added waits for its channel where that was archived meanwhile', async () => {
    world().state = 'storm';
    await postCard();
    world().web.next('update', ...refusals('is_archived', 2));
    await editCard(9 * MINUTE, 'two of them');
    expect(texts()).toEqual(['first']);
    await settleCalls(30 * MINUTE);
    expect(texts()).toEqual(['two of them']);
    expect(world().web.posts()).toBe(1);
  });

  it('is not given up where alerts were added while its edit was refused', async () => {
    world().state = 'posted';
    await postCard();
    world().web.next('update', { kind: 'refused', error: 'message_not_found' });
    world().meanwhile = async () => {
      world().meanwhile = null;
      Object.assign(world(), { state: 'storm', shown: 'two of them' });
      await enqueueUpdate();
    };
    await editCard(MINUTE);
    expect(await storedCard()).toMatchObject({ failure: null });
    expect(texts().at(-1)).toBe('two of them');
  });

  it.each(
    ['message_not_found', 'cant_update_message', 'edit_window_closed'].flatMap((error) =>
      ['storm', 'posted'].map((state) => [state, error] as const),
    ),
  )('of an alert (%s) is posted anew on %s, once, and the old one is removed', async (state, error) => {
    world().state = state;
    await postCard();
    placeByTimestamp();
    world().web.next('update', { kind: 'refused', error });
    await editCard(HOUR, 'later');
    expect(texts()).toEqual(['later']);
    expect(world().web.posts()).toBe(2);
    expect(await storedCard()).toMatchObject({ failure: null });
  });

  it('that shows what is no longer true and cannot be edited is posted anew in every state', async () => {
    world().state = 'running';
    await postOther(REQUEST);
    placeByTimestamp();
    Object.assign(world(), { state: 'verified', shown: 'verified' });
    world().web.next('update', { kind: 'refused', error: 'edit_window_closed' });
    await world().store.cards.enqueueUpdate(REQUEST, world().clock.now());
    await settleCalls(HOUR);
    expect(texts()).toEqual(['verified']);
  });

  it('is kept while the token is refused, and posted when it works again', async () => {
    world().web.next('post', ...refusals('token_revoked', 2));
    await postCard(10 * MINUTE);
    expect(texts()).toEqual(['first']);
  });

  it('with a completion message is tried for a day, and then recorded in the audit as undelivered', async () => {
    const key: CardKey = 'told:operation:o_1';
    const ann = personId('U0ANN');
    const unknown = { kind: 'refused', error: 'fatal_error' } as const;
    world().web.next('post', ...Array.from({ length: 400 }, () => unknown));
    const place = { channel: channelId('U0ANN'), fallbackPerson: ann };
    await world().store.cards.enqueue({ key, ...place, dueAt: world().clock.now() });
    for (let hours = 0; hours < 22; hours += 1) await world().clock.advance(HOUR);
    expect(await storedCard(key)).toMatchObject({ failure: null });
    for (let hours = 0; hours < 4; hours += 1) await world().clock.advance(HOUR);
    expect(await storedCard(key)).toMatchObject({ failure: 'fatal_error' });
    expect(await world().store.work.nextDue()).toBeNull();
    const [line] = await world().store.audit.list(0, 10);
    const detail = { person: 'U0ANN', error: 'fatal_error' };
    const what = { actor: 'patchbay', action: 'outcome.untold', subject: 'operation:o_1' };
    expect(line).toMatchObject({ ...what, detail });
    expect(world().web.messages).toEqual([]);
  });

  it('that nobody has to decide any more is not posted again when somebody deleted it', async () => {
    world().state = 'verified';
    await postOther(REQUEST);
    world().web.next('update', ...refusals('message_not_found', 3));
    await updateRequest('verified');
    await settleCalls(10 * MINUTE);
    expect(world().web.posts()).toBe(1);
    expect(await storedCard(REQUEST)).toMatchObject({ failure: 'message_not_found' });
    expect(await world().store.work.nextDue()).toBeNull();
  });

  it.each(['channel_not_found', 'is_archived', 'message_not_found'])(
    'of a request of which Slack says once in error that it is gone (%s) shows its last state all the same',
    async (error) => {
      world().state = 'verified';
      await postOther(REQUEST);
      world().web.next('update', ...refusals(error, 1));
      await updateRequest('verified, and shown');
      await settleCalls(3 * MINUTE);
      expect(texts()).toEqual(['verified, and shown']);
      expect(world().refused).toEqual([]);
    },
  );

  it('that was given up for one state is edited for the next, and ends once more where it is gone', async () => {
    await postOther(REQUEST);
    world().web.next('update', ...refusals('channel_not_found', 3));
    await updateRequest('running');
    await settleCalls(HOUR);
    expect(world().refused).toEqual([`${REQUEST} channel_not_found`]);
    await updateRequest('verified');
    await settleCalls(MINUTE);
    expect(texts()).toEqual(['verified']);
    world().web.next('update', ...refusals('is_archived', 9));
    await updateRequest('closed');
    await settleCalls(12 * HOUR);
    expect(world().refused).toHaveLength(2);
    expect(await world().store.work.nextDue()).toBeNull();
  });
});
