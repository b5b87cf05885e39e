/** Names of the devices, groups and policies in audit entries, as far as the index has them. */
import { FleetFailure } from '../../fleet/fleet.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { groupNameIn, type Snapshot } from '../../inventory/inventory.ts';
import { deviceId, groupId } from '../../lib/ids.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import type { AuditNames } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** No names if the service is down: the audit is Patchbay's own and is shown anyway. */
export async function auditNames(
  entries: readonly AuditRecord[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<AuditNames> {
  try {
    return collectNames(entries, await inventory.snapshot(PERSON_PRIORITY));
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    return { devices: new Map(), groups: new Map(), policies: new Map() };
  }
}

function collectNames(entries: readonly AuditRecord[], snapshot: Snapshot): AuditNames {
  const policies = new Map<number, string>(snapshot.policies.map(({ id, name }) => [id, name]));
  const device = (id: number) => {
    const found = snapshot.device(deviceId(id));
    return found === null ? undefined : displayName(found);
  };
  const removed = removedNames(entries);
  return {
    devices: lookUpNames(
      numbersIn(entries, 'device', 'devices'),
      (id) => device(id) ?? removed.get(`device-remove ${id}`),
    ),
    groups: lookUpNames(
      numbersIn(entries, 'group'),
      (id) => groupNameIn(snapshot, groupId(id)) ?? removed.get(`group-remove ${id}`),
    ),
    policies: lookUpNames(numbersIn(entries, 'policy'), (id) => policies.get(id)),
  };
}

/** What was removed is known to the audit alone. */
function removedNames(entries: readonly AuditRecord[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ detail: { command, devices, group, name } }) =>
      (command === 'device-remove' || command === 'group-remove') && typeof name === 'string'
        ? [[`${command} ${command === 'device-remove' ? devices : group}`, name] as const]
        : [],
    ),
  );
}

function lookUpNames(ids: Iterable<number>, nameOf: (id: number) => string | undefined): Map<number, string> {
  const names = new Map<number, string>();
  for (const id of ids) {
    const name = nameOf(id);
    if (name !== undefined && name !== '') names.set(id, name);
  }
  return names;
}

/** An entry about a new group has its name instead of an ID. */
function numbersIn(entries: readonly AuditRecord[], ...keys: readonly string[]): ReadonlySet<number> {
  const words = entries.flatMap(({ detail }) => keys.flatMap((key) => String(detail[key] ?? '').split(' ')));
  return new Set(words.filter((word) => /^\d{1,15}$/.test(word)).map(Number));
}
