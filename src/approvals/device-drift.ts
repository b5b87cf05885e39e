/**
 * What changed between the card and now, in plain words: pure. Empty where nothing changed that matters to the
 * command; whatever is named here breaks the seal too.
 */

import { systemName } from '../fleet/model/derived-fields.ts';
import { NEEDS_REMEDIATION, PENDING, policyIdOf } from '../fleet/model/policy-status.ts';
import type { FleetCommand } from '../fleet/model/resources.ts';
import {
  listText,
  nameText,
  policyPhrase,
  policyStatusPhrase,
  timePlaceholder,
} from '../operations/evidence-text.ts';
import type { DeviceFacts } from '../store/port/records.ts';

/** The changes of one device, each a clause that names it. `gone`: the service does not know it any more. */
export function deviceDrift(
  command: FleetCommand,
  sealed: DeviceFacts,
  current: DeviceFacts | 'gone',
): readonly string[] {
  const name = nameText(sealed.displayName);
  if (current === 'gone') return [`${name} no longer exists in the management service`];
  return [
    ...nameChanges(name, sealed, current),
    ...systemChanges(name, sealed, current),
    ...groupChanges(name, sealed, current),
    ...connectionChanges(name, sealed, current),
    ...loginChanges(name, sealed, current),
    ...(command.kind === 'reboot' ? rebootChanges(name, sealed, current) : []),
    ...packageChanges(command, name, sealed, current),
    ...policyChanges(command, name, sealed, current),
  ];
}

type ChangeClauses = readonly string[];

function nameChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  const host = sealed.hostname !== current.hostname;
  // Where nobody gave the device a name it is shown by its hostname, so both change as one.
  const called =
    sealed.displayName !== current.displayName && !(host && current.displayName === current.hostname);
  return [
    ...(host
      ? [`the hostname of ${name} is now ${quoted(current.hostname)} (was ${quoted(sealed.hostname)})`]
      : []),
    ...(called ? [`${name} is now named ${quoted(current.displayName)}`] : []),
  ];
}

/** A system whose name is missing for a moment did not change, and older records have no version. */
function systemChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  const isStated = sealed.osVersion !== null && current.osVersion !== null;
  const nameOf = ({ osFamily, osName, osVersion }: DeviceFacts) =>
    systemName({ osFamily, osName, osVersion: isStated ? osVersion : null });
  const [before, after] = [nameOf(sealed), nameOf(current)];
  if (before === null || after === null || before === after) return [];
  return [`${name} now runs ${quoted(after)} (was ${quoted(before)})`];
}

function groupChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  if (sealed.groupId === current.groupId) return [];
  return [`${name} moved from ${groupText(sealed)} to ${groupText(current)}`];
}

function groupText({ groupId, groupName }: DeviceFacts): string {
  if (groupId === null) return 'an unknown group';
  return groupName === null ? `group #${groupId}` : `group ${quoted(groupName)}`;
}

function connectionChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  if (sealed.connected === current.connected) return [];
  const was = onlineText(sealed.connected);
  return current.connected === null
    ? [`it is no longer known whether ${name} is online (was ${was})`]
    : [`${name} is now ${onlineText(current.connected)} (was ${was})`];
}

function onlineText(connected: boolean | null): string {
  if (connected === null) return 'unknown';
  return connected ? 'online' : 'offline';
}

/** Without the name of the person, because channels see the note and it is stored. */
function loginChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  const [before, after] = [sealed.lastLoggedInUser, current.lastLoggedInUser];
  if (before === after) return [];
  if (after === null) return [`the management service no longer reports who last logged in to ${name}`];
  if (before === null) return [`someone logged in to ${name}`];
  return [`someone else logged in to ${name}`];
}

/** The device may have rebooted since. */
function rebootChanges(name: string, sealed: DeviceFacts, current: DeviceFacts): ChangeClauses {
  const done = sealed.needsReboot === true && current.needsReboot === false;
  const since = sealed.lastDisconnectTime ?? sealed.asOf;
  const left = current.lastDisconnectTime;
  const back = left !== null && left > since && current.connected === true;
  return [
    ...(done ? [`${name} no longer requires a reboot`] : []),
    ...(back ? [`${name} disconnected ${timePlaceholder(left)} and is back online`] : []),
  ];
}

/** Facts of a command that installs nothing list no packages, so this finds changes only where they matter. */
function packageChanges(
  command: FleetCommand,
  name: string,
  sealed: DeviceFacts,
  current: DeviceFacts,
): ChangeClauses {
  const gained = namesNotIn(current.missing, sealed.missing);
  const lost = namesNotIn(sealed.missing, current.missing);
  const wanted = command.kind === 'patch' ? 'requested ' : '';
  return [
    ...(gained.length === 0 ? [] : [`${name} is now also missing the ${wanted}${packageText(gained)}`]),
    ...(lost.length === 0 ? [] : [`${name} is no longer missing the ${wanted}${packageText(lost)}`]),
  ];
}

/** A policy of another name may be another policy; one that is met already needs no remediation. */
function policyChanges(
  command: FleetCommand,
  name: string,
  sealed: DeviceFacts,
  current: DeviceFacts,
): ChangeClauses {
  const [before, after, id] = [sealed.policy, current.policy, policyIdOf(command)];
  if (before === null || after === null || id === null) return [];
  const renamed = before.name !== null && after.name !== null && before.name !== after.name;
  const policy = policyPhrase(id, after.name ?? before.name);
  return [
    ...(renamed ? [`policy ${id} is now named ${quoted(after.name)} (was ${quoted(before.name)})`] : []),
    ...policyConfigurationChanges(policy, before.digest, after.digest),
    ...(isSamePolicyStatus(before.status, after.status)
      ? []
      : [policyStatusClause(name, policy, after.status)]),
  ];
}

/** What was approved of `policy`, by number and name, may hold a script: it is another one now, or cannot be told from another one. */
export function policyConfigurationChanges(
  policy: string,
  before: string | null,
  after: string | null,
): ChangeClauses {
  // Records from before there were digests have none, and what nobody saw cannot have changed.
  if (before === null || before === after) return [];
  return after === null
    ? [`the management service no longer shows the configuration of ${policy}`]
    : [`the configuration or schedule of ${policy} changed`];
}

/** Pending only says when what needs remediation gets it. */
function isSamePolicyStatus(before: number | null, after: number | null): boolean {
  const open = (status: number | null) => status === NEEDS_REMEDIATION || status === PENDING;
  return before === after || (open(before) && open(after));
}

function policyStatusClause(name: string, policy: string, status: number | null): string {
  return status === null
    ? `the management service no longer reports the result of ${policy} for ${name}`
    : `${name} now ${policyStatusPhrase(status)} for ${policy}`;
}

function packageText(names: readonly string[]): string {
  return `${names.length === 1 ? 'package' : 'packages'} ${listText(names)}`;
}

function namesNotIn(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
}

function quoted(text: string): string {
  return `“${nameText(text)}”`;
}
