import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCommand, encodeCommand, type WireCommand } from '../../src/fleet/commands.ts';
import type { FleetCommand } from '../../src/fleet/model.ts';
import { policyId } from '../../src/ids.ts';

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

  it('cannot install nothing', () => {
    expect(encodeCommand({ kind: 'patch', packages: [] })).toMatchObject({ reason: 'no-packages' });
  });

  it('is the same command when it is read back, or is refused', () => {
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
  ])('of type "%s" is none of ours', (type) => {
    expect(decodeCommand({ type, args: '' })).toBeNull();
  });

  it('may have its arguments quoted as a whole', () => {
    expect(decodeCommand({ type: 'InstallUpdate', args: '"KB1 KB2"' })).toEqual({
      kind: 'patch',
      packages: ['KB1', 'KB2'],
    });
  });
});
