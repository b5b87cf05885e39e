import { describe, expect, it } from 'vitest';
import { policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { entriesPossiblyOurs } from '../../../src/requests/proof/queue-match.ts';
import { aQueueEntry } from '../../harness/builders.ts';
import { aTarget } from '../builders.ts';

const reboot = { kind: 'reboot' } as const;
const { before } = aTarget();
const first = aQueueEntry({ id: queueEntryId(1) });

describe('which queue entries may be ours', () => {
  it('those of the same command, and none of another', () => {
    expect(entriesPossiblyOurs(reboot, before, [first])).toEqual([first]);
    expect(entriesPossiblyOurs({ kind: 'scan' }, before, [first])).toEqual([]);
  });

  it('none that was there before', () => {
    const known = { ...before, queueIds: [queueEntryId(1)] };
    expect(entriesPossiblyOurs(reboot, known, [first, aQueueEntry({ id: queueEntryId(2) })])).toMatchObject([
      { id: 2 },
    ]);
  });

  it('none that a policy made, though it may say the same', () => {
    const policies = [{ ...first, policyId: policyId(99) }, aQueueEntry({ id: queueEntryId(2) })];
    expect(entriesPossiblyOurs(reboot, before, policies)).toMatchObject([{ id: 2 }]);
  });

  it('of a policy, those of that very policy, whether or not they carry its number', () => {
    const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const of = (id: number, type: string, carried: number | null) =>
      aQueueEntry({
        id: queueEntryId(id),
        type,
        args: '',
        policyId: carried === null ? null : policyId(carried),
      });
    const queue = [
      of(1, 'policy_12_remediate', null),
      of(2, 'policy_12_remediate', 0),
      of(3, 'policy_12_remediate', 12),
      of(4, 'policy_12_remediate', 13),
      of(5, 'policy_13_remediate', 0),
      of(6, 'policy_12_test', 0),
    ];
    expect(entriesPossiblyOurs(remediate, before, queue).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
