/** Creating and changing policies (§4.10). */
import type { PolicyId } from '../../lib/ids.ts';
import type { FleetReader, WriteOptions } from '../fleet.ts';
import type { NewPolicy, PolicyChange, PolicyField } from '../model/changes.ts';
import type { AppliedChange, EditOutcome, FleetEditor } from '../model/edits.ts';
import type { Policy } from '../model/policy.ts';
import { readRawPolicy } from '../reads/policies.ts';
import { compare, unconfirmedFindings } from './compare.ts';
import { type EditContext, PERSON_LANE, type Update } from './edit-context.ts';
import { policyFieldComparisons, policyPut, toWireNewPolicy, validatePolicy } from './policy-fields.ts';
import { replace } from './replace.ts';
import { doneEdit, NOTHING_NAMED, readBack, refusedUnsentEdit, sendWrite } from './send.ts';

const CREATE = { method: 'POST', path: '/policies' } as const;
const UPDATE = { method: 'PUT', path: '/policies/{id}' } as const;

export function policyEdits(context: EditContext): Pick<FleetEditor, 'createPolicy' | 'updatePolicy'> {
  return {
    createPolicy: (policy, options) => createPolicy(context, policy, options),
    updatePolicy: (id, change, options) => updatePolicy(context, { id, change, options }),
  };
}

async function createPolicy(
  context: EditContext,
  policy: NewPolicy,
  options: WriteOptions | undefined,
): Promise<EditOutcome<AppliedChange<Policy, PolicyField>>> {
  const { calls, reads, reader, organizationId: o, dialect } = context;
  const fault = validatePolicy(policy, dialect);
  if (fault !== null) return refusedUnsentEdit(CREATE, fault);
  const body = toWireNewPolicy(policy, o, dialect);
  const sent = await sendWrite(calls, { ...CREATE, query: { o }, body }, options);
  if (sent.kind !== 'answered') return sent;
  // 201 without a body and without an id; names are unique (management API in practice, 9).
  const id = await readBack(findOnlyPolicyNamed(reader, policy.name));
  const made = id === null ? null : await readBack(readRawPolicy(reads, o, id, PERSON_LANE));
  const wanted = policyFieldComparisons(policy);
  return doneEdit(
    made === null
      ? { after: null, ...unconfirmedFindings(wanted) }
      : { after: made.read, ...compare(wanted, null, made) },
  );
}

/** Null when the name does not identify one policy: none has it, or several have. */
async function findOnlyPolicyNamed(
  reader: Pick<FleetReader, 'policies'>,
  name: string,
): Promise<PolicyId | null> {
  const found: PolicyId[] = [];
  for await (const { rows } of reader.policies(PERSON_LANE))
    found.push(...rows.filter((policy) => policy.name === name).map(({ id }) => id));
  const [only, another] = found;
  return only === undefined || another !== undefined ? null : only;
}

async function updatePolicy(context: EditContext, { id, change, options }: Update<PolicyId, PolicyChange>) {
  const { calls, reads, organizationId: o, dialect } = context;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? NOTHING_NAMED : validatePolicy(change, dialect);
  if (fault !== null) return refusedUnsentEdit(UPDATE, fault);
  return replace(calls, {
    path: UPDATE.path,
    id,
    read: () => readRawPolicy(reads, o, id, PERSON_LANE),
    put: (before) => policyPut(before, change, { o }),
    comparisons: () => policyFieldComparisons(change),
    options,
  });
}
