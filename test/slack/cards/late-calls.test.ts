/** Calls that Slack carries out late, after a crash or while somebody else has the card. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/clock.ts';
import { messageTs } from '../../../src/ids.ts';
import { CHANNEL, KEY, refresh, restart, settle, texts, want, world } from './carded.ts';

const LATE = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

const BROKEN = { kind: 'uncertain', detail: 'HTTP 500', inFlight: false } as const;

/** Everything that real time could still bring has happened. */
const settleAll = async (): Promise<void> => {
  for (let times = 0; times < 3; times += 1) {
    world().passed += 3 * MINUTE;
    await settle(5 * MINUTE);
  }
};

describe('a post that Slack received and carries out late', () => {
  it('is not made again by the process that starts after a crash', async () => {
    const late = world().web.late('post');
    await want();
    await settle();
    await restart();
    await settle(2 * MINUTE);
    expect(world().web.posts()).toBe(1);
    late.carryOut();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
    expect(await world().store.cards.get(KEY)).toMatchObject({ ts: world().web.messages[0]?.ts });
  });

  it('is made again by that process once it can come no more', async () => {
    world().web.late('post');
    await want();
    await settle();
    await restart();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(2);
  });

  it('is found and removed where it comes even after it was made again', async () => {
    const late = world().web.late('post');
    await want();
    await settle();
    await restart();
    world().passed += 31 * SECOND;
    await settle(MINUTE);
    expect(world().web.posts()).toBe(2);
    late.carryOut();
    expect(texts()).toEqual(['first', 'first']);
    const kept = (await world().store.cards.get(KEY))?.ts;
    await settleAll();
    expect(world().web.messages).toMatchObject([{ ts: kept }]);
  });

  it('is found by that process where it was carried out before the start', async () => {
    world().web.late('post').carryOut();
    await want();
    await settle();
    await restart();
    await settle(MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });

  it('goes again where another message of the card was recorded meanwhile', async () => {
    const late = world().web.late('post');
    await want();
    const delivery = settle();
    await late.received;
    const other = await world().web.post(CHANNEL, world().drawn());
    if (other.kind !== 'ok') throw new Error('not posted');
    await world().store.cards.posted(KEY, { ...other.value, revision: 1 });
    late.answer();
    await delivery;
    await settleAll();
    expect(world().web.messages).toMatchObject([{ ts: other.value.ts }]);
    expect(await world().store.cards.get(KEY)).toMatchObject({ ts: other.value.ts });
  });

  it('stays known where it could not be removed, also once nobody looks for its call any more', async () => {
    const { store, web } = world();
    const late = web.late('post');
    await want();
    const delivery = settle(0);
    await late.received;
    await store.cards.posted(KEY, { channel: CHANNEL, ts: messageTs('7.000001'), revision: 1 });
    const calls = await store.cardCalls.ofCard(KEY, world().clock.now());
    await store.cardCalls.end(calls.map(({ id }) => id));
    web.next('remove', LATE);
    late.answer();
    await delivery;
    const [message] = web.messages;
    const copies = await store.cardCalls.postsIn(CHANNEL, world().clock.now());
    expect(copies).toMatchObject([{ id: `copy ${CHANNEL} ${message?.ts}`, card: KEY }]);
    expect(await store.work.nextDue()).not.toBeNull();
  });
});

describe('an edit that Slack received and carries out late', () => {
  it('leaves the newest state standing, also after a crash', async () => {
    await want();
    await settle();
    const late = world().web.late('update');
    world().shown = 'approved, not sent yet';
    await refresh();
    await settle(MINUTE);
    await restart();
    world().shown = 'verified';
    await refresh();
    await settle(2 * MINUTE);
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['approved, not sent yet']);
    await settleAll();
    expect(texts()).toEqual(['verified']);
  });

  it('is put right soon after it settled, however often the card was tried before', async () => {
    await want();
    await settle();
    const late = world().web.late('update');
    const failed = { kind: 'refused', error: 'internal_error' } as const;
    world().web.next('update', ...Array.from({ length: 13 }, () => failed));
    await refresh();
    await settle(MINUTE);
    world().shown = 'verified';
    await settle(2 * HOUR);
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['first']);
    world().passed += 31 * SECOND;
    await settle(2 * MINUTE);
    expect(texts()).toEqual(['verified']);
  });

  it('leaves the newest state standing where its holder lost the card meanwhile', async () => {
    await want();
    await settle();
    const late = world().web.late('update');
    world().shown = 'old';
    await refresh();
    const delivery = settle(MINUTE);
    await late.received;
    await world().loseLease();
    world().shown = 'new';
    const [message] = world().web.messages;
    if (message === undefined) throw new Error('no message');
    await world().web.update(message, world().drawn());
    await world().store.cards.edited(KEY, 2);
    late.answer();
    await delivery;
    await settleAll();
    expect(texts()).toEqual(['new']);
    // That of the new holder, the late one, and the one that put the late one right.
    expect(world().web.messages[0]?.edits).toBe(3);
    expect(await world().store.cardCalls.ofCard(KEY, world().clock.now())).toEqual([]);
  });
});

describe('an edit of a card whose edits failed for hours', () => {
  it('leaves the newest state standing as soon as it has settled', async () => {
    await want();
    await settle();
    const late = world().web.late('update');
    world().web.next('update', ...Array.from({ length: 16 }, () => BROKEN));
    world().shown = 'old';
    await refresh();
    await settle(MINUTE);
    world().shown = 'new';
    await settle(3 * HOUR);
    expect(texts()).toEqual(['new']);
    late.carryOut();
    expect(texts()).toEqual(['old']);
    world().passed += 3 * MINUTE;
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['new']);
  });
});

describe('a call whose holder lost its work', () => {
  it('is not made at all', async () => {
    world().meanwhile = async () => {
      world().meanwhile = null;
      await world().loseLease(30 * SECOND);
    };
    await want();
    await settle(MINUTE);
    expect(world().web.posts()).toBe(0);
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });
});

describe('a press on the message of a card whose post had no answer', () => {
  it('shows that the message is there', async () => {
    world().web.next('post', LATE);
    await want();
    await settle();
    await world().store.cards.posted(KEY, { channel: CHANNEL, ts: messageTs('7.000001'), revision: 0 });
    await settle(10 * SECOND);
    expect(world().web.posts()).toBe(1);
  });
});
