/** From names to the group, policy or device that a subscription or a silence is about. */

import { groupLabel } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { deviceId } from '../../lib/ids.ts';
import type { AlertFilter, SilenceScope } from '../../store/port/alert-records.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { View } from '../../views/types.ts';
import type { ReadPorts } from '../core/command.ts';
import { problemView } from '../parser/usage-errors.ts';
import type { NameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY, withDevice } from '../targets/resolve-device.ts';
import {
  resolveGroup,
  resolvePolicy,
  unknownGroupView,
  unknownPolicyProblem,
} from '../targets/resolve-group-or-policy.ts';

type ResolvedScope<T> =
  | { readonly kind: 'named'; readonly value: T }
  /** A choice among several, or what was not found. */
  | { readonly kind: 'view'; readonly view: View };

type RetryWithId = (id: number) => CommandChoice;

const NONE = { kind: 'named', value: null } as const;

/** Null where no group was named. Throws FleetFailure. */
export async function groupForScope(
  ref: NameOrId | null,
  again: RetryWithId,
  ports: ReadPorts,
): Promise<ResolvedScope<AlertFilter['group']>> {
  if (ref === null) return NONE;
  const found = await resolveGroup(ref, again, ports);
  if (found.kind === 'view') return found;
  const { groups } = await ports.inventory.snapshot(PERSON_PRIORITY);
  const group = groups.get(found.id);
  if (group === undefined) return { kind: 'view', view: unknownGroupView(`#${found.id}`) };
  return { kind: 'named', value: { id: group.id, name: groupLabel(group) } };
}

/** Null where no policy was named. Throws FleetFailure. */
export async function policyForScope(
  ref: NameOrId | null,
  again: RetryWithId,
  ports: ReadPorts,
): Promise<ResolvedScope<AlertFilter['policy']>> {
  if (ref === null) return NONE;
  const found = await resolvePolicy(ref, again, ports);
  if (found.kind === 'view') return found;
  const all = await collectRows(ports.fleet.policies(PERSON_PRIORITY));
  const policy = all.find(({ id }) => id === found.id);
  if (policy === undefined) return { kind: 'view', view: problemView(unknownPolicyProblem(found.id)) };
  return { kind: 'named', value: { id: policy.id, name: policy.name } };
}

/** Null where no device was named. Throws FleetFailure. */
export async function deviceForScope(
  ref: NameOrId | null,
  again: (device: NameOrId) => CommandChoice,
  ports: ReadPorts,
): Promise<ResolvedScope<SilenceScope['device']>> {
  if (ref === null) return NONE;
  const read = await withDevice({ device: ref, again }, ports, async (id) => {
    const device = await ports.fleet.device(id, PERSON_PRIORITY);
    return { id: deviceId(device.id), name: displayName(device) };
  });
  switch (read.kind) {
    case 'done':
      return { kind: 'named', value: read.value };
    case 'view':
      return read;
    case 'problem':
      return { kind: 'view', view: problemView(read.problem) };
  }
}
