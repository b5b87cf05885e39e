/**
 * What changed between the card and now, in plain words: pure. Empty where nothing changed that matters to the
 * command; whatever is named here breaks the seal too.
 */
import type { FleetCommand } from '../fleet/model.ts';
import { NEEDS_REMEDIATION, PENDING, policyOf } from '../fleet/standing.ts';
import { systemName } from '../fleet/system.ts';
import { listText, nameText, policyText, standingText, timeToken } from '../operations/words.ts';
import type { DeviceFacts } from '../store/records.ts';

/** The changes of one device, each a clause that names it. `gone`: the service does not know it any more. */
export function drift(
  command: FleetCommand,
  sealed: DeviceFacts,
  fresh: DeviceFacts | 'gone',
): readonly string[] {
  const name = nameText(sealed.displayName);
  if (fresh === 'gone') return [`${name} no longer exists in the management service`];
  return [
    ...renamed(name, sealed, fresh),
    ...reinstalled(name, sealed, fresh),
    ...regrouped(name, sealed, fresh),
    ...reconnected(name, sealed, fresh),
    ...loggedIn(name, sealed, fresh),
    ...(command.kind === 'reboot' ? restarted(name, sealed, fresh) : []),
    ...repatched(command, name, sealed, fresh),
    ...rejudged(command, name, sealed, fresh),
  ];
}

type Changes = readonly string[];

function renamed(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const host = sealed.hostname !== fresh.hostname;
  // Where nobody gave the device a name it is shown by its hostname, so both change as one.
  const called = sealed.displayName !== fresh.displayName && !(host && fresh.displayName === fresh.hostname);
  return [
    ...(host
      ? [`the hostname of ${name} is now ${quoted(fresh.hostname)} (was ${quoted(sealed.hostname)})`]
      : []),
    ...(called ? [`${name} is now named ${quoted(fresh.displayName)}`] : []),
  ];
}

/** A system that is not named for a moment is no other system, and older records have no version. */
function reinstalled(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const isStated = sealed.osVersion !== null && fresh.osVersion !== null;
  const nameOf = ({ osFamily, osName, osVersion }: DeviceFacts) =>
    systemName({ osFamily, osName, osVersion: isStated ? osVersion : null });
  const [before, after] = [nameOf(sealed), nameOf(fresh)];
  if (before === null || after === null || before === after) return [];
  return [`${name} now runs ${quoted(after)} (was ${quoted(before)})`];
}

function regrouped(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  if (sealed.groupId === fresh.groupId) return [];
  return [`${name} moved from ${groupText(sealed)} to ${groupText(fresh)}`];
}

function groupText({ groupId, groupName }: DeviceFacts): string {
  if (groupId === null) return 'an unknown group';
  return groupName === null ? `group #${groupId}` : `group ${quoted(groupName)}`;
}

function reconnected(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  if (sealed.connected === fresh.connected) return [];
  const was = onlineText(sealed.connected);
  return fresh.connected === null
    ? [`it is no longer known whether ${name} is online (was ${was})`]
    : [`${name} is now ${onlineText(fresh.connected)} (was ${was})`];
}

function onlineText(connected: boolean | null): string {
  if (connected === null) return 'unknown';
  return connected ? 'online' : 'offline';
}

/** Who it is stands on no note: channels see it, and it is kept. */
function loggedIn(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const [before, after] = [sealed.lastLoggedInUser, fresh.lastLoggedInUser];
  if (before === after) return [];
  if (after === null) return [`the management service no longer reports who last logged in to ${name}`];
  if (before === null) return [`someone logged in to ${name}`];
  return [`someone else logged in to ${name}`];
}

/** What somebody wanted from a reboot may have happened since. */
function restarted(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const done = sealed.needsReboot === true && fresh.needsReboot === false;
  const since = sealed.lastDisconnectTime ?? sealed.asOf;
  const left = fresh.lastDisconnectTime;
  const back = left !== null && left > since && fresh.connected === true;
  return [
    ...(done ? [`${name} no longer requires a reboot`] : []),
    ...(back ? [`${name} disconnected ${timeToken(left)} and is back online`] : []),
  ];
}

/** Facts of a command that installs nothing list no packages, so this finds changes only where they matter. */
function repatched(command: FleetCommand, name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const gained = without(fresh.missing, sealed.missing);
  const lost = without(sealed.missing, fresh.missing);
  const wanted = command.kind === 'patch' ? 'requested ' : '';
  return [
    ...(gained.length === 0 ? [] : [`${name} is now also missing the ${wanted}${packageText(gained)}`]),
    ...(lost.length === 0 ? [] : [`${name} is no longer missing the ${wanted}${packageText(lost)}`]),
  ];
}

/** A policy of another name may be another policy; one that is met already needs no remediation. */
function rejudged(command: FleetCommand, name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const [before, after, id] = [sealed.policy, fresh.policy, policyOf(command)];
  if (before === null || after === null || id === null) return [];
  const renamed = before.name !== null && after.name !== null && before.name !== after.name;
  const policy = policyText(id, after.name ?? before.name);
  return [
    ...(renamed ? [`policy ${id} is now named ${quoted(after.name)} (was ${quoted(before.name)})`] : []),
    ...rewritten(policy, before.digest, after.digest),
    ...(sameStanding(before.status, after.status) ? [] : [standsText(name, policy, after.status)]),
  ];
}

/** What was approved of `policy`, by number and name, may hold a script: it is another one now, or cannot be told from another one. */
export function rewritten(policy: string, before: string | null, after: string | null): Changes {
  // Records from before there were digests have none, and what nobody saw cannot have changed.
  if (before === null || before === after) return [];
  return after === null
    ? [`the management service no longer shows the configuration of ${policy}`]
    : [`the configuration or schedule of ${policy} changed`];
}

/** Pending only says when what needs remediation gets it. */
function sameStanding(before: number | null, after: number | null): boolean {
  const open = (status: number | null) => status === NEEDS_REMEDIATION || status === PENDING;
  return before === after || (open(before) && open(after));
}

function standsText(name: string, policy: string, status: number | null): string {
  return status === null
    ? `the management service no longer reports the result of ${policy} for ${name}`
    : `${name} now ${standingText(status)} for ${policy}`;
}

function packageText(names: readonly string[]): string {
  return `${names.length === 1 ? 'package' : 'packages'} ${listText(names)}`;
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => !known.has(name)).toSorted();
}

function quoted(text: string): string {
  return `“${nameText(text)}”`;
}
