import { describe, expect, it } from 'vitest';
import { policyId } from '../../../src/lib/ids.ts';
import { approvalRow, readRow, targetRow } from '../../../src/store/tables/row-schemas.ts';
import { anApproval, aTarget, someFacts } from '../builders.ts';

const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;

function storedApproval(command: object, targets: readonly object[]) {
  return { ...anApproval(), command: JSON.stringify(command), targets: JSON.stringify(targets) };
}

describe('records stored before policies were known', () => {
  it('are read as facts about no policy', () => {
    const { policy: _none, ...facts } = someFacts();
    const read = readRow(approvalRow, 'approvals', 'a_1', storedApproval({ kind: 'reboot' }, [facts]));
    expect(read.targets).toEqual([someFacts({ policy: null })]);
  });

  it('are read as facts about a policy whose configuration nobody saw', () => {
    const policy = { name: 'Harden SSH', type: 'custom', status: 0 };
    const row = storedApproval(remediate, [{ ...someFacts(), policy }]);
    const read = readRow(approvalRow, 'approvals', 'a_1', row);
    expect(read.targets).toEqual([someFacts({ policy: { ...policy, digest: null } })]);
  });

  it('are read as a target of no policy', () => {
    const target = aTarget('o_1');
    const { policy: _none, ...before } = target.before;
    const row = { ...target, before: JSON.stringify(before) };
    expect(readRow(targetRow, 'operation_targets', 'o_1', row)).toEqual(target);
  });
});

it.each([remediate, { kind: 'policy-test', policyId: policyId(12) } as const])(
  'a command of a policy is read back: %j',
  (command) => {
    const facts = someFacts({ policy: { name: '', type: null, status: 0, digest: 'c0ffee' } });
    const read = readRow(approvalRow, 'approvals', 'a_1', storedApproval(command, [facts]));
    expect(read).toMatchObject({ command, targets: [facts] });
  },
);

it('a command of a policy without its number is refused', () => {
  const row = storedApproval({ kind: 'policy-remediate' }, [someFacts()]);
  expect(() => readRow(approvalRow, 'approvals', 'a_1', row)).toThrow('bad record');
});
