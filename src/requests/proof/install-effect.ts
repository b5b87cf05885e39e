/** Whether packages are installed, by their state on the device or by the service's patch events: pure. */
import { PATCH_APPLIED, PATCH_FAILED } from '../../fleet/model/event-names.ts';
import { type PatchFailure, patchFailure } from '../../fleet/model/event-text.ts';
import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { clip, MAX_QUOTE_LENGTH } from '../clip.ts';
import { claimedThere, laterThanBaseline } from './baseline.ts';
import { type DeviceObservation, type Effect, failed, open, proven } from './effect.ts';

/** The effect of an installation of `names`. */
export function installEffect(observation: DeviceObservation, names: readonly string[]): Effect {
  const left = namesNotInstalled(observation, names);
  if (left === null) return open({ kind: 'packages-unread' });
  if (left.length === 0) return proven({ kind: 'installed', packages: [...names] });
  const applied = new Set(eventsOf(observation, PATCH_APPLIED).flatMap(patchNames));
  if (left.every((name) => applied.has(name)))
    return proven({ kind: 'reported-installed', packages: [...left] });
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
export function mayHaveInstalled({ before, facts }: RequestTarget, device: Device): boolean {
  if (laterThanBaseline(before, before.lastRefreshTime, device.lastRefreshTime) !== null) return true;
  return facts.deviceId !== null && facts.pendingPatches !== device.pendingPatches;
}

/**
 * Several rows may have one name: an old version that is installed, and the one that was asked for. So none of them may be
 * uninstalled, whether it is missing or was ignored or deferred meanwhile.
 */
function namesNotInstalled(
  { packages }: DeviceObservation,
  names: readonly string[],
): readonly string[] | null {
  if (packages === null) return null;
  const rows = Map.groupBy(packages, ({ name }) => name);
  return names.filter(
    (name) => !(rows.get(name) ?? []).every(({ installed }) => installed) || !rows.has(name),
  );
}

/**
 * Failures after the command, newest first. Where nothing says that the device got the command, they may belong to
 * another installation and prove nothing.
 */
function failuresOf(observation: DeviceObservation, names: readonly string[]): readonly PatchFailure[] {
  if (observation.target.state === 'unknown') return [];
  return eventsOf(observation, PATCH_FAILED)
    .toSorted((a, b) => b.id - a.id)
    .map((event) => patchFailure(event, names));
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function eventsOf({ events, target }: DeviceObservation, name: string): readonly FleetEvent[] {
  const since = claimedThere(target.before);
  if (since === null) return [];
  return events.filter(
    (event) =>
      event.name === name &&
      event.deviceId === target.deviceId &&
      event.createTime !== null &&
      event.createTime >= since,
  );
}

function patchNames(event: FleetEvent): readonly string[] {
  return event.patches.map((patch) => patch.name);
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
