import { describe, expect, it } from 'vitest';
import { instant } from '../../src/clock.ts';
import type { FleetCommand, QueueEntry } from '../../src/fleet/model.ts';
import { policyId, queueEntryId } from '../../src/ids.ts';
import { isPending, newEntries, pendingSame } from '../../src/operations/queue.ts';
import { aTarget } from './builders.ts';

function entry(change: Partial<QueueEntry> = {}): QueueEntry {
  return {
    id: queueEntryId(1),
    type: 'Reboot',
    args: '',
    policyId: policyId(0),
    execTime: null,
    response: null,
    responseTime: null,
    ...change,
  };
}
const reboot: FleetCommand = { kind: 'reboot' };
const patch: FleetCommand = { kind: 'patch', packages: ['a', 'b'] };
const before = aTarget().before;

describe('an entry waits', () => {
  it.each([
    ['nothing was answered', {}, true],
    ['words were answered', { response: 'ok' }, false],
    ['an empty answer is an answer', { response: '' }, false],
    ['only the time of an answer is known', { responseTime: instant(1) }, false],
  ])('%s', (_what, change, expected) => {
    expect(isPending(entry(change))).toBe(expected);
  });
});

describe('an entry says the same as a command', () => {
  it.each([
    ['a reboot as a reboot', reboot, {}, true],
    ['a scan as a reboot', reboot, { type: 'GetOS' }, false],
    ['an empty type as anything', reboot, { type: '' }, false],
    ['a policy as anything', reboot, { type: 'policy_7_remediate' }, false],
    ['the same packages', patch, { type: 'InstallUpdate', args: 'a b' }, true],
    ['the same packages in another order', patch, { type: 'InstallUpdate', args: 'b a' }, true],
    ['the same packages in quotes', patch, { type: 'InstallUpdate', args: '"a b"' }, true],
    ['fewer packages', patch, { type: 'InstallUpdate', args: 'a' }, false],
    ['more packages', patch, { type: 'InstallUpdate', args: 'a b c' }, false],
    ['a package twice', patch, { type: 'InstallUpdate', args: 'a a' }, false],
    ['everything instead of some', patch, { type: 'InstallAllUpdates' }, false],
    ['everything as everything', { kind: 'patch-all' }, { type: 'InstallAllUpdates' }, true],
    ['a scan as a scan', { kind: 'scan' }, { type: 'GetOS' }, true],
  ] as const)('%s', (_what, command, change, expected) => {
    expect(newEntries(command, before, [entry(change)]).length === 1).toBe(expected);
    expect(pendingSame(command, [entry(change)]) !== null).toBe(expected);
  });
});

describe('which entries may be ours', () => {
  it('none that was there before', () => {
    const known = { ...before, queueIds: [queueEntryId(1)] };
    expect(newEntries(reboot, known, [entry(), entry({ id: queueEntryId(2) })])).toMatchObject([{ id: 2 }]);
  });

  it('none that a policy made, though it may say the same', () => {
    const policies = [entry({ policyId: policyId(99) }), entry({ id: queueEntryId(2), policyId: null })];
    expect(newEntries(reboot, before, policies)).toMatchObject([{ id: 2 }]);
    expect(pendingSame(reboot, [entry({ policyId: policyId(99) })])).not.toBeNull();
  });
});
