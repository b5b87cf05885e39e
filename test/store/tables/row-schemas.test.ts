import { expect, it } from 'vitest';
import { policyId, requestId } from '../../../src/lib/ids.ts';
import { readRow, requestRow, requestTargetRow } from '../../../src/store/tables/rows.ts';
import { someFacts } from '../builders.ts';
import { aRequest, aRequestTarget } from '../request-builders.ts';

const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
const target = aRequestTarget(requestId('r_1'));

const readRequest = (action: object) =>
  readRow(requestRow, 'requests', 'r_1', {
    ...aRequest(),
    action: JSON.stringify(action),
    rules: JSON.stringify(aRequest().rules),
    counts: '{}',
    typedCount: 0,
    reach: 1,
  });

function readTarget(facts: object) {
  const json = { facts: JSON.stringify(facts), before: JSON.stringify(target.before) };
  return readRow(requestTargetRow, 'request_targets', 'r_1', { ...target, ...json, evidence: '[]' });
}

it.each([remediate, { kind: 'policy-test', policyId: policyId(12) } as const])(
  'a command of a policy is read back: %j',
  (action) => {
    const facts = someFacts({ policy: { name: '', type: null, status: 0, digest: 'c0ffee' } });
    expect(readRequest(action)).toMatchObject({ action });
    expect(readTarget(facts)).toMatchObject({ facts });
  },
);

it('a command of a policy without its number is refused', () => {
  expect(() => readRequest({ kind: 'policy-remediate' })).toThrow('bad record');
});
