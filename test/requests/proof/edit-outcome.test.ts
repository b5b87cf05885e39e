import { describe, expect, it } from 'vitest';
import type { ReadBackFindings } from '../../../src/fleet/fleet.ts';
import type { FleetAction, FleetEdit } from '../../../src/fleet/model/actions.ts';
import type { EditedField } from '../../../src/fleet/model/changes.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { evaluateEdit } from '../../../src/requests/kinds/record-edits.ts';
import {
  concludeEdit,
  type EditFindings,
  evaluateRemoval,
} from '../../../src/requests/proof/record-outcome.ts';
import {
  afterInterruption,
  afterSending,
  type SentOutcome,
} from '../../../src/requests/target-transitions.ts';
import { saysGone } from '../../../src/store/port/evidence.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { aTarget, SENT } from '../builders.ts';
import { anError, DECLINED } from '../fleet-builders.ts';

const named = (customName: string | null): FleetEdit => ({ kind: 'device-edit', change: { customName } });
const confirmed = (...fields: readonly string[]) => ({ kind: 'confirmed', fields });
const device: FleetEdit = { kind: 'device-edit', change: { customName: 'Front door', exception: true } };
const group = { name: 'Web', parentId: groupId(1), refreshIntervalMinutes: 720 };
const made: FleetEdit = {
  kind: 'group-create',
  group: { ...group, wsus: { enabled: null }, policyIds: [policyId(3)] },
};
const changed: FleetEdit = { kind: 'group-edit', groupId: groupId(5), change: { notes: 'x' } };
const claimed = aTarget({ state: 'issuing', acceptedAt: null, deadlineAt: later(SENT, 5 * MINUTE) });
const fine: EditFindings = { notApplied: [], unconfirmed: [], alsoChanged: [] };
const end = (findings: Partial<ReadBackFindings<EditedField>> = {}, id?: number): SentOutcome => ({
  kind: 'done',
  result: { ...fine, ...findings, ...(id === undefined ? {} : { groupId: groupId(id) }) },
});

describe('the outcome of an edit', () => {
  it.each<readonly [string, FleetEdit, SentOutcome, object]>([
    [
      'everything reads as sent',
      device,
      end(),
      { state: 'verified', endedAt: SENT, evidence: [confirmed('customName', 'exception')] },
    ],
    [
      'a name alone was changed',
      named('front door'),
      end(),
      { state: 'verified', endedAt: SENT, evidence: [{ ...confirmed('customName'), name: 'front door' }] },
    ],
    [
      'a name was taken away',
      named(null),
      end(),
      { state: 'verified', endedAt: SENT, evidence: [{ ...confirmed('customName'), name: null }] },
    ],
    [
      'a field was not taken',
      device,
      end({ notApplied: ['exception'] }),
      {
        ...{ state: 'not_verified', endedAt: SENT },
        evidence: [confirmed('customName'), { kind: 'other-values', fields: ['exception'] }],
      },
    ],
    [
      'a group was made, and not all of it is echoed',
      made,
      end({ unconfirmed: ['wsus', 'policyIds'] }, 31),
      {
        state: 'verified',
        endedAt: SENT,
        evidence: [
          { kind: 'group-made', group: groupId(31) },
          confirmed('name', 'parentId', 'refreshIntervalMinutes'),
          { kind: 'not-shown', fields: ['wsus', 'policyIds'] },
        ],
      },
    ],
    [
      'it could not be read back',
      device,
      end({ unconfirmed: ['customName', 'exception'] }),
      { state: 'accepted', acceptedAt: SENT, endedAt: null },
    ],
    [
      'somebody else changed something besides',
      changed,
      end({ alsoChanged: ['color'] }),
      { state: 'verified', evidence: [confirmed('notes'), { kind: 'also-changed', fields: ['color'] }] },
    ],
    [
      'the service refused',
      changed,
      { kind: 'refused', error: anError('forbidden', 403) },
      {
        state: 'refused',
        endedAt: SENT,
        evidence: [{ kind: 'refused', error: { kind: 'forbidden', status: 403 } }],
      },
    ],
    [
      'it was not even tried',
      changed,
      {
        kind: 'refused',
        error: { ...anError('missing', null), kind: 'invalid', fault: { kind: 'blank-tag' } },
      },
      { state: 'refused', evidence: [{ kind: 'unsendable', fault: { kind: 'blank-tag' } }] },
    ],
    [
      'the answer was lost',
      device,
      { kind: 'unknown', error: anError('timeout', null) },
      {
        state: 'unknown',
        endedAt: null,
        evidence: [{ kind: 'answer-lost', error: { kind: 'timeout' } }, { kind: 'looking' }],
      },
    ],
  ])('%s', (_what, edit, outcome, expected) => {
    expect(afterSending(claimed, edit, outcome, SENT)).toMatchObject(expected);
  });

  it('is not known after a stop between the claim and the answer', () => {
    expect(afterInterruption(claimed)).toMatchObject({ state: 'unknown', endedAt: null });
  });

  it('is never verified by fields that nothing shows', () => {
    const shown = concludeEdit(claimed, device, { ...fine, unconfirmed: ['customName', 'exception'] }, SENT);
    expect(shown.state).toBe('accepted');
  });
});

const lost = afterInterruption(claimed);
const accepted = { ...claimed, state: 'accepted', acceptedAt: SENT } as const;
const soon = later(SENT, MINUTE);
const late = later(SENT, 5 * MINUTE);
const shown = (findings: Partial<ReadBackFindings<EditedField>> = {}) =>
  ({ kind: 'shown', findings: { ...fine, ...findings } }) as const;

describe('an edit that was answered by an error with a good status', () => {
  const declined = afterSending(claimed, device, { kind: 'unknown', error: DECLINED }, SENT);

  it('is verified where it is shown', () => {
    expect(evaluateEdit(declined, device, shown(), soon)).toMatchObject({ state: 'verified' });
  });

  it('is looked for, and then a refusal in the words of the service', () => {
    const other = shown({ notApplied: ['exception'] });
    expect(evaluateEdit(declined, device, other, soon)).toBe(declined);
    expect(evaluateEdit(declined, device, other, late)).toMatchObject({
      state: 'refused',
      endedAt: late,
      evidence: [{ kind: 'refused', error: { status: 201, detail: DECLINED.detail } }],
    });
  });
});

describe('searching for an edit', () => {
  it('finds one whose answer was lost by how it reads', () => {
    expect(evaluateEdit(lost, device, shown(), soon)).toMatchObject({
      state: 'verified',
      endedAt: soon,
      evidence: [{ kind: 'shown-after-loss' }, { kind: 'confirmed', fields: ['customName', 'exception'] }],
    });
  });

  it.each([
    [
      'one that does not read so yet',
      shown({ notApplied: ['exception'] }),
      { kind: 'other-values', fields: ['exception'] },
    ],
    [
      'one that nothing shows',
      shown({ unconfirmed: ['customName', 'exception'] }),
      { kind: 'not-shown', fields: ['customName', 'exception'] },
    ],
    ['one whose thing is not there', { kind: 'absent' }, { kind: 'gone', thing: 'device' }],
    ['one that could be several', { kind: 'several', count: 2 }, { kind: 'several-groups', groups: 2 }],
  ] as const)(
    'leaves %s as it is until its time is over, then says that it is not known',
    (_what, sight, why) => {
      expect(evaluateEdit(lost, device, sight, soon)).toBe(lost);
      expect(evaluateEdit(lost, device, sight, late)).toMatchObject({
        state: 'unknown',
        endedAt: late,
        evidence: [{ kind: 'edit-unconfirmed', answerLost: true }, why],
      });
    },
  );

  it('ends an accepted one that never shows as not verified', () => {
    const nothing = shown({ unconfirmed: ['customName', 'exception'] });
    expect(evaluateEdit(accepted, device, nothing, soon)).toBe(accepted);
    expect(evaluateEdit(accepted, device, nothing, late)).toMatchObject({
      state: 'not_verified',
      endedAt: late,
      evidence: [
        { kind: 'edit-unconfirmed', answerLost: false },
        { kind: 'not-shown', fields: ['customName', 'exception'] },
      ],
    });
  });

  it('knows that a device or group is gone, but not of a group that was never there', () => {
    const absent = { kind: 'absent' } as const;
    for (const target of [lost, accepted]) {
      expect(saysGone(evaluateEdit(target, device, absent, late).evidence)).toBe(true);
      expect(saysGone(evaluateEdit(target, made, absent, late).evidence)).toBe(false);
    }
  });

  it('names at once the fields that a found group has otherwise', () => {
    expect(evaluateEdit(lost, made, shown({ notApplied: ['policyIds'] }), soon)).toMatchObject({
      state: 'not_verified',
      evidence: expect.arrayContaining([{ kind: 'other-values', fields: ['policyIds'] }]),
    });
  });
});

describe('removals', () => {
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
      expect(evaluateRemoval(target, { thing: 'device', gone }, now)).toMatchObject({
        ...state,
        endedAt: now,
      });
    });

    it.each([accepted, unknown, afterInterruption(claimed)])(
      'goes on while it is there: $state',
      (target) => {
        expect(evaluateRemoval(target, { thing: 'device', gone: false }, SENT)).toBe(target);
      },
    );
  });

  it('what was removed is known to be gone', () => {
    expect(saysGone([removed])).toBe(true);
    expect(saysGone([stillThere])).toBe(false);
  });
});
