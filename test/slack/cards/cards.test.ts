import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/clock.ts';
import { channelId } from '../../../src/ids.ts';
import { CHANNEL, KEY, refresh, settle, texts, want, wantOther, world } from './carded.ts';

describe('a card', () => {
  it('is posted once and then edited in place', async () => {
    await want();
    await settle();
    world().shown = 'second';
    await refresh();
    await settle(MINUTE);
    expect(world().web.messages).toMatchObject([{ text: 'second', channel: CHANNEL, edits: 1 }]);
    expect(world().web.posts()).toBe(1);
  });

  it('is not posted twice when the answer to the post was lost', async () => {
    world().web.next('post', { kind: 'lost' });
    await want();
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
    expect(await world().store.cards.get(KEY)).toMatchObject({
      ts: world().web.messages[0]?.ts,
      failure: null,
    });
  });

  it('shows the newest state when it was found again after a lost answer', async () => {
    world().web.next('post', { kind: 'lost' });
    await want();
    await settle(0);
    world().shown = 'second';
    await refresh();
    await settle(5 * MINUTE);
    expect(world().web.messages).toMatchObject([{ text: 'second' }]);
  });

  it('is posted again when the look-up does not find it', async () => {
    world().web.next('post', { kind: 'uncertain', detail: 'reset', inFlight: false });
    await want();
    await settle(MINUTE);
    expect(world().web.posts()).toBe(1);
    world().passed += 5 * SECOND;
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(2);
  });

  it('is not posted while Slack cannot say whether it stands already', async () => {
    world().web.next('post', { kind: 'lost' });
    world().web.next(
      'history',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'fatal_error' },
    );
    await want();
    await settle(10 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });

  it('waits as long as Slack asks, and so do the others', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await want();
    await settle();
    await wantOther('notice:n2');
    await settle(20 * SECOND);
    expect(world().web.posts()).toBe(1);
    await settle(20 * SECOND);
    expect(world().web.messages).toHaveLength(2);
  });

  it('goes to its person’s direct message where the bot is no member of the channel', async () => {
    world().web.next('post', { kind: 'refused', error: 'not_in_channel' });
    await want('U0OPERATOR');
    await settle();
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
    world().shown = 'second';
    await refresh();
    await settle(MINUTE);
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR', text: 'second' }]);
  });

  it('that was lost on its way to the direct message is found there', async () => {
    world().web.next('post', { kind: 'refused', error: 'not_in_channel' }, { kind: 'lost' });
    await want('U0OPERATOR');
    await settle(5 * MINUTE);
    expect(world().web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
  });

  it('whose post may still be under way is looked for, and not posted again for a minute', async () => {
    world().web.next('post', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    await want();
    await settle(5 * MINUTE);
    expect(world().web.posts()).toBe(1);
    world().passed += MINUTE;
    await settle(MINUTE);
    expect(world().web.posts()).toBe(2);
    expect(texts()).toEqual(['first']);
  });

  it('whose edit may still be under way is edited once more when that has settled, and when it was watched', async () => {
    await want();
    await settle();
    world().web.next('update', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    world().shown = 'second';
    await refresh();
    await settle(5 * MINUTE);
    const edits = world().web.messages[0]?.edits ?? 0;
    expect(texts()).toEqual(['second']);
    world().passed += MINUTE;
    await settle(2 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 1);
    world().passed += 3 * MINUTE;
    await settle(10 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 2);
    world().passed += 3 * MINUTE;
    await settle(10 * MINUTE);
    expect(world().web.messages[0]?.edits).toBe(edits + 2);
  });

  it('that was deleted and posted again by somebody else meanwhile stands there', async () => {
    await want();
    await settle();
    const { store, web } = world();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const second = await web.post(CHANNEL, world().drawn());
    if (second.kind !== 'ok') throw new Error('not posted');
    world().meanwhile = async () => {
      world().meanwhile = null;
      await store.cards.unposted(KEY, first);
      await store.cards.posted(KEY, { ...second.value, revision: 0 });
    };
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    await refresh();
    await settle(MINUTE);
    expect(web.posts()).toBe(2);
    expect(await store.cards.get(KEY)).toMatchObject({ ts: second.value.ts });
  });

  it('that was given up leaves no call that every reading of its channel goes back to', async () => {
    const { store, web } = world();
    web.next(
      'post',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await wantOther('approval:a1');
    await settle(MINUTE);
    world().passed += MINUTE;
    await settle(10 * MINUTE);
    expect(world().refused).toEqual(['approval:a1 not_in_channel']);
    expect(await store.cardCalls.postsIn(CHANNEL, world().clock.now())).toEqual([]);
  });

  it('that was throttled is posted without a look, because it certainly does not stand', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: SECOND });
    world().web.next('history', { kind: 'refused', error: 'a look would fail' });
    await want();
    await settle(10 * SECOND);
    expect(texts()).toEqual(['first']);
  });

  it('of another channel is not held up by one that Slack throttles', async () => {
    world().web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await want();
    await settle();
    const other = channelId('C0APPROVALS');
    await wantOther('approval:a1', other);
    world().worker.kick();
    await settle(SECOND);
    expect(world().web.messages).toMatchObject([{ channel: other }]);
  });

  it('is posted as text when Slack does not take its blocks', async () => {
    world().web.next('post', { kind: 'refused', error: 'invalid_blocks' });
    await want();
    await settle();
    expect(world().web.messages).toMatchObject([{ text: 'first', blocks: [] }]);
  });
});
