/** Making and changing policies, and running one on every device at once (§4.10). */
import type { PolicyId } from '../../ids.ts';
import type { EditOutcome, FleetEditor, NewPolicy, PolicyChange } from '../edits.ts';
import type { FleetReader } from '../fleet.ts';
import type { Policy } from '../policy.ts';
import { wholePolicy } from '../reads/policies.ts';
import { type Desk, FOR_A_PERSON } from './desk.ts';
import { faultOfPolicy, newPolicyWire, policyComparisons, policyPut } from './policy-fields.ts';
import { replace } from './replace.ts';
import { done, readBack, refusedHere, send } from './send.ts';

const CREATE = { method: 'POST', path: '/policies' } as const;
const UPDATE = { method: 'PUT', path: '/policies/{id}' } as const;
const ACT = { method: 'POST', path: '/policies/{id}/action' } as const;

type PolicyEdits = Pick<FleetEditor, 'createPolicy' | 'updatePolicy' | 'remediateEverywhere'>;

export function policyEdits(desk: Desk): PolicyEdits {
  return {
    createPolicy: (policy) => createPolicy(desk, policy),
    updatePolicy: (id, change) => updatePolicy(desk, id, change),
    remediateEverywhere: (id) => remediateEverywhere(desk, id),
  };
}

async function createPolicy(desk: Desk, policy: NewPolicy): Promise<EditOutcome<Policy | null>> {
  const { calls, reader, organizationId: o } = desk;
  const fault = faultOfPolicy(policy);
  if (fault !== null) return refusedHere(CREATE, fault);
  const sent = await send(calls, { ...CREATE, query: { o }, body: newPolicyWire(policy, o) });
  if (sent.kind !== 'answered') return sent;
  // 201 without a body and without an id; names are unique (management API in practice, 9).
  return done(await readBack(onlyPolicyNamed(reader, policy.name)));
}

/** Null where the name does not tell: none has it, or several have. */
async function onlyPolicyNamed(reader: FleetReader, name: string): Promise<Policy | null> {
  const found: Policy[] = [];
  for await (const { rows } of reader.policies(FOR_A_PERSON))
    found.push(...rows.filter((policy) => policy.name === name));
  const [only, another] = found;
  return only === undefined || another !== undefined ? null : only;
}

async function updatePolicy(desk: Desk, id: PolicyId, change: PolicyChange) {
  const { calls, reads, organizationId: o } = desk;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? 'nothing to change was named' : faultOfPolicy(change);
  if (fault !== null) return refusedHere(UPDATE, fault);
  return replace(calls, {
    path: UPDATE.path,
    id,
    read: () => wholePolicy(reads, o, id, FOR_A_PERSON),
    put: (before) => policyPut(before, change, { o }),
    comparisons: () => policyComparisons(change),
  });
}

/** The only sender of `remediateAll`: whatever it is asked for, the service runs the policy on all of its devices. */
async function remediateEverywhere(desk: Desk, id: PolicyId): Promise<EditOutcome<null>> {
  const { calls, organizationId: o, dialect } = desk;
  if (dialect.remediate !== 'action')
    return refusedHere(ACT, 'the documented interface cannot run a policy on all of its devices at once');
  const sent = await send(calls, { ...ACT, id, query: { o }, body: { action: 'remediateAll' } });
  return sent.kind === 'answered' ? done(null) : sent;
}
