import { describe, expect, it } from 'vitest';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import type { EditedField, ReadBackFindings } from '../../../src/fleet/model/edits.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { evaluateEdit } from '../../../src/operations/follow/look-for-edit.ts';
import {
  concludeEdit,
  type EditFindings,
  targetAfterEdit,
  targetAfterInterruptedEdit,
} from '../../../src/operations/proof/edit-outcome.ts';
import { aTarget, SENT } from '../builders.ts';
import { anError } from '../simulated-fleet.ts';

const device: FleetEdit = { kind: 'device-edit', change: { customName: 'Front door', exception: true } };
const made: FleetEdit = {
  kind: 'group-create',
  group: {
    name: 'Web',
    parentId: groupId(1),
    refreshIntervalMinutes: 720,
    wsus: { enabled: null },
    policyIds: [policyId(3)],
  },
};
const changed: FleetEdit = { kind: 'group-edit', groupId: groupId(5), change: { notes: 'x' } };
const claimed = aTarget({ state: 'issuing', acceptedAt: null, deadlineAt: later(SENT, 5 * MINUTE) });
const fine: EditFindings = { notApplied: [], unconfirmed: [], alsoChanged: [] };
const end = (
  findings: Partial<ReadBackFindings<EditedField>> = {},
  id?: number,
): Parameters<typeof targetAfterEdit>[2] => ({
  kind: 'done',
  result: { ...fine, ...findings, ...(id === undefined ? {} : { groupId: groupId(id) }) },
});

describe('the outcome of an edit', () => {
  it.each<readonly [string, FleetEdit, Parameters<typeof targetAfterEdit>[2], object]>([
    [
      'everything reads as sent',
      device,
      end(),
      {
        state: 'verified',
        endedAt: SENT,
        evidence: 'Set as requested: custom name, exclusion from reports and statistics.',
      },
    ],
    [
      'a name alone was changed',
      { kind: 'device-edit', change: { customName: 'front door' } },
      end(),
      { state: 'verified', endedAt: SENT, evidence: 'Set as requested: custom name “front door”.' },
    ],
    [
      'a name was taken away',
      { kind: 'device-edit', change: { customName: null } },
      end(),
      { state: 'verified', endedAt: SENT, evidence: 'Set as requested: custom name (none).' },
    ],
    [
      'a field was not taken',
      device,
      end({ notApplied: ['exception'] }),
      {
        state: 'not_verified',
        endedAt: SENT,
        evidence:
          'Set as requested: custom name. The management service shows other values for exclusion from reports and statistics.',
      },
    ],
    [
      'a group was made, and not all of it is echoed',
      made,
      end({ unconfirmed: ['wsus', 'policyIds'] }, 31),
      {
        state: 'verified',
        endedAt: SENT,
        evidence:
          'It is group #31. Set as requested: name, parent group, scan interval. Sent but not shown by the management service: source of Windows updates, policies.',
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
      {
        state: 'verified',
        evidence: expect.stringContaining('Color also changed, maybe by someone else.'),
      },
    ],
    [
      'the service refused',
      changed,
      { kind: 'refused', error: anError('forbidden', 403) },
      {
        state: 'refused',
        endedAt: SENT,
        evidence: expect.stringMatching(/^The management service did not accept the change\./),
      },
    ],
    [
      'it was not even tried',
      changed,
      {
        kind: 'refused',
        error: { ...anError('missing', null), kind: 'invalid', detail: 'a tag cannot be blank' },
      },
      { state: 'refused', evidence: 'Nothing was sent: a tag cannot be blank.' },
    ],
    [
      'the answer was lost',
      device,
      { kind: 'unknown', error: anError('timeout', null) },
      { state: 'unknown', endedAt: null, evidence: expect.stringContaining('won’t send it again') },
    ],
  ])('%s', (_what, edit, outcome, expected) => {
    expect(targetAfterEdit(claimed, edit, outcome, SENT)).toMatchObject(expected);
  });

  it('is not known after a stop between the claim and the answer', () => {
    expect(targetAfterInterruptedEdit(claimed)).toMatchObject({ state: 'unknown', endedAt: null });
  });

  it('is never verified by fields that nothing shows', () => {
    const shown = concludeEdit(claimed, device, { ...fine, unconfirmed: ['customName', 'exception'] }, SENT);
    expect(shown.state).toBe('accepted');
  });
});

const lost = targetAfterInterruptedEdit(claimed);
const accepted = { ...claimed, state: 'accepted', acceptedAt: SENT } as const;
const soon = later(SENT, MINUTE);
const late = later(SENT, 5 * MINUTE);
const shown = (findings: Partial<ReadBackFindings<EditedField>> = {}) =>
  ({ kind: 'shown', end: { ...fine, ...findings } }) as const;

describe('searching for an edit', () => {
  it('finds one whose answer was lost by how it reads', () => {
    expect(evaluateEdit(lost, device, shown(), soon)).toMatchObject({
      state: 'verified',
      endedAt: soon,
      evidence: expect.stringContaining('Patchbay got no clear answer, but the change is visible now.'),
    });
  });

  it.each([
    ['one that does not read so yet', shown({ notApplied: ['exception'] })],
    ['one that nothing shows', shown({ unconfirmed: ['customName', 'exception'] })],
    ['one whose thing is not there', { kind: 'absent' }],
    ['one that could be several', { kind: 'several', count: 2 }],
  ] as const)('leaves %s as it is until its time is over, then says that it is not known', (_what, sight) => {
    expect(evaluateEdit(lost, device, sight, soon)).toBe(lost);
    expect(evaluateEdit(lost, device, sight, late)).toMatchObject({
      state: 'unknown',
      endedAt: late,
      evidence: expect.stringMatching(/^Patchbay got no clear answer, .* It was not sent again\.$/),
    });
  });

  it('knows that a device or group is gone, but not of a group that was never there', () => {
    const absent = { kind: 'absent' } as const;
    for (const target of [lost, accepted]) {
      expect(evaluateEdit(target, device, absent, late).endCause).toBe('gone');
      expect(evaluateEdit(target, made, absent, late).endCause).toBeNull();
    }
  });

  it('ends an accepted one that never shows as not verified', () => {
    const nothing = shown({ unconfirmed: ['customName', 'exception'] });
    expect(evaluateEdit(accepted, device, nothing, soon)).toBe(accepted);
    expect(evaluateEdit(accepted, device, nothing, late)).toMatchObject({
      state: 'not_verified',
      endedAt: late,
    });
  });

  it('names at once the fields that a found group has otherwise', () => {
    expect(evaluateEdit(lost, made, shown({ notApplied: ['policyIds'] }), soon)).toMatchObject({
      state: 'not_verified',
      evidence: expect.stringContaining('The management service shows other values for policies.'),
    });
  });
});
