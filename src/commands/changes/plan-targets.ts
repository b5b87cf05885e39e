/**
 * Every change of devices goes this way: one device is planned as it always was; of several the facts are frozen, in the
 * order of their waves. Changes nothing.
 */
import {
  type AdditionalFacts,
  type DeviceFacts,
  type PackageFacts,
  packageFacts,
  toDeviceFacts,
} from '../../fleet/facts/facts.ts';
import type { FleetAction, FleetCommand } from '../../fleet/model/actions.ts';
import { toPolicyFacts } from '../../fleet/model/policy-status.ts';
import { type Device, displayName, type ListedDevice, type Policy } from '../../fleet/model/resources.ts';
import { findQueuedDuplicate } from '../../fleet/queue-entries.ts';
import { incompleteList, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { listPages } from '../../lib/lists.ts';
import { defined } from '../../lib/record-fields.ts';
import type { Proposal } from '../../requests/decide/record-request.ts';
import { inWaveOrder, planRollout, pointlessOption } from '../../rollout/plan.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { Problem, UsageFault, View } from '../../views/views.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { personalDataProblem } from '../core/reader-rights.ts';
import { type RolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { PERSONAL_KEYS } from '../targets/device-query.ts';
import {
  type DeviceRef,
  PERSON_PRIORITY,
  type RetryWithDevice,
  withDevice,
} from '../targets/resolve-device.ts';
import { resolveTargets, type TargetCommand } from '../targets/resolve-targets.ts';
import type { TargetInput } from '../targets/target-line.ts';

/** What becomes of many devices: the facts of those that change, and the others with the reason. */
export type ChosenForMany =
  | {
      readonly kind: 'chosen';
      readonly command: FleetAction;
      readonly targets: readonly DeviceFacts[];
      readonly leftOut: readonly UnrequestedTarget[];
    }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

type TargetsPlan = {
  readonly again: TargetCommand;
  readonly target: TargetInput;
  /** Lists of devices name their policies. */
  readonly withPolicies?: boolean;
  readonly one: (device: DeviceRef) => Promise<Planned>;
  /** What becomes of these devices, which were just read. */
  readonly many: (devices: readonly Device[]) => Promise<ChosenForMany>;
};

export async function planTargets(order: TargetsPlan, ports: ReadPorts): Promise<Planned> {
  const { target, again, one } = order;
  const personal = target.filters?.find(({ key }) => PERSONAL_KEYS.has(key));
  const refused = personalDataProblem(ports, personal && `${personal.key}:`);
  if (refused !== null) return { kind: 'problem', problem: refused };
  const resolved = await resolveTargets(target, again, ports);
  switch (resolved.kind) {
    case 'one':
      return withUnstated(
        withOptions(await one(resolved.device), target.rollout, ports),
        ports,
        resolved.unstated,
      );
    case 'several':
      return withUnstated(await planSeveral(order, resolved, ports), ports, resolved.unstated);
    case 'view':
    case 'problem':
      return resolved;
  }
}

type Several = Extract<Awaited<ReturnType<typeof resolveTargets>>, { kind: 'several' }>;

async function planSeveral(
  { target, again, many, withPolicies }: TargetsPlan,
  { ids, named, snapshot, packages }: Several,
  ports: ReadPorts,
): Promise<Planned> {
  const { rollout, reason } = target;
  const most = ports.rollouts().maxDevices;
  // Before anything is read: what cannot be requested costs nobody's requests.
  if (ids.length > most)
    return { kind: 'problem', problem: { kind: 'rollout-too-large', devices: ids.length, most } };
  const read = await readDevices(ids, snapshot, ports, withPolicies === true);
  const gone = ids.filter((id) => !read.has(id));
  const [first] = gone;
  if (first !== undefined && named) return { kind: 'problem', problem: goneProblem(first) };
  const chosen = await many([...read.values()]);
  if (chosen.kind !== 'chosen') return chosen;
  const leftOut = [
    ...gone.map((id) => ({ name: `#${id}`, problem: goneProblem(id), deviceId: id })),
    ...chosen.leftOut,
  ];
  const { command } = chosen;
  const targets = inWaveOrder(chosen.targets, ({ deviceId, connected, groupId, osFamily }) => ({
    id: deviceId,
    isOnline: connected,
    kind: `${groupId}/${osFamily}`,
  }));
  if (targets.length === 0) return { kind: 'problem', problem: { kind: 'none-to-change', leftOut } };
  const fault = targets.length === 1 ? null : optionFault(ids.length, rollout ?? {});
  if (fault !== null) return { kind: 'problem', problem: usageProblem(again, fault) };
  const options = targets.length === 1 ? rollout : (rollout ?? {});
  const plan = options === undefined ? {} : { plan: planRollout(targets.length, options, ports.rollouts()) };
  const proposal: Proposal = { command, targets, reason, ...plan, ...packagesRead(packages) };
  return { kind: 'proposal', proposal, ...(leftOut.length === 0 ? {} : { leftOut }) };
}

/** What would be accepted and do nothing. */
function optionFault(devices: number, options: RolloutOptions): UsageFault | null {
  const key = pointlessOption(devices, options);
  if (key === null) return null;
  const { waves = [], brake } = options;
  const word = rolloutOptionsText(key === 'waves' ? { waves } : defined({ brake }));
  const expected =
    key === 'waves'
      ? `growing numbers: each says how many of the ${devices} devices are done after its wave`
      : `at most ${devices}, the number of devices`;
  return { kind: 'bad-value', word, expected };
}

function packagesRead(reading: Several['packages']): Pick<Proposal, 'packagesRead'> {
  if (reading === undefined || reading.oldest === null) return {};
  const { looked, fromList, oldest } = reading;
  return { packagesRead: { looked, fromList, oldest } };
}

/** A single device has no waves, unless somebody asked for options that hold for it as well. */
function withOptions(
  planned: Planned,
  options: RolloutOptions | undefined,
  { rollouts }: Pick<ReadPorts, 'rollouts'>,
): Planned {
  if (planned.kind !== 'proposal' || options === undefined) return planned;
  return { ...planned, proposal: { ...planned.proposal, plan: planRollout(1, options, rollouts()) } };
}

/** The card lists so many. */
const MAX_UNKNOWN_NAMES = 8;

/** With the devices of which it is unknown whether they fit the filters. The card names them beside the plan. */
function withUnstated(
  planned: Planned,
  { rollouts }: ReadPorts,
  unstated: Several['unstated'] = [],
): Planned {
  if (planned.kind !== 'proposal' || unstated.length === 0) return planned;
  const out = unstated.map((one) => leaveOut(one, (deviceName) => ({ kind: 'unknown-fit', deviceName })));
  const unknownFit = { devices: out.length, some: out.slice(0, MAX_UNKNOWN_NAMES) };
  const proposal = { plan: planRollout(1, {}, rollouts()), ...planned.proposal, unknownFit };
  return { ...planned, proposal, leftOut: [...(planned.leftOut ?? []), ...out] };
}

function goneProblem(id: DeviceId): Problem {
  return { kind: 'device-gone', query: `#${id}` };
}

/** Makes the facts of devices that were just read. `asOf`: where something in them is older. */
export async function factsWriter(
  devices: readonly Device[],
  { inventory, clock }: ReadPorts,
): Promise<
  (
    device: Device,
    own: Omit<AdditionalFacts, 'groupName' | 'asOf'> & { readonly asOf?: Instant },
  ) => DeviceFacts
> {
  const now = clock.now();
  const groups = new Map<GroupId | null, string | null>();
  for (const { groupId } of devices) {
    if (!groups.has(groupId)) groups.set(groupId, await inventory.groupName(groupId, PERSON_PRIORITY));
  }
  return (device, own) =>
    toDeviceFacts(device, { asOf: now, ...own, groupName: groups.get(device.groupId) ?? null });
}

export function leaveOut(device: ListedDevice, problem: (deviceName: string) => Problem) {
  const name = displayName(device);
  return { name, problem: problem(name), hostname: device.name, deviceId: device.id };
}

/** The command for this device with its subject: the missing packages that it installs, or the current policy. */
export type ChosenAction =
  | {
      readonly kind: 'command';
      readonly command: FleetCommand;
      readonly packages: readonly PackageFacts[];
      readonly policy?: Policy;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

type DevicePlan = {
  readonly device: DeviceRef;
  readonly retryWith: RetryWithDevice;
  readonly reason: string | null;
  readonly choose: (device: Device) => Promise<ChosenAction>;
};

export async function planForDevice(
  { device, retryWith, reason, choose }: DevicePlan,
  ports: ReadPorts,
): Promise<Planned> {
  const result = await withDevice({ device, again: retryWith }, ports, async (id): Promise<Planned> => {
    const asOf = ports.clock.now();
    const [fresh, queue] = await Promise.all([
      ports.fleet.device(id, PERSON_PRIORITY),
      ports.fleet.queue(id, PERSON_PRIORITY),
    ]);
    ports.inventory.learnDevice(fresh);
    const chosen = await choose(fresh);
    if (chosen.kind === 'problem') return chosen;
    const { command, packages, policy = null } = chosen;
    const waiting = findQueuedDuplicate(command, queue);
    if (waiting !== null) {
      const deviceName = displayName(fresh);
      return {
        kind: 'problem',
        problem: { kind: 'already-queued', command, deviceName, since: waiting.execTime },
      };
    }
    const groupName = await ports.inventory.groupName(fresh.groupId, PERSON_PRIORITY);
    const facts = toDeviceFacts(fresh, {
      groupName,
      packages: packageFacts(packages),
      policy: toPolicyFacts(fresh, command, policy),
      asOf,
    });
    return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
  });
  return result.kind === 'done' ? result.value : result;
}

/** Read at a time, so that other requests are not delayed. */
const AT_ONCE = 4;

/** The lists that are the cheapest way to read these devices, `undefined` the one of all; null: one by one. Pure. */
function cheapestLists(
  ids: readonly DeviceId[],
  snapshot: Snapshot,
): readonly (GroupId | undefined)[] | null {
  const groups = new Set(ids.map((id) => snapshot.device(id)?.groupId ?? null));
  const sizes = new Map<GroupId | null, number>();
  for (const { groupId } of snapshot.devices) {
    if (groups.has(groupId)) sizes.set(groupId, (sizes.get(groupId) ?? 0) + 1);
  }
  const whole = listPages(snapshot.devices.length);
  const listed = [...groups].flatMap((group) => (group === null ? [] : [group]));
  const byGroup = groups.has(null)
    ? Number.POSITIVE_INFINITY
    : listed.reduce((sum, group) => sum + listPages(sizes.get(group) ?? 0), 0);
  if (ids.length <= Math.min(whole, byGroup)) return null;
  return byGroup < whole ? listed : [undefined];
}

/** Those that the service still knows. `withPolicies`: with their status under each policy. Throws FleetFailure. */
async function readDevices(
  ids: readonly DeviceId[],
  snapshot: Snapshot,
  { fleet, inventory }: Pick<ReadPorts, 'fleet' | 'inventory'>,
  withPolicies: boolean,
): Promise<ReadonlyMap<DeviceId, Device>> {
  const lists = cheapestLists(ids, snapshot);
  const found = new Map<DeviceId, Device>();
  if (lists === null) {
    for (let start = 0; start < ids.length; start += AT_ONCE) {
      const some = ids.slice(start, start + AT_ONCE);
      const read = some.map((id) => nullIfMissing(() => fleet.device(id, PERSON_PRIORITY)));
      for (const device of await Promise.all(read)) if (device !== null) found.set(device.id, device);
    }
  } else {
    const wanted = new Set(ids);
    const brief = withPolicies ? {} : { withoutPolicyStatus: true };
    for (const groupId of lists) {
      const query = { ...brief, ...(groupId === undefined ? {} : { groupId }) };
      for await (const { rows } of fleet.devices(query, PERSON_PRIORITY)) {
        for (const device of rows) {
          if (wanted.has(device.id)) found.set(device.id, device);
        }
        // The rest of the list is about other devices.
        if (found.size === wanted.size) break;
      }
    }
    await readMoved(ids, found, { fleet });
  }
  for (const device of found.values()) inventory.learnDevice(device);
  return found;
}

/** Maximum devices that are looked for one by one: where each of them is gone, so are the others. */
const MAX_LOOKED_FOR = 20;

/**
 * A device that was moved or added since its list was read is not gone. Throws FleetFailure where a list lacks more
 * devices than can be looked for, and one of them is there.
 */
async function readMoved(
  ids: readonly DeviceId[],
  found: Map<DeviceId, Device>,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<void> {
  const absent = ids.filter((id) => !found.has(id));
  for (const id of absent.slice(0, MAX_LOOKED_FOR)) {
    const device = await nullIfMissing(() => fleet.device(id, PERSON_PRIORITY));
    if (device === null) continue;
    if (absent.length > MAX_LOOKED_FOR)
      throw incompleteList(`${absent.length} devices are missing in the list`);
    found.set(id, device);
  }
}
