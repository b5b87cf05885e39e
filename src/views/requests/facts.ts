/** The facts about a device or a group that an approver decides on. */

import {
  isPolicyFacts,
  type PackageFacts,
  type PolicyEditFacts,
  packageNames,
} from '../../fleet/facts/facts.ts';
import {
  type ChosenBySeverity,
  changesPackages,
  type FleetAction,
  type PackagesCommand,
} from '../../fleet/model/actions.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { bold, escapeMrkdwn, escapeValue, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import {
  countText,
  intervalText,
  listMrkdwn,
  policyStatusText,
  policyTypeText,
  withRest,
} from '../text/common-text.ts';
import { severityText } from '../text/quantities.ts';
import { targetName } from '../text/target-name.ts';

const BUDGET = 5_000;
/** Packages listed among the facts, and characters of the section that lists all of them. */
const MAX_LISTED_PACKAGES = 15;
const MAX_PACKAGES_TEXT = 2_400;

/**
 * The facts of each thing, one line each. `shared`: without personal data. `order`: what is requested, which selects
 * the facts; absent: all facts.
 */
export function targetFactBlocks(
  targets: readonly TargetFacts[],
  shared = false,
  order?: FleetAction,
): readonly Block[] {
  const [only, ...others] = targets;
  if (only === undefined) return [];
  if (others.length === 0) return [factLine(only, shared, order) ?? []].flat().map((line) => section(line));
  const rows = targets.map((facts) => {
    const name = targetName(facts, targets, bold);
    return facts.deviceId === null ? name : joinMrkdwn([name, ...severalFacts(facts)], SEPARATOR);
  });
  return rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more devices not shown.` });
}

const SEPARATOR = ' · ';

function severalFacts(facts: DeviceFacts): readonly Mrkdwn[] {
  const { policy } = facts;
  return [
    ...connectionFact(facts),
    ...groupFact(facts),
    ...(policy === null ? [] : [policyStatusText(policy.status)]),
  ];
}

/** The facts of one thing in one line; null where none is known. */
export function factLine(facts: TargetFacts, shared = false, order?: FleetAction): Mrkdwn | null {
  const parts = partsOf(facts, shared, order);
  return parts.length === 0 ? null : joinMrkdwn(parts, SEPARATOR);
}

function partsOf(facts: TargetFacts, shared: boolean, order?: FleetAction): readonly Mrkdwn[] {
  if (isPolicyFacts(facts)) return policyParts(facts);
  return facts.deviceId === null ? groupParts(facts) : deviceParts(facts, shared, order);
}

/** Of a new policy all is among the changes. */
function policyParts({ policyId, current }: PolicyEditFacts): readonly Mrkdwn[] {
  return policyId === null || current === null ? [] : [policyTypeText(current.type), md`#${policyId}`];
}

/** Of a new group all is among the changes. Two groups may have one name, so the ID is shown. */
function groupParts({ groupId, group: known, removal }: GroupFacts): readonly Mrkdwn[] {
  if (known === null || groupId === null) return [];
  const { parentName, deviceCount, refreshIntervalMinutes: minutes } = known;
  return [
    ...(parentName === null || parentName === '' ? [] : [md`Parent: ${escapeValue(parentName)}`]),
    // A removal counts those that it lists.
    ...(deviceCount === null || removal !== undefined ? [] : [countText(deviceCount, 'device')]),
    ...(minutes === null ? [] : [md`Scanned ${intervalText(minutes)}`]),
    md`#${groupId}`,
  ];
}

/** An edit shows the facts about the record; a command shows those about the person and the device it interrupts. */
function deviceParts(facts: DeviceFacts, shared: boolean, order?: FleetAction): readonly Mrkdwn[] {
  if (facts.editable !== null) {
    const { exception } = facts.editable;
    const reports = exception === true ? [md`Excluded from reports`] : [];
    // The group that it leaves stands among the changes.
    const moves = order?.kind === 'device-edit' && order.change.groupId !== undefined;
    const group = moves ? [] : groupFact(facts);
    return [...connectionFact(facts), ...group, ...reports, ...identity(facts)];
  }
  return [
    ...connectionFact(facts),
    ...lastUserFact(facts, shared),
    ...(order === undefined || order.kind === 'reboot' ? reboot(facts) : []),
    ...(facts.policy === null ? [] : [policyFact(facts.policy)]),
    ...groupFact(facts),
    ...operatingSystem(facts),
    ...identity(facts),
  ];
}

/** The title has the name, which two devices may share: so the id is shown, too. */
function identity({ displayName, hostname, deviceId }: DeviceFacts): readonly Mrkdwn[] {
  const host = hostname === '' || hostname === displayName ? [] : [md`Hostname: ${escapeMrkdwn(hostname)}`];
  return [...host, md`#${deviceId}`];
}

/** Whether someone is logged in matters to the approver, even where the name is hidden. Offline, that is not known. */
function lastUserFact(
  { lastLoggedInUser: user, connected }: DeviceFacts,
  shared: boolean,
): readonly Mrkdwn[] {
  if (user === null || user === '' || (shared && connected !== true)) return [];
  return shared ? [md`A user is logged in`] : [md`Last logged-in user: ${escapeMrkdwn(user)}`];
}

function reboot({ needsReboot }: DeviceFacts): readonly Mrkdwn[] {
  if (needsReboot === null) return [];
  return needsReboot ? [md`Reboot required`] : [md`No reboot required`];
}

function operatingSystem(facts: DeviceFacts): readonly Mrkdwn[] {
  const name = systemName(facts);
  return name === null ? [] : [escapeMrkdwn(name)];
}

/** What is to be installed on one device, and what is known of it; once `isDecided`, what was requested. */
export function installBlocks(
  targets: readonly TargetFacts[],
  order: FleetAction,
  isDecided = false,
): readonly Block[] {
  const [facts, ...others] = targets;
  if (facts === undefined || others.length > 0) return [];
  if (facts.deviceId === null || !changesPackages(order)) return [];
  const { packages } = facts;
  if (packages.length === 0) return [];
  const label = isDecided ? md`Packages requested` : md`To install`;
  const texts = fitting(packages.slice(0, MAX_LISTED_PACKAGES).map(packageText));
  const rest = withRest(joinMrkdwn(texts, ', '), packages.length - texts.length);
  return [section(md`*${label} (${packageNames(packages).length})*: ${rest}`)];
}

/** CVEs that are named of one package. */
const MAX_CVES = 2;

/** A package with its version, severity, CVEs and whether it needs a restart. */
function packageText({ name, version, severity, cves, requiresReboot }: PackageFacts): Mrkdwn {
  const known = [
    severity === null || severity === '' ? null : severityText(severity),
    cves.length === 0 ? null : listMrkdwn(cves, MAX_CVES),
    requiresReboot ? md`reboot required` : null,
  ].filter((part) => part !== null);
  const versioned =
    version === null || version === '' ? md`` : md` ${escapeValue(version, DISPLAY_LIMIT.label)}`;
  const more = known.length === 0 ? md`` : md` (${joinMrkdwn(known, '; ')})`;
  return md`${escapeValue(name, DISPLAY_LIMIT.label)}${versioned}${more}`;
}

/** Those that fit into a section beside its label. */
function fitting(texts: readonly Mrkdwn[]): readonly Mrkdwn[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length + 2;
    return length <= MAX_PACKAGES_TEXT;
  });
}

/** Without its number, which is in the title of the card. */
function policyFact({ name, type, status }: PolicyFacts): Mrkdwn {
  const kind = type === null ? md`` : md` (${policyTypeText(type)})`;
  const named = name === null || name === '' ? md`Policy` : escapeValue(name);
  return md`${named}${kind}: ${policyStatusText(status)}`;
}

function connectionFact({ connected, lastDisconnectTime: since }: DeviceFacts): readonly Mrkdwn[] {
  if (connected === null) return [];
  if (connected) return [md`Online`];
  return since === null ? [md`Offline`] : [md`Offline since ${relativeDate(since)}`];
}

function groupFact({ groupName, groupId }: DeviceFacts): readonly Mrkdwn[] {
  if (groupName !== null && groupName !== '') return [md`Group: ${escapeValue(groupName)}`];
  return groupId === null ? [] : [md`Group: #${groupId}`];
}

/** How the packages were selected, and all of their names where the facts list only the first. */
export function packageBlocks(order: FleetAction): readonly Block[] {
  if (order.kind !== 'patch') return [];
  const chosen = order.chosen === undefined ? [] : [section(chosenPackagesText(order.chosen))];
  return [...chosen, ...allPackagesText(order)];
}

function chosenPackagesText({ severities, named }: ChosenBySeverity): Mrkdwn {
  const all = md`*Selected by severity*: all missing ${escapeMrkdwn(severities.join(' or '))} patches`;
  return named.length === 0
    ? md`${all}.`
    : md`${all}, and by name ${listMrkdwn(named, MAX_LISTED_PACKAGES)}.`;
}

function allPackagesText(order: PackagesCommand): readonly Block[] {
  if (order.packages.length <= MAX_LISTED_PACKAGES) return [];
  const names = fitting(order.packages.map((item) => escapeValue(item)));
  const all = withRest(joinMrkdwn(names, ', '), order.packages.length - names.length);
  return [section(md`*All packages*: ${all}`)];
}
