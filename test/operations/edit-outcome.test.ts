import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../src/clock.ts';
import type { EditedField, Findings } from '../../src/fleet/edits.ts';
import type { FleetEdit } from '../../src/fleet/orders.ts';
import { groupId, policyId } from '../../src/ids.ts';
import { judgeEdit } from '../../src/operations/edit-look.ts';
import { afterEdit, afterEditStop, concluded, type EditEnd } from '../../src/operations/edit-outcome.ts';
import { aTarget, SENT } from './builders.ts';
import { anError } from './simulated-fleet.ts';

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
const fine: EditEnd = { notTaken: [], sentUnconfirmed: [], alsoChanged: [] };
const end = (
  findings: Partial<Findings<EditedField>> = {},
  id?: number,
): Parameters<typeof afterEdit>[2] => ({
  kind: 'done',
  result: { ...fine, ...findings, ...(id === undefined ? {} : { groupId: groupId(id) }) },
});

describe('what became of an edit', () => {
  it.each<readonly [string, FleetEdit, Parameters<typeof afterEdit>[2], object]>([
    [
      'everything reads as sent',
      device,
      end(),
      {
        state: 'verified',
        endedAt: SENT,
        evidence: 'Confirmed custom name, exclusion from reports and statistics.',
      },
    ],
    [
      'a name alone was changed',
      { kind: 'device-edit', change: { customName: 'front door' } },
      end(),
      { state: 'verified', endedAt: SENT, evidence: 'Confirmed custom name “front door”.' },
    ],
    [
      'a name was taken away',
      { kind: 'device-edit', change: { customName: null } },
      end(),
      { state: 'verified', endedAt: SENT, evidence: 'Confirmed custom name (none).' },
    ],
    [
      'a field was not taken',
      device,
      end({ notTaken: ['exception'] }),
      {
        state: 'not_verified',
        endedAt: SENT,
        evidence:
          'Confirmed custom name. The management service shows other values for exclusion from reports and statistics.',
      },
    ],
    [
      'a group was made, and not all of it is echoed',
      made,
      end({ sentUnconfirmed: ['wsus', 'policyIds'] }, 31),
      {
        state: 'verified',
        endedAt: SENT,
        evidence:
          'It is group #31. Confirmed name, parent group, scan interval. Sent but not shown by the management service: source of Windows updates, policies.',
      },
    ],
    [
      'it could not be read back',
      device,
      end({ sentUnconfirmed: ['customName', 'exception'] }),
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
    expect(afterEdit(claimed, edit, outcome, SENT)).toMatchObject(expected);
  });

  it('is not known after a stop between the claim and the answer', () => {
    expect(afterEditStop(claimed)).toMatchObject({ state: 'unknown', endedAt: null });
  });

  it('is never verified by fields that nothing shows', () => {
    const shown = concluded(claimed, device, { ...fine, sentUnconfirmed: ['customName', 'exception'] }, SENT);
    expect(shown.state).toBe('accepted');
  });
});

const lost = afterEditStop(claimed);
const accepted = { ...claimed, state: 'accepted', acceptedAt: SENT } as const;
const soon = later(SENT, MINUTE);
const late = later(SENT, 5 * MINUTE);
const shown = (findings: Partial<Findings<EditedField>> = {}) =>
  ({ kind: 'shown', end: { ...fine, ...findings } }) as const;

describe('looking for an edit', () => {
  it('finds one whose answer was lost by how it reads', () => {
    expect(judgeEdit(lost, device, shown(), soon)).toMatchObject({
      state: 'verified',
      endedAt: soon,
      evidence: expect.stringContaining('The answer was lost, but the change is visible now.'),
    });
  });

  it.each([
    ['one that does not read so yet', shown({ notTaken: ['exception'] })],
    ['one that nothing shows', shown({ sentUnconfirmed: ['customName', 'exception'] })],
    ['one whose thing is not there', { kind: 'absent' }],
    ['one that could be several', { kind: 'several', count: 2 }],
  ] as const)('leaves %s as it is until its time is over, then says that it is not known', (_what, sight) => {
    expect(judgeEdit(lost, device, sight, soon)).toBe(lost);
    expect(judgeEdit(lost, device, sight, late)).toMatchObject({
      state: 'unknown',
      endedAt: late,
      evidence: expect.stringMatching(/^The answer was lost, .* It was not sent again\.$/),
    });
  });

  it('ends an accepted one that never shows as not verified', () => {
    const nothing = shown({ sentUnconfirmed: ['customName', 'exception'] });
    expect(judgeEdit(accepted, device, nothing, soon)).toBe(accepted);
    expect(judgeEdit(accepted, device, nothing, late)).toMatchObject({
      state: 'not_verified',
      endedAt: late,
    });
  });

  it('names what a group that was found took otherwise, at once', () => {
    expect(judgeEdit(lost, made, shown({ notTaken: ['policyIds'] }), soon)).toMatchObject({
      state: 'not_verified',
      evidence: expect.stringContaining('The management service shows other values for policies.'),
    });
  });
});
