/** From names to the group, policy or device that a subscription or a silence is about. */
import { collectRows } from '../../fleet/collect-rows.ts';
import { displayName } from '../../fleet/model.ts';
import { deviceId } from '../../ids.ts';
import { groupLabel } from '../../inventory/directory.ts';
import type { AlertFilter, SilenceScope } from '../../store/alert-records.ts';
import type { View } from '../../views/model.ts';
import type { Choice } from '../../views/models/report-model.ts';
import type { ReadPorts } from '../command.ts';
import { problemView } from '../line/faults.ts';
import { groupMeant, noSuchGroup } from '../targets/group-meant.ts';
import type { Ref } from '../targets/named.ts';
import { noSuchPolicy, policyMeant } from '../targets/policy-meant.ts';
import { PERSON, withDevice } from '../targets/resolve.ts';

export type Named<T> =
  | { readonly kind: 'named'; readonly value: T }
  /** A choice among several, or what was not found. */
  | { readonly kind: 'view'; readonly view: View };

/** `again` runs the command with one of several. */
type Again = (id: number) => Choice;

const NONE = { kind: 'named', value: null } as const;

/** Null where no group was named. Throws FleetFailure. */
export async function groupNamed(
  given: Ref | null,
  again: Again,
  ports: ReadPorts,
): Promise<Named<AlertFilter['group']>> {
  if (given === null) return NONE;
  const found = await groupMeant(given, again, ports);
  if (found.kind === 'view') return found;
  const { groups } = await ports.inventory.snapshot(PERSON);
  const group = groups.get(found.id);
  if (group === undefined) return { kind: 'view', view: noSuchGroup(`#${found.id}`) };
  return { kind: 'named', value: { id: group.id, name: groupLabel(group) } };
}

/** Null where no policy was named. Throws FleetFailure. */
export async function policyNamed(
  given: Ref | null,
  again: Again,
  ports: ReadPorts,
): Promise<Named<AlertFilter['policy']>> {
  if (given === null) return NONE;
  const found = await policyMeant(given, again, ports);
  if (found.kind === 'view') return found;
  const all = await collectRows(ports.fleet.policies(PERSON));
  const policy = all.find(({ id }) => id === found.id);
  if (policy === undefined) return { kind: 'view', view: problemView(noSuchPolicy(found.id)) };
  return { kind: 'named', value: { id: policy.id, name: policy.name } };
}

/** Null where no device was named. Throws FleetFailure. */
export async function deviceNamed(
  given: Ref | null,
  again: (device: Ref) => Choice,
  ports: ReadPorts,
): Promise<Named<SilenceScope['device']>> {
  if (given === null) return NONE;
  const read = await withDevice({ device: given, again }, ports, async (id) => {
    const device = await ports.fleet.device(id, PERSON);
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
