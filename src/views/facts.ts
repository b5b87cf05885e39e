/** The facts about a device or a group that an approver decides on. */
import type { ChosenBySeverity, PackagesCommand } from '../fleet/model.ts';
import type { FleetOrder } from '../fleet/orders.ts';
import type { PolicyFacts } from '../fleet/standing.ts';
import { systemName } from '../fleet/system.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from '../store/records.ts';
import { lines, section } from './kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { when } from './kit/when.ts';
import type { Block } from './model.ts';
import { count, every, listed, policyType, standingWords } from './words.ts';

const BUDGET = 5_000;
/** Of packages that stand among the facts, and of the text that has a place for all. */
const FEW_PACKAGES = 15;
const PACKAGES_TEXT = 2_400;

/**
 * What is known of each thing, a line each. `shared`: without what is personal. `order`: what is requested; absent:
 * every fact is shown.
 */
export function factBlocks(
  targets: readonly TargetFacts[],
  shared = false,
  order?: FleetOrder,
): readonly Block[] {
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length === 0) return lineBlocks(factLine(only, shared, order));
  const rows = targets.map((facts) => {
    if (facts.deviceId === null) return strong(facts.displayName);
    return joined([strong(facts.displayName), ...severalFacts(facts)], SEPARATOR);
  });
  return lines(rows, { budget: BUDGET, more: (left) => md`${left} more devices not shown.` });
}

const SEPARATOR = ' · ';

function severalFacts(facts: DeviceFacts): readonly Mrkdwn[] {
  const { policy } = facts;
  return [...state(facts), ...group(facts), ...(policy === null ? [] : [standingWords(policy.status)])];
}

function lineBlocks(line: Mrkdwn | null): readonly Block[] {
  return line === null ? [] : [section(line)];
}

/** What somebody decides by, in one line; null where nothing is known. */
export function factLine(facts: TargetFacts, shared = false, order?: FleetOrder): Mrkdwn | null {
  const parts = facts.deviceId === null ? groupParts(facts) : deviceParts(facts, shared, order);
  return parts.length === 0 ? null : joined(parts, SEPARATOR);
}

/** Of a group that is to be made everything stands among the changes. */
function groupParts({ groupId, group: known }: GroupFacts): readonly Mrkdwn[] {
  if (known === null) return [];
  const { parentName, deviceCount, refreshIntervalMinutes: minutes } = known;
  return [
    ...(parentName === null || parentName === '' ? [] : [md`Parent: ${literal(parentName)}`]),
    // The service's own number: it may be old.
    ...(deviceCount === null ? [] : [md`${count(deviceCount, 'device')} (as reported)`]),
    ...(minutes === null ? [] : [md`Scanned ${every(minutes)}`]),
    ...(groupId === null ? [] : [md`#${groupId}`]),
  ];
}

/** An edit of the record shows what matters to that; a command, what it does to whoever is at work there. */
function deviceParts(facts: DeviceFacts, shared: boolean, order?: FleetOrder): readonly Mrkdwn[] {
  if (facts.editable !== null) {
    const { exception } = facts.editable;
    const reports = exception === true ? [md`Excluded from reports`] : [];
    return [...state(facts), ...group(facts), ...reports, ...identity(facts)];
  }
  return [
    ...state(facts),
    ...lastUser(facts, shared),
    ...(order === undefined || order.kind === 'reboot' ? reboot(facts) : []),
    ...(facts.policy === null ? [] : [policy(facts.policy)]),
    ...group(facts),
    ...operatingSystem(facts),
    ...identity(facts),
  ];
}

/** The name is in the title; two devices may share one. */
function identity({ displayName, hostname, deviceId }: DeviceFacts): readonly Mrkdwn[] {
  const host = hostname === '' || hostname === displayName ? [] : [md`Hostname: ${literal(hostname)}`];
  return [...host, md`#${deviceId}`];
}

/** That somebody was there matters to who decides, whoever it was. */
function lastUser({ lastLoggedInUser: user }: DeviceFacts, shared: boolean): readonly Mrkdwn[] {
  if (user === null || user === '') return [];
  return shared ? [md`Last logged-in user: name hidden`] : [md`Last logged-in user: ${literal(user)}`];
}

function reboot({ needsReboot }: DeviceFacts): readonly Mrkdwn[] {
  if (needsReboot === null) return [];
  return needsReboot ? [md`Reboot required`] : [md`No reboot required`];
}

function operatingSystem(facts: DeviceFacts): readonly Mrkdwn[] {
  const name = systemName(facts);
  return name === null ? [] : [literal(name)];
}

/** What is to be installed on one device. A single package is in the title already. */
export function installBlocks(targets: readonly TargetFacts[], order: FleetOrder): readonly Block[] {
  const [facts, ...others] = targets;
  if (facts === undefined || others.length > 0) return [];
  if (facts.deviceId === null || facts.missing.length === 0) return [];
  if (order.kind === 'patch' && order.packages.length === 1) return [];
  return [section(md`*To install (${facts.missing.length})*: ${listed(facts.missing, FEW_PACKAGES)}`)];
}

/** Its number stands in the title of the card. */
function policy({ name, type, status }: PolicyFacts): Mrkdwn {
  const kind = type === null ? md`` : md` (${policyType(type)})`;
  const named = name === null || name === '' ? md`Policy` : literal(name);
  return md`${named}${kind}: ${standingWords(status)}`;
}

function state({ connected, lastDisconnectTime: since }: DeviceFacts): readonly Mrkdwn[] {
  if (connected === null) return [];
  if (connected) return [md`Online`];
  return since === null ? [md`Offline`] : [md`Offline since ${when(since)}`];
}

function group({ groupName, groupId }: DeviceFacts): readonly Mrkdwn[] {
  if (groupName !== null && groupName !== '') return [md`Group: ${literal(groupName)}`];
  return groupId === null ? [] : [md`Group: #${groupId}`];
}

/** How the packages were chosen, and every one by its name where the facts have no place for all. */
export function packageBlocks(order: FleetOrder): readonly Block[] {
  if (order.kind !== 'patch') return [];
  const chosen = order.chosen === undefined ? [] : [section(chosenWords(order.chosen))];
  return [...chosen, ...everyPackage(order)];
}

function chosenWords({ severities, named }: ChosenBySeverity): Mrkdwn {
  const all = md`*Selected by severity*: all missing ${literal(severities.join(' or '))} patches`;
  return named.length === 0 ? md`${all}.` : md`${all}, and by name ${listed(named, FEW_PACKAGES)}.`;
}

function everyPackage(order: PackagesCommand): readonly Block[] {
  if (order.packages.length <= FEW_PACKAGES) return [];
  const names: Mrkdwn[] = [];
  let length = 0;
  for (const name of order.packages.map((item) => literal(item))) {
    length += name.length + 2;
    if (length > PACKAGES_TEXT) break;
    names.push(name);
  }
  const left = order.packages.length - names.length;
  const more = left === 0 ? md`` : md` and ${left} more`;
  return [section(md`*All packages*: ${joined(names, ', ')}${more}`)];
}
