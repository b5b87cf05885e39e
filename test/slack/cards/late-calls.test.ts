/** Calls that take effect late, after a crash or while another holder has the card. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { messageTs } from '../../../src/lib/ids.ts';
import {
  CHANNEL,
  enqueueCard,
  enqueueUpdate,
  KEY,
  outboxWorld,
  restart,
  settleCalls,
  texts,
} from './outbox-harness.ts';

const LATE = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

const BROKEN = { kind: 'uncertain', detail: 'HTTP 500', inFlight: false } as const;

/** Waits until nothing can happen any more in real time. */
const settleAll = async (): Promise<void> => {
  for (let times = 0; times < 3; times += 1) {
    outboxWorld().passed += 3 * MINUTE;
    await settleCalls(5 * MINUTE);
  }
};

describe('a post that Slack received and carries out late', () => {
  it('is not made again by the process that starts after a crash', async () => {
    const late = outboxWorld().web.late('post');
    await enqueueCard();
    await settleCalls();
    await restart();
    await settleCalls(2 * MINUTE);
    expect(outboxWorld().web.posts()).toBe(1);
    late.carryOut();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(1);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: outboxWorld().web.messages[0]?.ts });
  });

  it('is made again by that process once it can no longer take effect', async () => {
    outboxWorld().web.late('post');
    await enqueueCard();
    await settleCalls();
    await restart();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(2);
  });

  it('is found and removed where it comes even after it was made again', async () => {
    const late = outboxWorld().web.late('post');
    await enqueueCard();
    await settleCalls();
    await restart();
    outboxWorld().passed += 31 * SECOND;
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(2);
    late.carryOut();
    expect(texts()).toEqual(['first', 'first']);
    const kept = (await outboxWorld().store.cards.get(KEY))?.ts;
    await settleAll();
    expect(outboxWorld().web.messages).toMatchObject([{ ts: kept }]);
  });

  it('is found by that process where it was carried out before the start', async () => {
    outboxWorld().web.late('post').carryOut();
    await enqueueCard();
    await settleCalls();
    await restart();
    await settleCalls(MINUTE);
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('goes again where another message of the card was recorded meanwhile', async () => {
    const late = outboxWorld().web.late('post');
    await enqueueCard();
    const delivery = settleCalls();
    await late.received;
    const other = await outboxWorld().web.post(CHANNEL, outboxWorld().drawn());
    if (other.kind !== 'ok') throw new Error('not posted');
    await outboxWorld().store.cards.recordPosted(KEY, { ...other.value, revision: 1 });
    late.answer();
    await delivery;
    await settleAll();
    expect(outboxWorld().web.messages).toMatchObject([{ ts: other.value.ts }]);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: other.value.ts });
  });

  it('stays known where it could not be removed, also once nobody looks for its call any more', async () => {
    const { store, web } = outboxWorld();
    const late = web.late('post');
    await enqueueCard();
    const delivery = settleCalls(0);
    await late.received;
    await store.cards.recordPosted(KEY, { channel: CHANNEL, ts: messageTs('7.000001'), revision: 1 });
    const calls = await store.cardCalls.callsOfCard(KEY, outboxWorld().clock.now());
    await store.cardCalls.end(calls.map(({ id }) => id));
    web.next('remove', LATE);
    late.answer();
    await delivery;
    const [message] = web.messages;
    const copies = await store.cardCalls.postsIn(CHANNEL, outboxWorld().clock.now());
    expect(copies).toMatchObject([{ id: `copy ${CHANNEL} ${message?.ts}`, card: KEY }]);
    expect(await store.work.nextDue()).not.toBeNull();
  });
});

describe('an edit that Slack received and carries out late', () => {
  it('leaves the newest state on the card, also after a crash', async () => {
    await enqueueCard();
    await settleCalls();
    const late = outboxWorld().web.late('update');
    outboxWorld().shown = 'approved, not sent yet';
    await enqueueUpdate();
    await settleCalls(MINUTE);
    await restart();
    outboxWorld().shown = 'verified';
    await enqueueUpdate();
    await settleCalls(2 * MINUTE);
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['approved, not sent yet']);
    await settleAll();
    expect(texts()).toEqual(['verified']);
  });

  it('is put right soon after it settled, however often the card was tried before', async () => {
    await enqueueCard();
    await settleCalls();
    const late = outboxWorld().web.late('update');
    const failed = { kind: 'refused', error: 'internal_error' } as const;
    outboxWorld().web.next('update', ...Array.from({ length: 13 }, () => failed));
    await enqueueUpdate();
    await settleCalls(MINUTE);
    outboxWorld().shown = 'verified';
    await settleCalls(2 * HOUR);
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['first']);
    outboxWorld().passed += 31 * SECOND;
    await settleCalls(2 * MINUTE);
    expect(texts()).toEqual(['verified']);
  });

  it('leaves the newest state on the card where its holder lost the card meanwhile', async () => {
    await enqueueCard();
    await settleCalls();
    const late = outboxWorld().web.late('update');
    outboxWorld().shown = 'old';
    await enqueueUpdate();
    const delivery = settleCalls(MINUTE);
    await late.received;
    await outboxWorld().loseLease();
    outboxWorld().shown = 'new';
    const [message] = outboxWorld().web.messages;
    if (message === undefined) throw new Error('no message');
    await outboxWorld().web.update(message, outboxWorld().drawn());
    await outboxWorld().store.cards.recordEdited(KEY, 2);
    late.answer();
    await delivery;
    await settleAll();
    expect(texts()).toEqual(['new']);
    // The new holder's edit, the late one, and the one that overwrote the late one.
    expect(outboxWorld().web.messages[0]?.edits).toBe(3);
    expect(await outboxWorld().store.cardCalls.callsOfCard(KEY, outboxWorld().clock.now())).toEqual([]);
  });
});

describe('an edit of a card whose edits failed for hours', () => {
  it('leaves the newest state on the card as soon as it has settled', async () => {
    await enqueueCard();
    await settleCalls();
    const late = outboxWorld().web.late('update');
    outboxWorld().web.next('update', ...Array.from({ length: 16 }, () => BROKEN));
    outboxWorld().shown = 'old';
    await enqueueUpdate();
    await settleCalls(MINUTE);
    outboxWorld().shown = 'new';
    await settleCalls(3 * HOUR);
    expect(texts()).toEqual(['new']);
    late.carryOut();
    expect(texts()).toEqual(['old']);
    outboxWorld().passed += 3 * MINUTE;
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['new']);
  });
});

describe('a call whose holder lost its work', () => {
  it('is not made at all', async () => {
    outboxWorld().meanwhile = async () => {
      outboxWorld().meanwhile = null;
      await outboxWorld().loseLease(30 * SECOND);
    };
    await enqueueCard();
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(0);
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(outboxWorld().web.posts()).toBe(1);
  });
});

describe('a press on the message of a card whose post had no answer', () => {
  it('shows that the message is there', async () => {
    outboxWorld().web.next('post', LATE);
    await enqueueCard();
    await settleCalls();
    await outboxWorld().store.cards.recordPosted(KEY, {
      channel: CHANNEL,
      ts: messageTs('7.000001'),
      revision: 0,
    });
    await settleCalls(10 * SECOND);
    expect(outboxWorld().web.posts()).toBe(1);
  });
});
