import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetCommand } from '../../src/fleet/model/actions.ts';
import type { QueueEntry } from '../../src/fleet/model/resources.ts';
import {
  decodeCommand,
  encodeCommand,
  findQueuedDuplicate,
  isUnanswered,
  type WireCommand,
} from '../../src/fleet/queue-entries.ts';
import { instant } from '../../src/lib/clock.ts';
import { policyId } from '../../src/lib/ids.ts';
import { aQueueEntry, aResponse } from '../harness/builders.ts';

function wire(command: FleetCommand): WireCommand | null {
  const encoded = encodeCommand(command);
  return encoded.kind === 'encoded' ? encoded.command : null;
}

describe('a command on the wire', () => {
  it.each<[FleetCommand, WireCommand]>([
    [{ kind: 'scan' }, { type: 'GetOS', args: '' }],
    [{ kind: 'reboot' }, { type: 'Reboot', args: '' }],
    [{ kind: 'patch-all' }, { type: 'InstallAllUpdates', args: '' }],
    [
      { kind: 'patch', packages: ['KB12345', '{GUID-1}'] },
      { type: 'InstallUpdate', args: 'KB12345 {GUID-1}' },
    ],
    [
      { kind: 'policy-test', policyId: policyId(99) },
      { type: 'policy_99_test', args: '' },
    ],
    [
      { kind: 'policy-remediate', policyId: policyId(99) },
      { type: 'policy_99_remediate', args: '' },
    ],
  ])('%j is spelled %j', (command, expected) => {
    expect(wire(command)).toEqual(expected);
  });

  it.each(['', ' ', 'two words', 'tab\tbed', 'line\nbreak', 'a\u00a0b', 'quo"ted', 'bell\u0007'])(
    'cannot name the package %j',
    (name) => {
      expect(encodeCommand({ kind: 'patch', packages: ['fine', name] })).toEqual({
        kind: 'inexpressible',
        reason: 'package-name',
        name,
      });
    },
  );

  it('cannot be an install of nothing', () => {
    expect(encodeCommand({ kind: 'patch', packages: [] })).toMatchObject({ reason: 'no-packages' });
  });

  it('is read back as the same command, or is refused', () => {
    const command = fc.oneof(
      fc.constantFrom<FleetCommand>({ kind: 'scan' }, { kind: 'reboot' }, { kind: 'patch-all' }),
      fc
        .record({
          kind: fc.constantFrom('policy-test' as const, 'policy-remediate' as const),
          id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        })
        .map(({ kind, id }): FleetCommand => ({ kind, policyId: policyId(id) })),
      fc.array(fc.string(), { maxLength: 5 }).map((packages): FleetCommand => ({ kind: 'patch', packages })),
      fc
        .array(fc.stringMatching(/^[\w{}.,:+-]{1,20}$/), { minLength: 1, maxLength: 5 })
        .map((packages): FleetCommand => ({ kind: 'patch', packages })),
    );
    fc.assert(
      fc.property(command, (one) => {
        const sent = wire(one);
        if (sent !== null) expect(decodeCommand(sent)).toEqual(one);
        else expect(one.kind).toBe('patch');
      }),
    );
  });
});

describe('an entry of a queue', () => {
  it.each([
    '',
    'GetHostname',
    'reboot',
    'InstallUpdate',
    'policy_0_test',
    'policy_007_test',
    'policy_-1_test',
    'policy_9007199254740993_test',
    'policy__test',
    'policy_99_delete',
    'policy_99_test ',
    'xpolicy_99_test',
  ])('of type "%s" is not ours', (type) => {
    expect(decodeCommand({ type, args: '' })).toBeNull();
  });

  it('may have its arguments quoted as a whole', () => {
    expect(decodeCommand({ type: 'InstallUpdate', args: '"KB1 KB2"' })).toEqual({
      kind: 'patch',
      packages: ['KB1', 'KB2'],
    });
  });
});

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
    expect(isUnanswered(aQueueEntry(change))).toBe(expected);
  });
});

describe('a waiting entry does the same as a command', () => {
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
    expect(findQueuedDuplicate(command, [entry])).toBe(expected ? entry : null);
  });
});
