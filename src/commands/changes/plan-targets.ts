/**
 * Every change of devices goes this way: one device is planned as it always was; of several the facts are frozen, in the
 * order of their waves. Changes nothing.
 */
import { type AdditionalFacts, toDeviceFacts } from '../../fleet/facts/facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import { type Device, displayName, type ListedDevice } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import { inWaveOrder, planRollout, pointlessOption } from '../../rollout/plan.ts';
import type { DeviceFacts } from '../../store/port/records.ts';
import type { Problem, UsageFault, View } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { Planned, Proposal, ReadPorts } from '../core/command.ts';
import { personalDataProblem } from '../core/reader-rights.ts';
import { type RolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { PERSONAL_KEYS } from '../targets/device-filters.ts';
import { readDevices } from '../targets/read-devices.ts';
import { type DeviceRef, PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { resolveTargets } from '../targets/resolve-targets.ts';
import type { TargetInput } from '../targets/target-line.ts';
import type { TargetCommand } from '../targets/target-offer.ts';

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

export type TargetsPlan = {
  /** For the command with other devices. */
  readonly again: TargetCommand;
  readonly target: TargetInput;
  /** Lists of devices name their policies. */
  readonly withPolicies?: boolean;
  /** The plan for a single device. */
  readonly one: (device: DeviceRef) => Promise<Planned>;
  /** What becomes of these devices, which were just read. */
  readonly many: (devices: readonly Device[]) => Promise<ChosenForMany>;
};

/** A proposal, or what to ask or to say instead. */
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
  const most = ports.rollouts.maxDevices;
  // Before anything is read: what cannot be requested costs nobody's requests.
  if (ids.length > most)
    return { kind: 'problem', problem: { kind: 'rollout-too-large', devices: ids.length, most } };
  const read = await readDevices(ids, snapshot, ports, { withPolicies: withPolicies === true });
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
  const plan = options === undefined ? {} : { plan: planRollout(targets.length, options, ports.rollouts) };
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
  return { ...planned, proposal: { ...planned.proposal, plan: planRollout(1, options, rollouts) } };
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
  const proposal = { plan: planRollout(1, {}, rollouts), ...planned.proposal, unknownFit };
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

/** A device that stays out of the request. */
export function leaveOut(device: ListedDevice, problem: (deviceName: string) => Problem) {
  const name = displayName(device);
  return { name, problem: problem(name), hostname: device.name, deviceId: device.id };
}
