/** Whether a device shows the effect of a command: packages that are installed, a policy that ran, a restart. Pure. */
import {
  PATCH_APPLIED,
  PATCH_FAILED,
  type PatchFailure,
  patchFailure,
} from '../../fleet/model/event-kinds.ts';
import {
  NEEDS_REMEDIATION,
  PENDING,
  policyName,
  policyStatusOf,
  UP_TO_DATE,
} from '../../fleet/model/policy-status.ts';
import type { Device, FleetEvent, Package, PatchMention } from '../../fleet/model/resources.ts';
import { type Instant, MINUTE } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { compareVersions } from '../../lib/text.ts';
import { clip, MAX_QUOTE_LENGTH } from '../clip.ts';
import {
  type Compared,
  claimedThere,
  type DeviceObservation,
  type Effect,
  eventsAfter,
  failed,
  laterThanBaseline,
  open,
  policyActionsIn,
  proven,
} from './baseline.ts';

/** By a refresh of the device's data after the command. */
export function scanEffect(seen: BaselineComparison): Effect {
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime);
  return refreshed === null
    ? open({ kind: 'not-refreshed', last: before.lastRefreshTime })
    : proven({ kind: 'refreshed', at: refreshed });
}

export function installEffect(observation: DeviceObservation, names: readonly string[]): Effect {
  const left = namesNotInstalled(observation, names);
  if (left === null) return open({ kind: 'packages-unread' });
  if (left.length === 0) return proven({ kind: 'installed', packages: [...names] });
  const applied = eventsOf(observation, PATCH_APPLIED).flatMap(({ patches }) => patches);
  const isApplied = (name: string) =>
    applied.some((patch) => patch.name === name && (patch.version === null || isSealed(observation, patch)));
  if (left.every(isApplied)) return proven({ kind: 'reported-installed', packages: [...left] });
  const failures = failuresOf(observation, names);
  const failure = failures.find(({ patches }) => patches.some(({ name }) => left.includes(name)));
  if (failure !== undefined) {
    const packages = failure.patches.map(({ name }) => name);
    const counts = { installed: names.length - left.length, total: names.length };
    return failed({ kind: 'install-failed', packages, words: quotation(failure), ...counts });
  }
  // It may be the failure of another package, so it ends nothing.
  const nameless = failures.find(({ patches }) => patches.length === 0);
  return open({
    kind: 'not-installed',
    packages: [...left],
    nameless: nameless === undefined ? null : { words: quotation(nameless) },
  });
}

/** Scanned since the command, or with other patches than when sealed: no list shows the packages themselves. */
export function mayHaveInstalled(seen: Compared & { readonly device: Device }): boolean {
  const { before, facts } = seen.target;
  if (laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime) !== null) return true;
  return facts.deviceId !== null && facts.pendingPatches !== seen.device.pendingPatches;
}

/**
 * Several rows may have one name: an old version that is installed, and the one that was asked for. So none of them may be
 * uninstalled, whether it is missing or was ignored or deferred meanwhile; and one of them has to be what was asked for.
 */
function namesNotInstalled(observation: DeviceObservation, names: readonly string[]) {
  if (observation.packages === null) return null;
  const rows = Map.groupBy(observation.packages, ({ name }) => name);
  const isProven = (same: readonly Package[]) =>
    same.every(({ installed }) => installed) && same.some((row) => isSealed(observation, row));
  return names.filter((name) => !isProven(rows.get(name) ?? []));
}

/** Whether it is none older than any version that was sealed under its name; where none was, the name has to do. */
function isSealed({ target: { facts } }: Compared, { name, version }: PatchMention | Package): boolean {
  const sealed = facts.deviceId === null ? [] : facts.packages.filter((item) => item.name === name);
  return sealed.every((item) => item.version === null || compareVersions(version ?? '', item.version) >= 0);
}

/** Newest first. Where nothing says that the device got the command, they may belong to another installation. */
function failuresOf(observation: DeviceObservation, names: readonly string[]): readonly PatchFailure[] {
  if (observation.target.state === 'unknown') return [];
  return eventsOf(observation, PATCH_FAILED).map((event) => patchFailure(event, names));
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function eventsOf(seen: DeviceObservation, name: string): readonly FleetEvent[] {
  const { deviceId, before } = seen.target;
  const found = seen.events.filter((event) => event.name === name && event.deviceId === deviceId);
  return eventsAfter(seen, found, before.lastEventId ?? null);
}

/** The agent's own words, cut. */
function quotation({ agentText }: PatchFailure): string | null {
  return agentText === null || agentText === '' ? null : clip(agentText, MAX_QUOTE_LENGTH);
}

/** The effect of a test: any action or any new standing shows that it ran. */
export function policyTestEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const [action] = policyActionsAfter(observation, id);
  if (action !== undefined) return proven({ kind: 'policy-tested', policy, exitCode: action.exitCode });
  const entry = newPolicyStatus(observation, id);
  if (entry !== null) return proven({ kind: 'policy-result', policy, ...entry });
  return open({ kind: 'no-policy-result', policy });
}

/**
 * The effect of a remediation: an action with exit code 0, or the device turned up to date. Another code is a failure; of a
 * test it means only that the device needs remediation.
 */
export function policyRemediationEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const found = policyActionsAfter(observation, id);
  const success = found.find(({ exitCode }) => exitCode === 0);
  if (success !== undefined) return proven({ kind: 'policy-ran', policy, exitCode: 0 });
  // Where nothing says that the service took the command, a failure may be that of another run and proves nothing.
  const failure =
    observation.target.state === 'unknown' ? undefined : found.find(({ exitCode }) => exitCode !== null);
  // A script may print secrets and names of people, so what it printed is in no evidence.
  if (failure !== undefined) return failed({ kind: 'policy-failed', policy, exitCode: failure.exitCode });
  if (turnedUpToDate(observation, id)) return proven({ kind: 'policy-met', policy });
  const [last] = found;
  const run = last === undefined ? null : { exitCode: last.exitCode };
  return open({ kind: 'policy-unproven', policy, run });
}

/** What the policy did on the device after the command, newest first. */
function policyActionsAfter(seen: DeviceObservation, id: PolicyId): readonly FleetEvent[] {
  const { before, deviceId } = seen.target;
  if (deviceId === null) return [];
  return eventsAfter(seen, policyActionsIn(seen.events, deviceId, id), before.policy?.lastEventId ?? null);
}

/** How the device stands with the policy, where the service wrote that after the command. */
function newPolicyStatus(seen: DeviceObservation, id: PolicyId) {
  const entry = policyStatusOf(seen.device, id);
  const before = seen.target.before.policy?.statusTime ?? null;
  const at = laterThanBaseline(seen, before, entry?.createTime ?? null);
  return entry === null || at === null ? null : { status: entry.status, at };
}

function turnedUpToDate(observation: DeviceObservation, id: PolicyId): boolean {
  const { policy, from } = observation.target.before;
  if (newPolicyStatus(observation, id)?.status === UP_TO_DATE) return true;
  // Without a time it may have turned after the device was read and before the claim.
  if (from !== undefined) return false;
  const before = policy?.status ?? null;
  const turned = before === NEEDS_REMEDIATION || before === PENDING;
  return turned && policyStatusOf(observation.device, id)?.status === UP_TO_DATE;
}

function namedPolicy(device: Device, id: PolicyId) {
  return { id, name: policyName(device, id) };
}

/** By a new disconnect and the return from it, or by an uptime that fell to less than the time since the command. */
export function rebootEffect(seen: BaselineComparison): Effect {
  const left = disconnectedSince(seen);
  // A cleared flag supports the proof and never suffices: an update may clear it too.
  const flagCleared = seen.target.before.needsReboot === true && seen.device.needsReboot === false;
  if (left !== null && seen.device.connected === true)
    return proven({ kind: 'restarted', left, flagCleared });
  const drop = uptimeDrop(seen);
  if (drop === 'since') return proven({ kind: 'uptime-dropped', flagCleared });
  if (left !== null) return open({ kind: 'not-back', left });
  return open({ kind: 'not-restarted', uptimeDropped: drop === 'perhaps-before' });
}

type BaselineComparison = Pick<DeviceObservation, 'target' | 'device' | 'now'>;

/** When the device went away after the command. The service may note late that it went away before. */
function disconnectedSince(seen: BaselineComparison): Instant | null {
  const { before } = seen.target;
  const left = laterThanBaseline(seen, before.lastDisconnectTime, seen.device.lastDisconnectTime);
  const since = claimedThere(before);
  return left !== null && since !== null && left >= since ? left : null;
}

/**
 * The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a drop; and somebody else may have
 * restarted the device since the one before. Whether it counts minutes or seconds is disputed (management API in
 * practice, 5.1): what is short enough in minutes is so in seconds too.
 */
function uptimeDrop(seen: BaselineComparison): 'none' | 'perhaps-before' | 'since' {
  const { device } = seen;
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, device.lastRefreshTime);
  if (before.uptime === null || device.uptime === null || refreshed === null) return 'none';
  if (device.uptime >= before.uptime) return 'none';
  const since = claimedThere(before);
  // The uptime is cut to whole minutes: where the device was read long before the claim, the whole minute counts.
  const minutes = before.from === undefined ? device.uptime : device.uptime + 1;
  return since !== null && minutes * MINUTE <= refreshed - since ? 'since' : 'perhaps-before';
}
