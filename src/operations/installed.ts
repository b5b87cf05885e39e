/** Whether packages are installed, by their state on the device or by the service's patch events: pure. */
import { PATCH_APPLIED, PATCH_FAILED } from '../fleet/event-names.ts';
import { type FleetEvent, isMissing } from '../fleet/model.ts';
import { type PatchFailure, patchFailure } from '../fleet/patch-event.ts';
import type { Effect, Seen } from './effect.ts';
import { clip, listText, QUOTE_LENGTH } from './words.ts';

/** The effect of an installation of `names`. */
export function installed(seen: Seen, names: readonly string[]): Effect {
  const open = notInstalled(seen, names);
  if (open === null) return { kind: 'open', missing: 'The device’s packages have not been read yet.' };
  if (open.length === 0) return { kind: 'proven', evidence: allInstalled(names) };
  const applied = new Set(eventsOf(seen, PATCH_APPLIED).flatMap(namesIn));
  if (open.every((name) => applied.has(name))) {
    return { kind: 'proven', evidence: `The management service reported ${listText(open)} as installed.` };
  }
  const failures = failuresOf(seen);
  const failure = failures.find(({ patches }) => patches.some(({ name }) => open.includes(name)));
  if (failure !== undefined) {
    const done = names.length - open.length;
    return { kind: 'failed', evidence: failureText(failure, done, names.length) };
  }
  const nameless = failures.find(({ patches }) => patches.length === 0);
  return { kind: 'open', missing: `Not installed yet: ${listText(open)}.${namelessText(nameless)}` };
}

/** Several rows may have one name (an old version installed, a new one available): none may be missing. */
function notInstalled({ packages, now }: Seen, names: readonly string[]): readonly string[] | null {
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
function failuresOf(seen: Seen): readonly PatchFailure[] {
  if (seen.target.state === 'unknown') return [];
  return eventsOf(seen, PATCH_FAILED)
    .toSorted((a, b) => b.id - a.id)
    .map(patchFailure);
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function eventsOf({ events, target }: Seen, name: string): readonly FleetEvent[] {
  return events.filter(
    (event) =>
      event.name === name &&
      event.deviceId === target.deviceId &&
      event.createTime !== null &&
      event.createTime >= target.issuedAt,
  );
}

function namesIn(event: FleetEvent): readonly string[] {
  return event.patches.map((patch) => patch.name);
}

function failureText({ patches, words }: PatchFailure, done: number, all: number): string {
  const which = listText(patches.map(({ name }) => name));
  const rest = all > 1 ? ` ${done} of ${all} packages are installed.` : '';
  return `The management service reported that ${which} failed to install${quote(words)}.${rest}`;
}

/** It may be the failure of another package, so it ends nothing. */
function namelessText(failure: PatchFailure | undefined): string {
  if (failure === undefined) return '';
  return ` The management service reported a failed patch without its name${inBrackets(failure.words)}.`;
}

function inBrackets(words: string | null): string {
  return words === null || words === '' ? '' : ` (“${clip(words, QUOTE_LENGTH)}”)`;
}

function quote(words: string | null): string {
  return words === null || words === '' ? '' : `: “${clip(words, QUOTE_LENGTH)}”`;
}
