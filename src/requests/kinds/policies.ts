/** Policies made and edited: proven by reading the policy back; a new one is found by its name. */

import { readPolicyForEdit } from '../../fleet/facts/read-facts.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import type { PolicyCreate, PolicyEdit, PolicyUpdate } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { clip } from '../clip.ts';
import { notSent } from '../target.ts';
import { claimForEdit, type EditObservation, editLook, shownUnlessMissing } from './edit-look.ts';
import type { ActionKind, LookPorts } from './kind.ts';

export const policyCreateKind: ActionKind<PolicyCreate> = {
  read: readPolicy,
  look: editLook(observeCreation),
};

export const policyEditKind: ActionKind<PolicyUpdate> = {
  read: readPolicy,
  look: editLook(({ editor }, { policyId, change }) =>
    shownUnlessMissing(() => editor.checkPolicy(policyId, change)),
  ),
};

async function readPolicy(
  ...[{ reader, clock }, { action, lane }]: Parameters<ActionKind<PolicyEdit>['read']>
): ReturnType<ActionKind<PolicyEdit>['read']> {
  const facts = await readPolicyForEdit(reader, action, { asOf: clock.now(), lane });
  if (facts === null) return null;
  const { twin } = facts;
  const { name = '' } = action.kind === 'policy-create' ? action.policy : action.change;
  return { facts, claim: (target, now) => claimUnlessTaken(target, { name, twin }, now) };
}

/** The service would refuse the name, and a lost answer to a creation is looked for by it. */
function claimUnlessTaken(
  target: RequestTarget,
  { name, twin }: { readonly name: string; readonly twin: PolicyId | null },
  now: Instant,
): RequestTarget {
  if (twin === null) return claimForEdit(target, now);
  return notSent(target, { kind: 'name-taken', name: clip(name, 80), policy: twin }, now);
}

/** By its name: before it was made there was none, or it was not made. */
async function observeCreation(
  { editor, reader }: Omit<LookPorts, 'reader'> & { readonly reader: Pick<FleetReader, 'policies'> },
  { policy }: PolicyCreate,
): Promise<EditObservation> {
  const ids: PolicyId[] = [];
  for await (const { rows } of reader.policies({ lane: 'background' }))
    ids.push(...rows.filter(({ name }) => name === policy.name).map(({ id }) => id));
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'several', count: ids.length };
  return shownUnlessMissing(async () => ({ ...(await editor.checkPolicy(only, policy)), policyId: only }));
}
