import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCommand, encodeCommand, type WireCommand } from '../../src/fleet/commands.ts';
import type { FleetCommand } from '../../src/fleet/model.ts';

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
  it.each(['', 'policy_99_test', 'GetHostname', 'reboot', 'InstallUpdate'])(
    'of type "%s" is none of ours',
    (type) => {
      expect(decodeCommand({ type, args: '' })).toBeNull();
    },
  );

  it('may have its arguments quoted as a whole', () => {
    expect(decodeCommand({ type: 'InstallUpdate', args: '"KB1 KB2"' })).toEqual({
      kind: 'patch',
      packages: ['KB1', 'KB2'],
    });
  });
});
