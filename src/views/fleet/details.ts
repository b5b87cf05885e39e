import { FIELD_LABELS, settingText, zoneText } from '../../fleet/facts/edit-changes.ts';
import { colorName } from '../../fleet/model/derived-fields.ts';
import { POLICY_SETTING_NAMES } from '../../fleet/model/policy.ts';
import type { Group, Organization, Policy } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { upperFirst } from '../../lib/text.ts';
import { editGroupButton } from '../device/device-buttons.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton, typedCommand } from '../kit/buttons.ts';
import {
  bold,
  boldHeading,
  escapeMrkdwn,
  inlineCode,
  joinMrkdwn,
  type Mrkdwn,
  md,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons, refreshButton } from '../kit/pager.ts';
import { type CsvTable, csvTable } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { CommandChoice, GroupRow, Paging, PolicyLine, ReadOnlyReader } from '../models/list-model.ts';
import { countText, intervalText } from '../text/common-text.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedPolicyType,
  statedText,
  statedTime,
} from '../text/stated-facts.ts';
import { type Completeness, completenessNotes } from './completeness.ts';
import { editPolicyButton, groupNamesText, namesText, scheduleText } from './policy-list.ts';

type GroupView = {
  readonly kind: 'group';
  readonly group: Group;
  readonly name: string;
  /** Names of the parent groups, outermost first. */
  readonly above: readonly string[];
  readonly policies: readonly { readonly id: PolicyId; readonly name: string | null }[];
  /** Without subgroups. */
  readonly devices: number;
  /** With subgroups. */
  readonly devicesBelow: number;
  readonly list: CommandChoice;
  readonly asOf: Instant;
} & ReadOnlyReader;

const POLICIES = 10;

/** Draws the details. Only people who may change groups get the Edit button. */
export function renderGroupDetails(view: GroupView): RenderedMessage {
  const { name, devices, devicesBelow, list, asOf } = view;
  return buildMessage({
    text: md`Group ${escapeMrkdwn(name)}: ${countText(devices, 'device')}, ${countText(view.policies.length, 'policy', 'policies')}.`,
    body: [section(boldHeading('Group', name)), ...statedFields(groupFacts(view))],
    footer: [
      context(md`As of ${relativeDate(asOf)}.`),
      ...actions(
        devicesBelow === 0 ? null : runButton({ action: 'devices', label: 'Devices', ...list }),
        view.lookOnly === undefined ? editGroupButton(view.group.id) : null,
        runButton({ action: 'groups', label: 'All groups', command: 'groups', input: {} }),
      ),
    ],
  });
}

function groupFacts({ group, above, policies, devices, devicesBelow }: GroupView): readonly StatedFact[] {
  const below = devicesBelow > devices ? md` (${devicesBelow} with subgroups)` : md``;
  return [
    { label: 'ID', value: md`#${group.id}` },
    { label: 'Parent group', value: above.length === 0 ? null : pathText(above) },
    { label: 'Devices', value: md`${devices}${below}` },
    {
      label: 'Scan interval',
      value: group.refreshIntervalMinutes === null ? null : intervalText(group.refreshIntervalMinutes),
    },
    { label: 'Automatic OS updates', value: autoUpdateText(group) },
    { label: 'Windows update source', value: wsusText(group) },
    { label: 'Color', value: colorText(group) },
    {
      label: `Policies (${policies.length})`,
      value: policies.length === 0 ? md`None` : namesText(policies, POLICIES),
    },
    { label: 'Notes', value: statedText(group.notes, DISPLAY_LIMIT.sentence) },
  ];
}

function pathText(above: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    above.slice(-5).map((name) => escapeMrkdwn(name, DISPLAY_LIMIT.label)),
    ' / ',
  );
}

function autoUpdateText({ osAutoUpdate }: Group): Mrkdwn {
  if (osAutoUpdate === null) return md`The device’s own setting`;
  return osAutoUpdate ? md`On` : md`Off`;
}

function wsusText({ wsus: config }: Group): Mrkdwn {
  if (config === null || config.managed === null) return md`The device’s own setting`;
  if (!config.managed) return md`Windows Update`;
  return config.server === null || config.server === ''
    ? md`WSUS`
    : md`WSUS, server ${inlineCode(config.server)}`;
}

/** The name that the console shows for the color. It shows its first color for values that it does not know. */
function colorText({ color: value }: Group): Mrkdwn | null {
  const name = colorName(value);
  return name === null || value === null || value === ''
    ? null
    : md`${escapeMrkdwn(name)} (${escapeMrkdwn(value, DISPLAY_LIMIT.label)})`;
}

type PolicyView = {
  readonly kind: 'policy';
  /** Devices that report the policy, from the device index; null while that is loading. */
  readonly compliance?: {
    readonly devices: number;
    readonly noncompliant: number;
    readonly list: CommandChoice;
  } | null;
  readonly asOf: Instant;
} & PolicyLine &
  ReadOnlyReader;

const MAX_GROUPS = 15;

/** Scripts are not part of the view, because they may contain secrets. Only people who may change policies get the Edit button. */
export function renderPolicyDetails(view: PolicyView): RenderedMessage {
  const { policy, asOf } = view;
  return buildMessage({
    text: md`Policy ${joinMrkdwn(present(escapeMrkdwn(policy.name), statedPolicyType(policy.type)), ': ')}.`,
    body: [section(boldHeading('Policy', policy.name)), ...statedFields(policyFacts(view))],
    footer: [
      context(md`As of ${relativeDate(asOf)}.`),
      ...actions(
        runButton({
          action: 'events',
          label: 'Events',
          command: 'events',
          input: { filters: { policy: policy.id, user: null, name: null, days: 7 } },
        }),
        noncompliantButton(view),
        view.lookOnly === undefined ? editPolicyButton(policy.id) : null,
        runButton({ action: 'policies', label: 'All policies', command: 'policies', input: {} }),
      ),
    ],
  });
}

function policyFacts(view: PolicyView): readonly StatedFact[] {
  const { policy, groups } = view;
  const { nextRemediation: next, deviceCount, notes } = policy;
  // Said once where both counts agree.
  const otherCount = deviceCount === view.compliance?.devices ? null : deviceCount;
  return [
    { label: 'ID and type', value: statedParts(md`#${policy.id}`, typeText(policy)) },
    { label: 'Status', value: statedText(policy.status === null ? null : upperFirst(policy.status)) },
    { label: 'Schedule', value: scheduleFact(policy) },
    {
      label: 'Next run',
      value: next === null ? null : md`${relativeDate(next)} (per the management service)`,
    },
    { label: `Groups (${groups.length})`, value: groupNamesText(view, MAX_GROUPS) },
    {
      label: 'Devices',
      value: otherCount === null ? null : md`${otherCount} (per the management service)`,
    },
    { label: 'Not compliant', value: complianceText(view) },
    ...settingFacts(policy),
    { label: 'Created', value: statedTime(policy.createTime) },
    { label: 'Notes', value: statedText(notes, DISPLAY_LIMIT.sentence) },
  ];
}

/** Explains the vendor's word: not everybody knows what a Worklet is. */
function typeText({ type }: Policy): Mrkdwn | null {
  return type === 'custom' ? md`worklet (runs scripts)` : statedPolicyType(type);
}

/** Those that the policy states. */
function settingFacts({ settings }: Policy): readonly StatedFact[] {
  return POLICY_SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined || value === '') return [];
    const words = settingText(name, value);
    const text = escapeMrkdwn(typeof value === 'string' ? words : upperFirst(words), DISPLAY_LIMIT.sentence);
    return [{ label: upperFirst(FIELD_LABELS[name]), value: text }];
  });
}

/** The documented interface does not say whose clock the schedule follows. */
function scheduleFact({ schedule }: Policy): Mrkdwn | null {
  const words = scheduleText(schedule);
  if (words === null || schedule.time === null || schedule.time === '') return words;
  return schedule.timezone === null
    ? md`${words} (the management service doesn’t state the time zone)`
    : md`${words}, ${escapeMrkdwn(zoneText(schedule.timezone), DISPLAY_LIMIT.label)}`;
}

/** Devices that were never scanned report no policy, so the management service may count more. */
function complianceText({ compliance = null }: PolicyView): Mrkdwn | null {
  return compliance === null
    ? null
    : md`${compliance.noncompliant} of ${countText(compliance.devices, 'device')} that report on this policy`;
}

function noncompliantButton({ compliance = null }: PolicyView): Button | null {
  if (compliance === null || compliance.noncompliant === 0) return null;
  const label = `Show ${compliance.noncompliant} noncompliant`;
  return runButton({ action: 'devices', label, ...compliance.list });
}

type OrganizationView = {
  readonly kind: 'organization';
  /** Null: Patchbay's API key does not see the configured organization. */
  readonly organization: Organization | null;
  readonly id: number;
  readonly asOf: Instant;
};

/** The organization that Patchbay works for, or a sentence where the API key does not see it. */
export function renderOrganization(view: OrganizationView): RenderedMessage {
  const { organization, id, asOf } = view;
  const footer = [context(md`As of ${relativeDate(asOf)}.`)];
  if (organization === null) {
    const text = md`The management service doesn’t list organization #${id} for Patchbay’s API key.`;
    return buildMessage({ text, body: [section(text)], footer });
  }
  const { name, tier, createTime } = organization;
  const devices = statedParts(
    organization.deviceCount === null ? null : countText(organization.deviceCount, 'device'),
    organization.deviceLimit === null ? null : md`limit ${organization.deviceLimit}`,
  );
  return buildMessage({
    text:
      devices === null
        ? md`Organization ${escapeMrkdwn(name)}.`
        : md`Organization ${escapeMrkdwn(name)}: ${devices}.`,
    body: [
      section(boldHeading('Organization', name)),
      ...statedFields([
        { label: 'ID', value: md`#${id}` },
        { label: 'Tier', value: statedText(tier) },
        { label: 'Devices', value: devices },
        { label: 'Created', value: statedTime(createTime) },
      ]),
    ],
    footer,
  });
}

export type GroupListView = {
  readonly kind: 'groups';
  readonly root: string;
  readonly rows: readonly GroupRow[];
  readonly devices: number;
  readonly paging: Paging;
} & Completeness;

const BUDGET = 8_000;
/** Deeper groups are indented no further, so that their names stay readable. */
const MAX_INDENT = 8;

export function renderGroupList(view: GroupListView): RenderedMessage {
  const { rows, devices, paging } = view;
  const total = md`${countText(paging.total, 'group')} with ${countText(devices, 'device')}`;
  return buildMessage({
    text: md`Groups: ${total}.`,
    body: [
      section(md`*Groups*`),
      ...rowBlocks(rows.map(groupRow), {
        budget: BUDGET,
        more: moreOnPage,
        none: md`The management service lists no groups.`,
      }),
      ...completenessNotes(view, md`counted`).map((note) => context(note)),
      context(md`Show one with ${typedCommand(view.root, 'group NAME')}.`),
    ],
    footer: pageButtons(paging, total, refreshButton(paging)),
  });
}

function groupRow({ id, name, depth, devices, refreshIntervalMinutes, policies }: GroupRow): Mrkdwn {
  const indent =
    depth === 0 ? md`` : trustedMrkdwn(`${'\u2003'.repeat(Math.min(depth, MAX_INDENT) - 1)}\u2514 `);
  const scanned =
    refreshIntervalMinutes === null ? md`` : md` · scanned ${intervalText(refreshIntervalMinutes)}`;
  const linked = policies === 0 ? md`no policies` : countText(policies, 'policy', 'policies');
  return md`${indent}${bold(name)} · #${id} · ${countText(devices, 'device')}${scanned} · ${linked}`;
}

export function groupsCsv(view: GroupListView): CsvTable {
  return csvTable(view.rows, {
    id: (row) => row.id,
    group: (row) => row.name,
    level: (row) => row.depth,
    devices: (row) => row.devices,
    'minutes between scans': (row) => row.refreshIntervalMinutes,
    policies: (row) => row.policies,
  });
}
