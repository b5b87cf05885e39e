/** Calls that take effect late, after a crash or while another holder has the card. */
import { describe, expect, it } from 'vitest';
import { HOUR, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId, messageTs } from '../../../src/lib/ids.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import { type NextCardStep, nextCardStep } from '../../../src/slack/cards/next-card-step.ts';
import type { CardCall } from '../../../src/store/port/card-call-records.ts';
import type { CardKey } from '../../../src/store/port/records.ts';
import type { FakeSlackMessage } from '../harness/fake-slack-web.ts';
import {
  CHANNEL,
  enqueueCard,
  enqueueOtherCard,
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

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

/** Adds a message with the card's key to the channel. */
function copy(ts: string, over: Partial<FakeSlackMessage> = {}): void {
  const message = {
    ...outboxWorld().drawn(),
    channel: CHANNEL,
    ts: messageTs(ts),
    at: outboxWorld().clock.now(),
    edits: 0,
  };
  outboxWorld().web.messages.push({ ...message, ...over });
}
const stamps = () => outboxWorld().web.messages.map(({ ts }) => ts);
const pressed = () => createPressedCards({ ...outboxWorld(), wakeWorker: () => outboxWorld().worker.wake() });

describe('several messages of one card', () => {
  it('become the oldest one where none is recorded', async () => {
    outboxWorld().web.next('post', LOST);
    copy('5.000001');
    copy('3.000001');
    await enqueueCard();
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['3.000001']);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: '3.000001' });
  });

  it('become the recorded one where one is', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009');
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('stay where people talked about them, and say where the card is', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009', { talkedAbout: true });
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001', '1700000000.000009']);
    const [, moved] = outboxWorld().web.messages;
    expect(moved?.text).toBe('This message moved.');
    expect(JSON.stringify(moved?.blocks)).toContain('https://slack.example/C0ALERTS/1.000001');
    expect(moved?.metadata.event_payload).toEqual({ state: 'moved' });
  });

  it('whose removal had no answer are removed again', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009');
    outboxWorld().web.next('remove', LOST);
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('do not include the one that was recorded in place of a deleted one meanwhile', async () => {
    await enqueueCard();
    await settleCalls();
    const { store, web } = outboxWorld();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const { cardsInHistory } = web;
    const meanwhile: Partial<typeof web> = {
      cardsInHistory: async (...asked) => {
        web.messages.splice(0, 1);
        await store.cards.recordRemoved(KEY, first);
        await store.cards.recordPosted(KEY, {
          channel: CHANNEL,
          ts: messageTs('1700000000.000009'),
          revision: 9,
        });
        Object.assign(web, { cardsInHistory });
        return cardsInHistory(...asked);
      },
    };
    copy('1700000000.000009');
    Object.assign(web, meanwhile);
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(10 * MINUTE);
    expect(stamps()).toEqual(['1700000000.000009']);
  });

  it('are not counted where another app posted them', async () => {
    outboxWorld().web.next('post', LOST);
    copy('3.000001', { botId: 'B0OTHER' });
    await enqueueCard();
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['3.000001', '1.000001']);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: '1.000001' });
  });
});

describe('a press', () => {
  it('on the card itself is a press', async () => {
    await enqueueCard();
    await settleCalls();
    const [card] = outboxWorld().web.messages;
    if (card === undefined) throw new Error('no card');
    expect(await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: card.ts })).toBeNull();
  });

  it('on a duplicate links to the card', async () => {
    await enqueueCard();
    await settleCalls();
    const answer = await pressed().answerForCopy({
      card: KEY,
      channel: CHANNEL,
      ts: messageTs('1700000000.000009'),
    });
    expect(answer).toEqual({ kind: 'card-moved', link: 'https://slack.example/C0ALERTS/1.000001' });
  });

  it('on a message whose post had no answer shows that the card is there', async () => {
    outboxWorld().web.late('post').carryOut();
    await enqueueCard();
    const [, press] = await Promise.all([
      settleCalls(0),
      pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1.000001') }),
    ]);
    expect(press).toBeNull();
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['second']);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('on an unknown card is left to the handler', async () => {
    const unknown = { card: 'approval:a_9', channel: CHANNEL, ts: messageTs('1.000001') } as const;
    expect(await pressed().answerForCopy(unknown)).toBeNull();
  });
});

const CARDS = Array.from({ length: 300 }, (_, at): CardKey => `notice:n${at}`);

/** Messages of others in the channel, from this long ago on. */
function addChatter(messages: number, agoMs: number): void {
  const at = later(outboxWorld().clock.now(), -agoMs);
  for (let index = 0; index < messages; index += 1)
    outboxWorld().web.messages.push({
      ...outboxWorld().drawn(),
      ...{ channel: CHANNEL, ts: messageTs(`0.${index}`), at, edits: 0, botId: 'B0OTHER' },
    });
}
const shown = () =>
  new Set(
    outboxWorld()
      .web.messages.filter(({ botId }) => botId === undefined)
      .map(({ metadata }) => metadata.event_payload['key']),
  );

describe('alerts whose posts had no answer', () => {
  it('are all posted once after an outage, however much was written in the channel since', async () => {
    outboxWorld().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(CARDS.length);
    outboxWorld().passed += MINUTE;
    addChatter(2_500, 0);
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(outboxWorld().web.posts()).toBe(2 * CARDS.length);
  });

  it('are searched for by a few reads of the channel for all of them', async () => {
    outboxWorld().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    const before = outboxWorld().web.readings();
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(outboxWorld().web.readings() - before).toBeLessThan(20);
  });

  it('of long ago need no reading of all that was written before and since', async () => {
    addChatter(5_000, 40 * 24 * HOUR);
    outboxWorld().web.next('post', LOST);
    await enqueueOtherCard('notice:n1');
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    const before = outboxWorld().web.readings();
    await settleCalls(HOUR);
    expect(shown().size).toBe(1);
    expect(outboxWorld().web.readings() - before).toBeLessThan(3);
  });

  it('are posted at once where there was no connection, since nothing was sent', async () => {
    outboxWorld().web.next('post', { kind: 'unsent', detail: 'ECONNREFUSED' });
    await enqueueOtherCard('notice:n1');
    await settleCalls(MINUTE);
    expect(shown().size).toBe(1);
    expect(outboxWorld().web.readings()).toBe(0);
  });
});

function call(kind: CardCall['kind'], settlesInMs: number, watched = false): CardCall {
  return {
    watched,
    ...{ id: `${kind}-${settlesInMs}`, card: 'notice:n1', kind, channel: channelId('C1') },
    ...{ attemptedAt: instant(0), settledAt: settlesInMs === 0 ? instant(1) : null, settlesInMs },
  };
}

const NOWHERE = { ts: null, wantedRevision: 1, shownRevision: 0 };
const SHOWN = { ts: messageTs('1.1'), wantedRevision: 2, shownRevision: 2 };
const OLD = { ts: messageTs('1.1'), wantedRevision: 3, shownRevision: 2 };
const [latePost, lateEdit] = [call('post', 900), call('edit', 700)];
const [settledPost, settledEdit] = [call('post', 0), call('edit', 0)];
const [watchedPost, seenPost] = [call('post', 900, true), call('post', 0, true)];

describe('the next step of a card', () => {
  it.each<[string, typeof NOWHERE | typeof SHOWN, readonly CardCall[], NextCardStep]>([
    ['that stands nowhere is to post it', NOWHERE, [], { kind: 'post' }],
    ['with a post under way is to look', NOWHERE, [latePost], { kind: 'look', posts: [latePost] }],
    ['that is only watched is to post it', NOWHERE, [watchedPost, seenPost], { kind: 'post' }],
    ['with a settled post is to look', NOWHERE, [settledPost], { kind: 'look', posts: [settledPost] }],
    ['that shows everything is none', SHOWN, [], { kind: 'done' }],
    ['that shows something old is to edit it', OLD, [], { kind: 'edit', settled: [] }],
    ['with an edit under way is to edit it none the less', OLD, [lateEdit], { kind: 'edit', settled: [] }],
    ['with a post under way is to edit it first', OLD, [latePost], { kind: 'edit', settled: [] }],
    ['that shows everything waits for its edit', SHOWN, [lateEdit], { kind: 'wait', ms: 700 }],
    ['that shows everything waits for its watch', SHOWN, [watchedPost], { kind: 'wait', ms: 900 }],
    ['whose watch is over is looked for', SHOWN, [seenPost], { kind: 'look', posts: [seenPost] }],
    ['waits for the first of its calls', SHOWN, [latePost, lateEdit], { kind: 'wait', ms: 700 }],
    [
      'whose edit settled is edited once more',
      SHOWN,
      [settledEdit],
      { kind: 'edit', settled: [settledEdit] },
    ],
    ['whose posts settled is looked for', SHOWN, [settledPost], { kind: 'look', posts: [settledPost] }],
    ['with one post under way waits for it', SHOWN, [settledPost, latePost], { kind: 'wait', ms: 0 }],
  ])('%s', (_, card, calls, step) => {
    expect(nextCardStep(card, calls)).toEqual(step);
  });
});

describe('waiting for a card', () => {
  it('ends where it was posted', async () => {
    const waited = outboxWorld().cards.whenPosted(KEY, 5_000);
    await enqueueCard();
    await settleCalls();
    expect(await waited).toEqual({ kind: 'posted', message: { channel: CHANNEL, ts: '1.000001' } });
    expect(await outboxWorld().cards.whenPosted(KEY, 5_000)).toMatchObject({ kind: 'posted' });
  });

  it('ends when it was refused', async () => {
    outboxWorld().web.next('post', { kind: 'refused', error: 'is_archived' });
    const waited = outboxWorld().cards.whenPosted('approval:a1', 5_000);
    await enqueueOtherCard('approval:a1');
    await settleCalls();
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when it is not posted in time', async () => {
    expect(await outboxWorld().cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
