/** Calls that take effect late, after a crash or while another holder has the card. */
import { describe, expect, it } from 'vitest';
import { HOUR, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type CardKey, channelId, type MessageTs, messageTs } from '../../../src/lib/ids.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import { type NextCardStep, nextCardStep } from '../../../src/slack/cards/next-card-step.ts';
import type { CardCall } from '../../../src/store/port/card-records.ts';
import type { FakeSlackMessage } from '../harness/fake-slack-web.ts';
import {
  CHANNEL,
  editCard,
  enqueueCard,
  enqueueOtherCard,
  enqueueUpdate,
  KEY,
  postCard,
  postOther,
  restart,
  settleCalls,
  storedCard,
  texts,
  world,
} from './outbox-harness.ts';

const LATE = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

const BROKEN = { kind: 'uncertain', detail: 'HTTP 500', inFlight: false } as const;

/** Waits until nothing can happen any more in real time. */
const settleAll = async (): Promise<void> => {
  for (let times = 0; times < 3; times += 1) {
    world().passed += 3 * MINUTE;
    await settleCalls(5 * MINUTE);
  }
};

describe('a post that Slack received and carries out late', () => {
  it('is not made again by the process that starts after a crash', async () => {
    const late = world().web.late('post');
    await postCard();
    await restart();
    await settleCalls(2 * MINUTE);
    expect(world().web.posts()).toBe(1);
    late.carryOut();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
    expect(await storedCard()).toMatchObject({ ts: world().web.messages[0]?.ts });
  });

  it('is made again by that process once it can no longer take effect', async () => {
    world().web.late('post');
    await postCard();
    await restart();
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(2);
  });

  it('is found and removed where it comes even after it was made again', async () => {
    const late = world().web.late('post');
    await postCard();
    await restart();
    world().passed += 31 * SECOND;
    await settleCalls(MINUTE);
    expect(world().web.posts()).toBe(2);
    late.carryOut();
    expect(texts()).toEqual(['first', 'first']);
    const kept = (await storedCard())?.ts;
    await settleAll();
    expect(world().web.messages).toMatchObject([{ ts: kept }]);
  });

  it('is found by that process where it was carried out before the start', async () => {
    world().web.late('post').carryOut();
    await postCard();
    await restart();
    await settleCalls(MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });

  it('goes again where another message of the card was recorded meanwhile', async () => {
    const late = world().web.late('post');
    await enqueueCard();
    const delivery = settleCalls();
    await late.received;
    const other = await world().web.post(CHANNEL, world().drawn());
    if (other.kind !== 'ok') throw new Error('not posted');
    await world().store.cards.recordPosted(KEY, { ...other.value, revision: 1 });
    late.answer();
    await delivery;
    await settleAll();
    expect(world().web.messages).toMatchObject([{ ts: other.value.ts }]);
    expect(await storedCard()).toMatchObject({ ts: other.value.ts });
  });

  it('stays known where it could not be removed, also once nobody looks for its call any more', async () => {
    const { store, web } = world();
    const late = web.late('post');
    await enqueueCard();
    const delivery = settleCalls(0);
    await late.received;
    await store.cards.recordPosted(KEY, { channel: CHANNEL, ts: messageTs('7.000001'), revision: 1 });
    const calls = await store.cardCalls.callsOfCard(KEY, world().clock.now());
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
  it('leaves the newest state on the card, also after a crash', async () => {
    await postCard();
    const late = world().web.late('update');
    await editCard(MINUTE, 'approved, not sent yet');
    await restart();
    await editCard(2 * MINUTE, 'verified');
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['approved, not sent yet']);
    await settleAll();
    expect(texts()).toEqual(['verified']);
  });

  it('is put right soon after it settled, however often the card was tried before', async () => {
    await postCard();
    const late = world().web.late('update');
    const failed = { kind: 'refused', error: 'internal_error' } as const;
    world().web.next('update', ...Array.from({ length: 13 }, () => failed));
    await editCard(MINUTE);
    world().shown = 'verified';
    await settleCalls(2 * HOUR);
    expect(texts()).toEqual(['verified']);
    late.carryOut();
    expect(texts()).toEqual(['first']);
    world().passed += 31 * SECOND;
    await settleCalls(2 * MINUTE);
    expect(texts()).toEqual(['verified']);
  });

  it('leaves the newest state on the card where its holder lost the card meanwhile', async () => {
    await postCard();
    const late = world().web.late('update');
    world().shown = 'old';
    await enqueueUpdate();
    const delivery = settleCalls(MINUTE);
    await late.received;
    await world().loseLease();
    world().shown = 'new';
    const [message] = world().web.messages;
    if (message === undefined) throw new Error('no message');
    await world().web.update(message, world().drawn());
    await world().store.cards.recordEdited(KEY, 2);
    late.answer();
    await delivery;
    await settleAll();
    expect(texts()).toEqual(['new']);
    // The new holder's edit, the late one, and the one that overwrote the late one.
    expect(world().web.messages[0]?.edits).toBe(3);
    expect(await world().store.cardCalls.callsOfCard(KEY, world().clock.now())).toEqual([]);
  });
});

describe('an edit of a card whose edits failed for hours', () => {
  it('leaves the newest state on the card as soon as it has settled', async () => {
    await postCard();
    const late = world().web.late('update');
    world().web.next('update', ...Array.from({ length: 16 }, () => BROKEN));
    await editCard(MINUTE, 'old');
    world().shown = 'new';
    await settleCalls(3 * HOUR);
    expect(texts()).toEqual(['new']);
    late.carryOut();
    expect(texts()).toEqual(['old']);
    world().passed += 3 * MINUTE;
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['new']);
  });
});

describe('a call whose holder lost its work', () => {
  it('is not made at all', async () => {
    world().meanwhile = async () => {
      world().meanwhile = null;
      await world().loseLease(30 * SECOND);
    };
    await postCard(MINUTE);
    expect(world().web.posts()).toBe(0);
    await settleAll();
    expect(texts()).toEqual(['first']);
    expect(world().web.posts()).toBe(1);
  });
});

describe('a press on the message of a card whose post had no answer', () => {
  it('shows that the message is there', async () => {
    world().web.next('post', LATE);
    await postCard();
    const elsewhere = { channel: CHANNEL, ts: messageTs('7.000001'), revision: 0 };
    await world().store.cards.recordPosted(KEY, elsewhere);
    await settleCalls(10 * SECOND);
    expect(world().web.posts()).toBe(1);
  });
});

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

/** Adds a message with the card's key to the channel. */
function copy(ts: string, over: Partial<FakeSlackMessage> = {}): void {
  const place = { channel: CHANNEL, ts: messageTs(ts), at: world().clock.now(), edits: 0 };
  world().web.messages.push({ ...world().drawn(), ...place, ...over });
}
const stamps = () => world().web.messages.map(({ ts }) => ts);
const pressed = () => createPressedCards({ ...world(), wakeWorker: () => world().worker.wake() });
/** A press on the message of the card that stands here. */
const pressOn = (ts: MessageTs) => pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts });
const COPY_TS = messageTs('1700000000.000009');

describe('several messages of one card', () => {
  it('become the oldest one where none is recorded', async () => {
    world().web.next('post', LOST);
    copy('5.000001');
    copy('3.000001');
    await postCard(MINUTE);
    expect(stamps()).toEqual(['3.000001']);
    expect(await storedCard()).toMatchObject({ ts: '3.000001' });
  });

  it('become the recorded one where one is', async () => {
    await postCard();
    copy(COPY_TS);
    await pressOn(COPY_TS);
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('stay where people talked about them, and say where the card is', async () => {
    await postCard();
    copy(COPY_TS, { talkedAbout: true });
    await pressOn(COPY_TS);
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001', '1700000000.000009']);
    const [, moved] = world().web.messages;
    expect(moved?.text).toBe('This message moved.');
    expect(JSON.stringify(moved?.blocks)).toContain('https://slack.example/C0ALERTS/1.000001');
    expect(moved?.metadata.event_payload).toEqual({ state: 'moved' });
  });

  it('whose removal had no answer are removed again', async () => {
    await postCard();
    copy(COPY_TS);
    world().web.next('remove', LOST);
    await pressOn(COPY_TS);
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('do not include the one that was recorded in place of a deleted one meanwhile', async () => {
    await postCard();
    const { store, web } = world();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const { cardsInHistory } = web;
    const meanwhile: Partial<typeof web> = {
      cardsInHistory: async (...asked) => {
        web.messages.splice(0, 1);
        await store.cards.recordRemoved(KEY, first);
        await store.cards.recordPosted(KEY, { channel: CHANNEL, ts: COPY_TS, revision: 9 });
        Object.assign(web, { cardsInHistory });
        return cardsInHistory(...asked);
      },
    };
    copy(COPY_TS);
    Object.assign(web, meanwhile);
    await pressOn(COPY_TS);
    await settleCalls(10 * MINUTE);
    expect(stamps()).toEqual(['1700000000.000009']);
  });

  it('are not counted where another app posted them', async () => {
    world().web.next('post', LOST);
    copy('3.000001', { botId: 'B0OTHER' });
    await postCard(MINUTE);
    world().passed += MINUTE;
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['3.000001', '1.000001']);
    expect(await storedCard()).toMatchObject({ ts: '1.000001' });
  });
});

describe('a press', () => {
  it('on the card itself is a press', async () => {
    await postCard();
    const [card] = world().web.messages;
    if (card === undefined) throw new Error('no card');
    expect(await pressOn(card.ts)).toBeNull();
  });

  it('on a duplicate links to the card', async () => {
    await postCard();
    const answer = await pressOn(COPY_TS);
    expect(answer).toEqual({ kind: 'card-moved', link: 'https://slack.example/C0ALERTS/1.000001' });
  });

  it('on a message whose post had no answer shows that the card is there', async () => {
    world().web.late('post').carryOut();
    await enqueueCard();
    const [, press] = await Promise.all([settleCalls(0), pressOn(messageTs('1.000001'))]);
    expect(press).toBeNull();
    await editCard(5 * MINUTE, 'second');
    expect(texts()).toEqual(['second']);
    expect(world().web.posts()).toBe(1);
  });

  it('on an unknown card is left to the handler', async () => {
    const unknown = { card: 'approval:a_9', channel: CHANNEL, ts: messageTs('1.000001') } as const;
    expect(await pressed().answerForCopy(unknown)).toBeNull();
  });
});

const CARDS = Array.from({ length: 300 }, (_, at): CardKey => `notice:n${at}`);

/** Messages of others in the channel, from this long ago on. */
function addChatter(messages: number, agoMs: number): void {
  const at = later(world().clock.now(), -agoMs);
  for (let index = 0; index < messages; index += 1)
    world().web.messages.push({
      ...world().drawn(),
      ...{ channel: CHANNEL, ts: messageTs(`0.${index}`), at, edits: 0, botId: 'B0OTHER' },
    });
}
const shown = () =>
  new Set(
    world()
      .web.messages.filter(({ botId }) => botId === undefined)
      .map(({ metadata }) => metadata.event_payload['key']),
  );

describe('alerts whose posts had no answer', () => {
  it('are all posted once after an outage, however much was written in the channel since', async () => {
    world().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    expect(world().web.posts()).toBe(CARDS.length);
    world().passed += MINUTE;
    addChatter(2_500, 0);
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(world().web.posts()).toBe(2 * CARDS.length);
  });

  it('are searched for by a few reads of the channel for all of them', async () => {
    world().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    world().passed += MINUTE;
    const before = world().web.readings();
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(world().web.readings() - before).toBeLessThan(20);
  });

  it('of long ago need no reading of all that was written before and since', async () => {
    addChatter(5_000, 40 * 24 * HOUR);
    world().web.next('post', LOST);
    await postOther('notice:n1', MINUTE);
    world().passed += MINUTE;
    const before = world().web.readings();
    await settleCalls(HOUR);
    expect(shown().size).toBe(1);
    expect(world().web.readings() - before).toBeLessThan(3);
  });

  it('are posted at once where there was no connection, since nothing was sent', async () => {
    world().web.next('post', { kind: 'unsent', detail: 'ECONNREFUSED' });
    await postOther('notice:n1', MINUTE);
    expect(shown().size).toBe(1);
    expect(world().web.readings()).toBe(0);
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
    const waited = world().cards.whenPosted(KEY, 5_000);
    await postCard();
    expect(await waited).toEqual({ kind: 'posted', message: { channel: CHANNEL, ts: '1.000001' } });
    expect(await world().cards.whenPosted(KEY, 5_000)).toMatchObject({ kind: 'posted' });
  });

  it('ends when it was refused', async () => {
    world().web.next('post', { kind: 'refused', error: 'is_archived' });
    const waited = world().cards.whenPosted('approval:a1', 5_000);
    await postOther('approval:a1');
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when it is not posted in time', async () => {
    expect(await world().cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
