import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { evaluateRemoval } from '../../../src/requests/proof/record-outcome.ts';
import {
  afterInterruption,
  afterSending,
  type SentOutcome,
} from '../../../src/requests/target-transitions.ts';
import { saysGone } from '../../../src/store/port/evidence.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { aTarget, SENT } from '../builders.ts';
import { anError } from '../fleet-builders.ts';

const DEVICE: FleetAction = { kind: 'device-remove' };
const GROUP: FleetAction = { kind: 'group-remove', groupId: groupId(5) };
const END = later(SENT, 5 * MINUTE);
const claimed = aTarget({ state: 'issuing', acceptedAt: null, deadlineAt: END });
const removed = { kind: 'removed', thing: 'device' } as const;
const stillThere = { kind: 'still-there', thing: 'device' } as const;

describe('the answer to a removal', () => {
  const done = (gone: boolean) => ({ kind: 'done', result: { gone } }) as const;
  it.each<readonly [string, FleetAction, SentOutcome, Partial<RequestTarget>]>([
    [
      'taken, and gone',
      DEVICE,
      done(true),
      { state: 'verified', endedAt: SENT, acceptedAt: SENT, evidence: [removed] },
    ],
    [
      'taken, and still shown',
      DEVICE,
      done(false),
      { state: 'accepted', endedAt: null, acceptedAt: SENT, evidence: [stillThere] },
    ],
    [
      'taken for a group',
      GROUP,
      done(true),
      { state: 'verified', evidence: [{ kind: 'removed', thing: 'group' }] },
    ],
    [
      'refused',
      GROUP,
      { kind: 'refused', error: anError('forbidden', 403) },
      { state: 'refused', endedAt: SENT },
    ],
    [
      'lost',
      DEVICE,
      { kind: 'unknown', error: anError('timeout', null) },
      { state: 'unknown', endedAt: null, acceptedAt: null },
    ],
  ])('that is %s', (_what, action, outcome, state) => {
    expect(afterSending(claimed, action, outcome, SENT)).toMatchObject(state);
  });

  it('is never taken for that to another call', () => {
    const edited = { notApplied: [], unconfirmed: [], alsoChanged: [] };
    const sending = (action: FleetAction, outcome: SentOutcome) => () =>
      afterSending(claimed, action, outcome, SENT);
    expect(sending(DEVICE, { kind: 'done', result: edited })).toThrow('another kind');
    const edit: FleetAction = { kind: 'device-edit', change: { customName: 'x' } };
    expect(sending(edit, done(true))).toThrow('another kind');
  });
});

describe('a followed removal', () => {
  const accepted = { ...claimed, state: 'accepted', acceptedAt: SENT } as const;
  const unknown = { ...claimed, state: 'unknown' } as const;

  it.each([
    ['accepted, and gone', accepted, true, SENT, { state: 'verified', evidence: [removed] }],
    [
      'unknown, and gone',
      unknown,
      true,
      SENT,
      { state: 'verified', evidence: [{ kind: 'shown-after-loss' }, removed] },
    ],
    [
      'accepted, and there to the end',
      accepted,
      false,
      END,
      { state: 'not_verified', evidence: [{ kind: 'edit-unconfirmed', answerLost: false }, stillThere] },
    ],
    [
      'unknown, and there to the end',
      unknown,
      false,
      END,
      { state: 'unknown', evidence: [{ kind: 'edit-unconfirmed', answerLost: true }, stillThere] },
    ],
    ['accepted, and gone at the end', accepted, true, END, { state: 'verified' }],
  ])('%s', (_what, target, gone, now, state) => {
    expect(evaluateRemoval(target, { thing: 'device', gone }, now)).toMatchObject({ ...state, endedAt: now });
  });

  it.each([accepted, unknown, afterInterruption(claimed)])('goes on while it is there: $state', (target) => {
    expect(evaluateRemoval(target, { thing: 'device', gone: false }, SENT)).toBe(target);
  });
});

it('what was removed is known to be gone', () => {
  expect(saysGone([removed])).toBe(true);
  expect(saysGone([stillThere])).toBe(false);
});
