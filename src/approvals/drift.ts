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
  if (fresh === 'gone') return [`${name} is no longer known to the management service`];
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
      ? [`${name} has the hostname ${quoted(fresh.hostname)} now, not ${quoted(sealed.hostname)}`]
      : []),
    ...(called ? [`${name} is called ${quoted(fresh.displayName)} now`] : []),
  ];
}

/** A system that is not named for a moment is no other system, and older records have no version. */
function reinstalled(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const isStated = sealed.osVersion !== null && fresh.osVersion !== null;
  const nameOf = ({ osFamily, osName, osVersion }: DeviceFacts) =>
    systemName({ osFamily, osName, osVersion: isStated ? osVersion : null });
  const [before, after] = [nameOf(sealed), nameOf(fresh)];
  if (before === null || after === null || before === after) return [];
  return [`${name} runs ${quoted(after)} now, not ${quoted(before)}`];
}

function regrouped(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  if (sealed.groupId === fresh.groupId) return [];
  return [`${name} moved from ${groupText(sealed)} to ${groupText(fresh)}`];
}

function groupText({ groupId, groupName }: DeviceFacts): string {
  if (groupId === null) return 'no known group';
  return groupName === null ? `group #${groupId}` : `the group ${quoted(groupName)}`;
}

function reconnected(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  if (sealed.connected === fresh.connected) return [];
  return [`${name} ${onlineText(fresh.connected)} now; it ${onlineText(sealed.connected, 'was')} before`];
}

function onlineText(connected: boolean | null, is: 'is' | 'was' = 'is'): string {
  if (connected === null) return `${is} neither known to be online nor offline`;
  return `${is} ${connected ? 'online' : 'offline'}`;
}

/** Who it is stands on no note: channels see it, and it is kept. */
function loggedIn(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const [before, after] = [sealed.lastLoggedInUser, fresh.lastLoggedInUser];
  if (before === after) return [];
  if (after === null) return [`the service no longer says who logged in to ${name} last`];
  if (before === null) return [`somebody logged in to ${name}`];
  return [`somebody else logged in to ${name}`];
}

/** What somebody wanted from a reboot may have happened since. */
function restarted(name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const done = sealed.needsReboot === true && fresh.needsReboot === false;
  const since = sealed.lastDisconnectTime ?? sealed.asOf;
  const left = fresh.lastDisconnectTime;
  const back = left !== null && left > since && fresh.connected === true;
  return [
    ...(done ? [`${name} no longer needs a reboot`] : []),
    ...(back ? [`${name} went away and came back since: it disconnected ${timeToken(left)}`] : []),
  ];
}

/** Facts of a command that installs nothing list no packages, so this finds changes only where they matter. */
function repatched(command: FleetCommand, name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const gained = without(fresh.missing, sealed.missing);
  const lost = without(sealed.missing, fresh.missing);
  const wanted = command.kind === 'patch' ? 'wanted ' : '';
  return [
    ...(gained.length === 0 ? [] : [`${name} now also misses the ${wanted}${packageText(gained)}`]),
    ...(lost.length === 0 ? [] : [`${name} no longer misses the ${wanted}${packageText(lost)}`]),
  ];
}

/** A policy of another name may be another policy; one that is met already needs no remediation. */
function rejudged(command: FleetCommand, name: string, sealed: DeviceFacts, fresh: DeviceFacts): Changes {
  const [before, after, id] = [sealed.policy, fresh.policy, policyOf(command)];
  if (before === null || after === null || id === null) return [];
  const renamed = before.name !== null && after.name !== null && before.name !== after.name;
  const policy = policyText(id, after.name ?? before.name);
  return [
    ...(renamed ? [`policy ${id} is called ${quoted(after.name)} now, not ${quoted(before.name)}`] : []),
    ...rewritten(policy, before.digest, after.digest),
    ...(sameStanding(before.status, after.status) ? [] : [standsText(name, policy, after.status)]),
  ];
}

/** What was approved of `policy`, by number and name, may hold a script: it is another one now, or cannot be told from another one. */
export function rewritten(policy: string, before: string | null, after: string | null): Changes {
  // Records from before there were digests have none, and what nobody saw cannot have changed.
  if (before === null || before === after) return [];
  return after === null
    ? [`the service no longer shows the configuration of ${policy}`]
    : [`the configuration or the schedule of ${policy} changed`];
}

/** Pending only says when what needs remediation gets it. */
function sameStanding(before: number | null, after: number | null): boolean {
  const open = (status: number | null) => status === NEEDS_REMEDIATION || status === PENDING;
  return before === after || (open(before) && open(after));
}

function standsText(name: string, policy: string, status: number | null): string {
  return status === null
    ? `the service no longer says how ${name} stands with ${policy}`
    : `${name} ${standingText(status)} now, as ${policy} sees it`;
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
