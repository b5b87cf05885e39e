/** Whether packages are installed, by their state on the device or by the service's patch events: pure. */
import { PATCH_APPLIED, PATCH_FAILED } from '../../fleet/model/event-names.ts';
import { type PatchFailure, patchFailure } from '../../fleet/model/event-text.ts';
import { type FleetEvent, isMissing } from '../../fleet/model/resources.ts';
import { clip, listText, MAX_QUOTE_LENGTH } from '../evidence-text.ts';
import type { DeviceObservation, Effect } from './effect.ts';

/** The effect of an installation of `names`. */
export function installEffect(observation: DeviceObservation, names: readonly string[]): Effect {
  const open = namesNotInstalled(observation, names);
  if (open === null) return { kind: 'open', missing: 'The device’s packages have not been read yet.' };
  if (open.length === 0) return { kind: 'proven', evidence: allInstalled(names) };
  const applied = new Set(eventsOf(observation, PATCH_APPLIED).flatMap(patchNames));
  if (open.every((name) => applied.has(name))) {
    return { kind: 'proven', evidence: `The management service reported ${listText(open)} as installed.` };
  }
  const failures = failuresOf(observation);
  const failure = failures.find(({ patches }) => patches.some(({ name }) => open.includes(name)));
  if (failure !== undefined) {
    const done = names.length - open.length;
    return { kind: 'failed', evidence: failureText(failure, done, names.length) };
  }
  const nameless = failures.find(({ patches }) => patches.length === 0);
  return { kind: 'open', missing: `Not installed yet: ${listText(open)}.${namelessText(nameless)}` };
}

/** Several rows may have one name (an old version installed, a new one available): none may be missing. */
function namesNotInstalled(
  { packages, now }: DeviceObservation,
  names: readonly string[],
): readonly string[] | null {
  if (packages === null) return null;
  const there = new Set(packages.filter((item) => item.installed).map((item) => item.name));
  const missing = new Set(packages.filter((item) => isMissing(item, now)).map((item) => item.name));
  return names.filter((name) => !there.has(name) || missing.has(name));
}

function allInstalled(names: readonly string[]): string {
  if (names.length === 0)
    return 'No patches were missing before the command, so there was nothing to install.';
  return names.length === 1
    ? `${listText(names)} is installed.`
    : `All ${names.length} packages are installed.`;
}

/**
 * Failures after the command, newest first. Where nothing says that the device got the command, they may belong to
 * another installation and prove nothing.
 */
function failuresOf(observation: DeviceObservation): readonly PatchFailure[] {
  if (observation.target.state === 'unknown') return [];
  return eventsOf(observation, PATCH_FAILED)
    .toSorted((a, b) => b.id - a.id)
    .map(patchFailure);
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function eventsOf({ events, target }: DeviceObservation, name: string): readonly FleetEvent[] {
  return events.filter(
    (event) =>
      event.name === name &&
      event.deviceId === target.deviceId &&
      event.createTime !== null &&
      event.createTime >= target.issuedAt,
  );
}

function patchNames(event: FleetEvent): readonly string[] {
  return event.patches.map((patch) => patch.name);
}

function failureText({ patches, agentText }: PatchFailure, done: number, all: number): string {
  const failed = listText(patches.map(({ name }) => name));
  const isAll = all > 1 && done === 0 && patches.length === all;
  const which = isAll ? `all ${all} packages (${failed})` : failed;
  const rest = all > 1 && !isAll ? ` ${done} of ${all} packages are installed.` : '';
  return `The management service reported that ${which} failed to install${quotedReason(agentText)}.${rest}`;
}

/** It may be the failure of another package, so it ends nothing. */
function namelessText(failure: PatchFailure | undefined): string {
  if (failure === undefined) return '';
  return ` The management service reported a failed patch without its name${inBrackets(failure.agentText)}.`;
}

function inBrackets(words: string | null): string {
  return words === null || words === '' ? '' : ` (“${clip(words, MAX_QUOTE_LENGTH)}”)`;
}

function quotedReason(words: string | null): string {
  return words === null || words === '' ? '' : `: “${clip(words, MAX_QUOTE_LENGTH)}”`;
}
