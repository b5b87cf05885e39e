import { describe, expect, it } from 'vitest';
import { instant } from '../../src/clock.ts';
import type { FleetCommand, QueueEntry } from '../../src/fleet/model.ts';
import { isPending, pendingSame } from '../../src/fleet/pending.ts';
import { policyId } from '../../src/ids.ts';
import { aQueueEntry, aResponse } from '../harness/builders.ts';

const reboot: FleetCommand = { kind: 'reboot' };
const patch: FleetCommand = { kind: 'patch', packages: ['a', 'b'] };
const remediate: FleetCommand = { kind: 'policy-remediate', policyId: policyId(7) };

describe('an entry waits', () => {
  it.each([
    ['nothing was answered', {}, true],
    ['words were answered', { response: aResponse(0, 'ok') }, false],
    ['an empty answer is an answer', { response: aResponse() }, false],
    ['only the time of an answer is known', { responseTime: instant(1) }, false],
  ])('%s', (_what, change, expected) => {
    expect(isPending(aQueueEntry(change))).toBe(expected);
  });
});

describe('an entry that waits does the same as a command', () => {
  it.each<readonly [string, FleetCommand, Partial<QueueEntry>, boolean]>([
    ['a reboot as a reboot', reboot, {}, true],
    ['one that a policy put there', reboot, { policyId: policyId(99) }, true],
    ['one that was answered', reboot, { response: aResponse() }, false],
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
    ['a policy as itself', remediate, { type: 'policy_7_remediate' }, true],
    ['another policy', remediate, { type: 'policy_8_remediate' }, false],
    ['the test of a policy as its remediation', remediate, { type: 'policy_7_test' }, false],
    [
      'the test of a policy as itself',
      { kind: 'policy-test', policyId: policyId(7) },
      { type: 'policy_7_test' },
      true,
    ],
    ['a reboot that the policy put there', remediate, { policyId: policyId(7) }, false],
    ['a scan as a scan', { kind: 'scan' }, { type: 'GetOS' }, true],
  ])('%s', (_what, command, change, expected) => {
    const entry = aQueueEntry(change);
    expect(pendingSame(command, [entry])).toBe(expected ? entry : null);
  });
});
