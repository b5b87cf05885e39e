/** What an approver decides on: facts of the targets, what an edit changes, what a removal takes along, what is final. */

import {
  FIELD_LABELS,
  type FieldChange,
  fieldChanges,
  type ListDifference,
  MAX_LIST_LENGTH,
  MAX_READABLE_LENGTH,
  nameWithId,
  removalEffects,
} from '../../fleet/facts/edit-changes.ts';
import {
  type DeviceFacts,
  type GroupFacts,
  isPolicyFacts,
  type PackageFacts,
  packageNames,
  type TargetFacts,
} from '../../fleet/facts/facts.ts';
import {
  type ChosenBySeverity,
  changesPackages,
  changesRecord,
  type DeviceEdit,
  type FleetAction,
  type FleetEdit,
  isEdit,
  isRemoval,
  type PackagesCommand,
  type Removal,
} from '../../fleet/model/actions.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
import { byKind } from '../../lib/record-fields.ts';
import { upperFirst } from '../../lib/text.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import {
  bold,
  escapeMrkdwn,
  escapeValue,
  joinMrkdwn,
  type Mrkdwn,
  md,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import {
  countText,
  intervalText,
  listMrkdwn,
  policyStatusText,
  policyTypeText,
  severityText,
  targetName,
  withRest,
} from '../text/common-text.ts';

const BUDGET = 5_000;
/** Packages listed among the facts, and characters of the section that lists all of them. */
const MAX_LISTED_PACKAGES = 15;
const MAX_PACKAGES_TEXT = 2_400;

/** One line for each thing. `shared`: without personal data. `order`: what is requested, which selects the facts; absent: all. */
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
  if (isPolicyFacts(facts)) {
    const { policyId, current } = facts;
    // Of a new policy all is among the changes.
    return policyId === null || current === null ? [] : [policyTypeText(current.type), md`#${policyId}`];
  }
  return facts.deviceId === null ? groupParts(facts) : deviceParts(facts, shared, order);
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

/** New values are never cut: an edit that sets more than this is refused before it is requested. */
const UNSHORTENED = MAX_READABLE_LENGTH + 2;
/** Holds the longest edit of one thing; as JSON it may double and still leaves room for the rest of the card. */
const EDIT_BUDGET = 3_400;

/** More rows than this never fit within the budget. */
const MAX_LIST_ITEMS = 200;

/** One row for each field of each thing; none for a command that edits nothing. `shared`: without personal data. */
export function editChangeBlocks(
  order: FleetAction,
  targets: readonly TargetFacts[],
  shared = false,
): readonly Block[] {
  if (!isEdit(order)) return [];
  const read = targets.slice(0, MAX_LIST_ITEMS);
  const rows = read.flatMap((facts) => changeRows(order, facts, { among: targets, shared }));
  // Every thing changes the same fields, so the rows that are not built are counted by those that are.
  const unread = Math.round((rows.length / Math.max(read.length, 1)) * (targets.length - read.length));
  const more = (left: number) => md`${left + unread} more changes not shown.`;
  return [...rowBlocks(rows, { budget: EDIT_BUDGET, more }), ...appliedPolicies(order, read)];
}

/** Policies listed by name. */
const MAX_POLICIES = 10;

/** What devices will run because of the edit: the policies of their new group, or those that select by tag. */
function appliedPolicies(edit: FleetEdit, targets: readonly TargetFacts[]): readonly Block[] {
  const policies = targets.flatMap((facts) =>
    facts.deviceId === null ? [] : (facts.editable?.policies ?? []),
  );
  const names = new Map(policies.map((policy) => [policy.id, nameWithId(policy)]));
  if (edit.kind !== 'device-edit' || names.size === 0) return [];
  const label =
    edit.change.groupId === undefined
      ? md`Policies that select devices by tag`
      : md`Policies of the new group`;
  const first = [...names.values()].slice(0, MAX_POLICIES);
  const listed = withRest(escapeMrkdwn(first.join(', '), EDIT_BUDGET), names.size - first.length);
  return [section(md`*${label} (${names.size})*: ${listed}`)];
}

function changeRows(
  edit: FleetEdit,
  facts: TargetFacts,
  { among, shared }: { readonly among: readonly TargetFacts[]; readonly shared: boolean },
): readonly Mrkdwn[] {
  const named = among.length > 1;
  const whose = named ? md`${targetName(facts, among, bold)} · ` : md``;
  const changes = fieldChanges(edit, facts).filter((change) => named || !isInTitle(edit, change));
  return changes.map((change) => {
    const isHidden = shared && change.field === 'addresses';
    // It reads like a protection from policies, which it is not (management API in practice, 7).
    const isException =
      edit.kind === 'device-edit' && change.field === 'exception' && edit.change.exception === true;
    const note = isException ? md` (policies still apply)` : md``;
    return md`${whose}${isHidden ? hiddenChangeText(change) : changeText(change)}${note}`;
  });
}

/** The name of a new group or policy is in the title of its card, unless that had to cut it. */
function isInTitle({ kind }: FleetEdit, { field, after }: FieldChange): boolean {
  const isNew = kind === 'group-create' || kind === 'policy-create';
  return isNew && field === 'name' && escapeMrkdwn(after) === escapeMrkdwn(after, UNSHORTENED);
}

/** How many items change, not which ones. */
function hiddenChangeText({ field, difference }: FieldChange): Mrkdwn {
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[field]));
  const counts =
    difference === undefined
      ? md`changed`
      : md`${difference.added.length} added, ${difference.removed.length} removed`;
  return md`*${label}*: ${counts} (hidden here)`;
}

function changeText(change: FieldChange): Mrkdwn {
  if (change.field === 'exception') return inclusionText(change);
  const label = trustedMrkdwn(upperFirst(FIELD_LABELS[change.field]));
  const { difference } = change;
  if (difference !== undefined && difference.added.length + difference.removed.length > 0)
    return md`*${label}*: ${differenceText(difference)}`;
  const { before, after } = change;
  return before === null
    ? md`*${label}*: ${escapeMrkdwn(after, UNSHORTENED)}`
    : md`*${label}*: ${escapeMrkdwn(before, MAX_LIST_LENGTH)} → ${escapeMrkdwn(after, UNSHORTENED)}`;
}

/** Which reports a device is in, because a yes to an exclusion reads as its opposite. */
function inclusionText({ before, after }: FieldChange): Mrkdwn {
  const worded = (value: string) => escapeMrkdwn(INCLUSION.get(value) ?? value);
  return md`*Reports and statistics*: ${worded(before ?? 'unknown')} → ${worded(after)}`;
}

const INCLUSION: ReadonlyMap<string, string> = new Map([
  ['yes', 'excluded'],
  ['no', 'included'],
]);

/** What stays, or how much, is said, too, so that nobody takes an addition for the whole list. */
function differenceText({ added, removed, kept }: ListDifference): Mrkdwn {
  const listWith = (verb: string, items: readonly string[]): readonly Mrkdwn[] =>
    items.length === 0 ? [] : [md`${trustedMrkdwn(verb)} ${escapeMrkdwn(items.join(', '), UNSHORTENED)}`];
  const isLong = kept.join(', ').length > MAX_LIST_LENGTH;
  const stays = isLong ? [md`keeps ${kept.length} others`] : listWith('keeps', kept);
  const changes = joinMrkdwn([...listWith('add', added), ...listWith('remove', removed)], '; ');
  return md`${changes}${joinMrkdwn(
    stays.map((text) => md` (${text})`),
    '',
  )}`;
}

/** Ten names of 60 characters, and as many more for their escapes. */
const MAX_VALUE = 1_200;

export function removalBlocks(action: FleetAction, targets: readonly TargetFacts[]): readonly Block[] {
  if (!isRemoval(action)) return [];
  const rows = targets
    .flatMap(removalEffects)
    .map(({ label, value }) => md`*${trustedMrkdwn(label)}*: ${escapeMrkdwn(value, MAX_VALUE)}`);
  return rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more not shown.` });
}

/** What cannot be undone, and what happens afterwards. */
function removalWarning(removal: Removal, targets: readonly TargetFacts[]): Mrkdwn {
  const final = md`*Removed as soon as it’s approved. This can’t be undone.*`;
  if (removal.kind === 'device-remove')
    return md`${final} If its agent still runs, the device registers again under another ID.`;
  const [facts] = targets;
  const effects =
    facts === undefined || facts.deviceId !== null || !('removal' in facts) ? undefined : facts.removal;
  if (effects === undefined) return final;
  const { devices, subgroups } = effects;
  const moved =
    devices.count === 0 ? md`` : md` The policies of the Default Group then apply to its devices.`;
  const below =
    subgroups.length === 0 ? md`` : md` The management service doesn’t document where its subgroups go.`;
  return md`${final}${moved}${below}`;
}

/** A rollout can be stopped, so only what it has sent is final. */
const QUEUE_WARNING = md`*Once approved, it’s re-checked and sent, and can’t be canceled.*`;
const WAVES_WARNING = md`*Once approved, each wave is re-checked and sent. What was sent can’t be canceled.*`;
/** A run by hand shows no notification on the device ("management API in practice" 6). */
const POLICY_RUN = md`Runs the policy and its scripts without notifying anyone at the device.`;

/** What cannot be undone once the request is approved. A command in a queue has no way back, and an offline device runs it at an hour nobody chose. */
export function warningText(action: FleetAction, targets: readonly TargetFacts[]): Mrkdwn {
  if (isEdit(action)) return editWarningText(action, targets);
  if (isRemoval(action)) return removalWarning(action, targets);
  const final = action.kind === 'policy-remediate' ? md`${POLICY_RUN} ${QUEUE_WARNING}` : QUEUE_WARNING;
  const offline = targets.find((target) => target.deviceId !== null && target.connected === false);
  return offline === undefined
    ? final
    : md`${final} It runs as soon as ${targetName(offline)} is back online.`;
}

/** The same for many devices, whose facts are only counted. */
export function finalityWarning(action: FleetAction): Mrkdwn {
  if (changesRecord(action)) return warningText(action, []);
  return action.kind === 'policy-remediate' ? md`${POLICY_RUN} ${WAVES_WARNING}` : WAVES_WARNING;
}

/** An edit shows at once, and what applies to devices follows the record. */
const editWarningText = byKind<FleetEdit, Mrkdwn, [targets: readonly TargetFacts[]]>({
  'device-edit': deviceEditWarning,
  'group-create': md`*Applies as soon as it’s approved.*`,
  'group-edit': (_, [facts]) => {
    const devices = facts !== undefined && 'group' in facts ? (facts.group?.deviceCount ?? 0) : 0;
    return devices === 0
      ? md`*Applies as soon as it’s approved, also to the group’s devices.*`
      : md`*Applies as soon as it’s approved, also to the group’s ${countText(devices, 'device')}.*`;
  },
  'policy-create': (_, targets) => policyWarning(targets),
  'policy-edit': (_, targets) => policyWarning(targets),
});

/** A policy reaches the devices of its groups, now or later. */
function policyWarning([facts]: readonly TargetFacts[]): Mrkdwn {
  const devices = facts !== undefined && isPolicyFacts(facts) ? facts.devices : null;
  return devices === null
    ? md`*Applies as soon as it’s approved, to all devices in the policy’s groups.*`
    : md`*Applies as soon as it’s approved, to ${countText(devices, 'device')} in the policy’s groups.*`;
}

/** Which policies apply follows the group, and may follow anything else but the exclusion from reports. */
function deviceEditWarning({ change }: DeviceEdit): Mrkdwn {
  if (change.groupId !== undefined) {
    return md`*Applies as soon as it’s approved.* From then on, the policies of the new group apply to the device instead of those of the current group.`;
  }
  const isExclusionOnly = Object.keys(change).every((field) => field === 'exception');
  return isExclusionOnly
    ? md`*Applies as soon as it’s approved.*`
    : md`*Applies as soon as it’s approved. Other policies may then apply to the device.*`;
}
