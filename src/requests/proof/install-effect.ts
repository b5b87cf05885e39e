/** Whether packages are installed, by their state on the device or by the service's patch events: pure. */
import {
  PATCH_APPLIED,
  PATCH_FAILED,
  type PatchFailure,
  patchFailure,
} from '../../fleet/model/event-kinds.ts';
import type { Device, FleetEvent, Package, PatchMention } from '../../fleet/model/resources.ts';
import { compareVersions } from '../../lib/text.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import { clip, MAX_QUOTE_LENGTH } from '../clip.ts';
import { type Compared, eventsAfter, laterThanBaseline } from './baseline.ts';
import { type DeviceObservation, type Effect, failed, open, proven } from './effect.ts';

/** The effect of an installation of `names`. */
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
  if (failure !== undefined) return failed(failureFacts(failure, { left: left.length, total: names.length }));
  // It may be the failure of another package, so it ends nothing.
  const nameless = failures.find(({ patches }) => patches.length === 0);
  return open({
    kind: 'not-installed',
    packages: [...left],
    nameless: nameless === undefined ? null : { words: quotation(nameless) },
  });
}

/**
 * Whether the device was scanned since the command, or counts other patches than when it was sealed: no list shows the
 * packages themselves.
 */
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

/**
 * Failures after the command, newest first. Where nothing says that the device got the command, they may belong to
 * another installation and prove nothing.
 */
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

function failureFacts(
  failure: PatchFailure,
  { left, total }: { readonly left: number; readonly total: number },
): Evidence {
  const packages = failure.patches.map(({ name }) => name);
  return { kind: 'install-failed', packages, words: quotation(failure), installed: total - left, total };
}

/** The agent's own words, cut. */
function quotation({ agentText }: PatchFailure): string | null {
  return agentText === null || agentText === '' ? null : clip(agentText, MAX_QUOTE_LENGTH);
}
