import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, messageTs } from '../../../src/lib/ids.ts';
import { type NextCardStep, nextCardStep } from '../../../src/slack/cards/next-card-step.ts';
import type { CardCall } from '../../../src/store/port/card-call-records.ts';
import { CHANNEL, enqueueCard, enqueueOtherCard, KEY, outboxWorld, settleCalls } from './outbox-harness.ts';

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
