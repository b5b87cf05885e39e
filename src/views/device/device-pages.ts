import { freePercent } from '../../fleet/model/derived-fields.ts';
import { policyName, policyStatusOf } from '../../fleet/model/policy-status.ts';
import {
  type Deferrals,
  type Device,
  type DeviceDetail,
  type DevicePolicyStatus,
  displayName,
  type NetworkCard,
  type Policy,
  type Volume,
} from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { policyButtons, scheduleText } from '../fleet/policy-list.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
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
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage, type MessageBody } from '../kit/message.ts';
import { bar, type Column, renderTable } from '../kit/table.ts';
import { relativeDate, whenAgo } from '../kit/timestamps.ts';
import type { DevicePage, ReadOnlyReader } from '../models/list-model.ts';
import {
  bytesText,
  countText,
  intervalText,
  listMrkdwn,
  listPlain,
  policyStatusText,
} from '../text/common-text.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedNumber,
  statedParts,
  statedPolicyType,
  statedText,
  statedTime,
  statedYesNo,
} from '../text/stated-facts.ts';
import { devicePageButtons } from './device-buttons.ts';
import { lastScan, policyStatusNote } from './device-card.ts';

/** `shared`: for a channel, so without personal data. */
export type DevicePageView = {
  readonly kind: 'device-page';
  readonly page: Exclude<DevicePage, 'facts' | 'timeline' | 'queue'>;
  readonly device: Device;
  readonly asOf: Instant;
  readonly shared?: true;
} & ReadOnlyReader;

type PageRow = { readonly title: string; readonly content: (view: DevicePageView) => PageContent };

const PAGES: Readonly<Record<DevicePageView['page'], PageRow>> = {
  hardware: {
    title: 'Hardware and system for',
    content: ({ device, shared }) => hardwarePage(device, shared === true),
  },
  volumes: { title: 'Volumes for', content: ({ device }) => volumesPage(device) },
  network: { title: 'Network for', content: ({ device, shared }) => networkPage(device, shared === true) },
  updates: { title: 'Updates for', content: ({ device }) => updatesPage(device) },
  policies: {
    title: 'Policies for',
    content: ({ device, lookOnly }) => policiesPage(device, lookOnly === undefined),
  },
};

export function renderDevicePage(view: DevicePageView): RenderedMessage {
  const { device, page, asOf } = view;
  const name = displayName(device);
  const { title: beginning, content } = PAGES[page];
  const { summary, isSaid, body } = content(view);
  const title = boldHeading(beginning, name);
  return buildMessage({
    text: md`${trustedMrkdwn(beginning)} ${escapeMrkdwn(name)}: ${summary}.`,
    body: [
      section(isSaid ? md`${title}\n${summary}.` : title),
      ...(body.length === 0 && !isSaid ? [section(md`Nothing reported.`)] : body),
    ],
    footer: [context(md`As of ${relativeDate(asOf)}.`), ...devicePageButtons(device.id, page)],
  });
}

const MAX_DISKS = 10;

/** Hardware, operating system, agent and record. `shared`: without serial numbers and instance ID. */
function hardwarePage(device: Device, shared: boolean): PageContent {
  const { detail } = device;
  const facts = [
    ...(detail === null ? [] : machineFacts(detail)),
    ...(shared ? [] : numberFacts(device)),
    ...systemFacts(device),
    ...recordFacts(device, shared),
  ];
  const hidden = shared ? [context(md`Serial numbers are hidden here.`)] : [];
  const absent = detail === null ? [context(md`The agent hasn’t reported any hardware yet.`)] : [];
  return {
    summary: detail === null ? md`no hardware reported` : (modelText(detail) ?? md`model not reported`),
    body: [...statedFields(facts), ...hidden, ...absent],
  };
}

function machineFacts(detail: DeviceDetail): readonly StatedFact[] {
  return [
    { label: 'Model', value: modelText(detail) },
    { label: 'Board or model version', value: statedText(detail.version) },
    { label: 'Processor', value: statedText(detail.cpu === null ? null : detail.cpu.trim()) },
    { label: 'Memory', value: sizeText(detail.ramBytes, detail.ramSent) },
    { label: 'Disks', value: disksText(detail.disks) },
    { label: 'PowerShell', value: statedText(detail.shellVersion) },
    { label: 'WMI integrity', value: statedText(detail.wmiIntegrity) },
  ];
}

/** As the agent wrote it, where that could not be read; null: it wrote nothing. */
function sizeText(size: number | null, sent: string | null): Mrkdwn | null {
  if (size !== null) return bytesText(size);
  return sent === null ? null : md`${bytesText(null)} (${inlineCode(sent, DISPLAY_LIMIT.label)})`;
}

function modelText({ vendor, model: name }: DeviceDetail): Mrkdwn | null {
  const parts = [vendor, name].filter((part) => part !== null && part !== '');
  return statedText(parts.join(' '));
}

function disksText(all: DeviceDetail['disks']): Mrkdwn | null {
  if (all.length === 0) return null;
  const listed = all
    .slice(0, MAX_DISKS)
    .map(({ type, sizeBytes, sent }) =>
      joinMrkdwn(present(statedText(type), sizeText(sizeBytes, sent) ?? bytesText(null)), ', '),
    );
  const left = all.length - listed.length;
  return left === 0 ? joinMrkdwn(listed, '\n') : md`${joinMrkdwn(listed, '\n')}\nand ${left} more`;
}

/** Serial numbers, which identify a device: left out where the answer is shared. */
function numberFacts({ serialNumber, detail }: Device): readonly StatedFact[] {
  const board = detail?.serial ?? null;
  return [
    { label: 'Serial number', value: statedText(serialNumber) },
    ...(board === null || board === serialNumber
      ? []
      : [{ label: 'Reported serial number', value: statedText(board) }]),
    ...(detail === null ? [] : [{ label: 'Service tag', value: statedText(detail.serviceTag) }]),
  ];
}

function systemFacts(device: Device): readonly StatedFact[] {
  const { agentVersion, deviceStatus, agentStatus, uptime } = device;
  return [
    { label: 'OS version', value: osVersion(device) },
    {
      label: 'Agent',
      value: statedParts(statedText(agentVersion), statedText(agentStatus, DISPLAY_LIMIT.label)),
    },
    { label: 'Status', value: statedText(deviceStatus) },
    { label: 'Compatible', value: statedYesNo(device.compatible) },
    { label: 'Time zone', value: statedText(device.timezone) },
    {
      label: 'Scan interval',
      value: device.refreshIntervalMinutes === null ? null : intervalText(device.refreshIntervalMinutes),
    },
    // Sources disagree about the unit ("management API in practice" 5.1), so none is shown.
    { label: 'Uptime at last scan', value: uptime === null ? null : md`${uptime} (unit not documented)` },
  ];
}

/** The version with its ID, which `preview` takes as a filter. */
function osVersion({ osVersion: version, osVersionId: id }: Device): Mrkdwn | null {
  const words = statedText(version);
  if (words === null || id === null) return words ?? (id === null ? null : md`#${id}`);
  return md`${words} (#${id})`;
}

function recordFacts(device: Device, shared: boolean): readonly StatedFact[] {
  const { detail } = device;
  return [
    { label: 'Added', value: statedTime(device.createTime) },
    { label: 'Last processed', value: statedTime(device.lastProcessTime) },
    { label: 'Organizational unit', value: statedText(device.organizationalUnit) },
    { label: 'Distinguished name', value: statedText(detail === null ? null : detail.distinguishedName) },
    { label: 'Notes', value: statedText(device.notes, DISPLAY_LIMIT.sentence) },
    { label: 'UUID', value: statedText(device.uuid) },
    ...(shared ? [] : [{ label: 'Instance', value: statedText(device.instanceId) }]),
  ];
}

const NETWORK_BUDGET = 6_000;
const MAX_ADDRESSES = 20;

/** Addresses and network cards. `shared`: without addresses. */
function networkPage(device: Device, shared: boolean): PageContent {
  const { addresses, privateAddresses, detail } = device;
  const reported = detail === null ? [] : detail.addresses;
  const known = new Set([...addresses, ...privateAddresses]);
  const others = reported.filter((address) => !known.has(address));
  const cards = detail === null ? [] : detail.networkCards;
  const own = [
    { label: 'Public addresses', value: addressList(addresses) },
    { label: 'Private addresses', value: addressList(privateAddresses) },
    { label: 'Other reported addresses', value: addressList(others) },
  ];
  const more = (left: number) => md`${left} more network cards not shown.`;
  const fallback = rowBlocks(
    cards.map((card) => networkRow(card, shared)),
    { budget: NETWORK_BUDGET, more },
  );
  const cardCount = countText(cards.length, 'network card');
  const names = { label: 'Domain names', value: addressList(detail === null ? [] : detail.domainNames) };
  return {
    summary: shared
      ? cardCount
      : md`${countText(known.size + others.length, 'address', 'addresses')}, ${cardCount}`,
    body: [
      ...statedFields([...(shared ? [] : own), names]),
      ...(cards.length === 0
        ? [context(md`The agent hasn’t reported any network cards.`)]
        : [
            renderTable(cards, {
              columns: shared ? NETWORK_COLUMNS : [...NETWORK_COLUMNS, ...ADDRESS_COLUMNS],
              fallback,
              more,
            }),
          ]),
      ...(shared ? [context(md`Addresses are hidden here.`)] : []),
    ],
  };
}

const NETWORK_COLUMNS: readonly Column<NetworkCard>[] = [
  {
    title: 'Network card',
    cell: ({ device, type, vendor }) => [device, type, vendor].filter(Boolean).join(', '),
    max: DISPLAY_LIMIT.name,
    wraps: true,
  },
  { title: 'Connection', cell: ({ connected }) => connectionStateText(connected) },
];
const ADDRESS_COLUMNS: readonly Column<NetworkCard>[] = [
  {
    title: 'Addresses',
    cell: ({ addresses }) => listPlain(addresses, MAX_ADDRESSES),
    max: DISPLAY_LIMIT.sentence / 2,
    wraps: true,
  },
  { title: 'MAC', cell: ({ mac }) => mac },
];

function connectionStateText(connected: boolean | null): string | null {
  if (connected === null) return null;
  return connected ? 'connected' : 'not connected';
}

function addressList(items: readonly string[]): Mrkdwn | null {
  return items.length === 0 ? null : listMrkdwn(items, MAX_ADDRESSES);
}

function networkRow(
  { device, type, vendor, mac, addresses, connected }: NetworkCard,
  shared: boolean,
): Mrkdwn {
  const kinds = present(statedText(type, DISPLAY_LIMIT.label), statedText(vendor, DISPLAY_LIMIT.label));
  const state = connectionStateText(connected);
  const states = state === null ? [] : [trustedMrkdwn(state)];
  const title = joinMrkdwn([bold(device ?? '', DISPLAY_LIMIT.label), ...kinds, ...states], ' · ');
  const number = statedText(mac, DISPLAY_LIMIT.label);
  const own = present(number === null ? null : md`MAC ${number}`, addressList(addresses));
  return shared || own.length === 0 ? title : md`${title}\n${joinMrkdwn(own, ' · ')}`;
}

function updatesPage(device: Device): PageContent {
  const { detail, deferrals, pendingPatches, patches } = device;
  return {
    summary:
      pendingPatches === null
        ? md`pending patches not reported`
        : countText(pendingPatches, 'pending patch', 'pending patches'),
    body: statedFields([
      { label: 'Pending patches (required by policies)', value: statedNumber(pendingPatches) },
      { label: 'Available patches (including ignored or deferred)', value: statedNumber(patches) },
      { label: 'Next patch time (per the management service)', value: statedTime(device.nextPatchTime) },
      { label: 'Reboot required', value: statedYesNo(device.needsReboot) },
      { label: 'Last scan', value: lastScan(device) },
      {
        label: 'Last update',
        value: device.lastUpdateTime === null ? null : whenAgo(device.lastUpdateTime),
      },
      { label: 'WSUS', value: wsusText(detail === null ? null : detail.wsus) },
      {
        label: 'Automatic OS updates',
        value: automaticText(detail === null ? null : detail.autoUpdate),
      },
      { label: 'Update source', value: sourceText(detail === null ? null : detail.updateSource) },
      { label: 'Patches deferred', value: deferralText(patchDeferrals(deferrals)) },
      { label: 'Reboot deferred', value: deferralText(rebootDeferrals(deferrals)) },
    ]),
  };
}

function wsusText(config: DeviceDetail['wsus']): Mrkdwn | null {
  if (config === null) return null;
  const { managed, server, reachable } = config;
  const name = statedText(server);
  return statedParts(
    managed === null ? null : managed ? md`In use` : md`Not in use`,
    name === null ? null : md`server ${name}`,
    reachable === null ? null : reachable ? md`reachable` : md`*not reachable*`,
  );
}

function automaticText(setting: DeviceDetail['autoUpdate']): Mrkdwn | null {
  if (setting === null) return null;
  const state = setting.enabled === null ? null : setting.enabled ? 'On' : 'Off';
  const options = setting.options.filter((option) => option.toLowerCase() !== state?.toLowerCase());
  const chosen = options.length === 0 ? null : listMrkdwn(options, 5);
  if (state === null || chosen === null) return state === null ? chosen : trustedMrkdwn(state);
  return md`${trustedMrkdwn(state)} (${chosen})`;
}

function sourceText(updateSource: DeviceDetail['updateSource']): Mrkdwn | null {
  if (updateSource === null) return null;
  const { connected } = updateSource;
  const state = connected === null ? null : connected ? md`Connected` : md`*Not connected*`;
  const error = statedText(updateSource.error, DISPLAY_LIMIT.sentence / 2);
  if (state === null || error === null) return state ?? error;
  return md`${state} (${error})`;
}

type DeferralCounts = {
  readonly times: number | null;
  readonly notifications: number | null;
  readonly byUser: boolean | null;
  readonly byNotification: boolean | null;
};

function patchDeferrals(deferrals: Deferrals): DeferralCounts {
  return {
    times: deferrals.patchDeferrals,
    notifications: deferrals.notifications,
    byUser: deferrals.delayedByUser,
    byNotification: deferrals.delayedByNotification,
  };
}

function rebootDeferrals(deferrals: Deferrals): DeferralCounts {
  return {
    times: deferrals.rebootDeferrals,
    notifications: deferrals.rebootNotifications,
    byUser: deferrals.rebootDelayedByUser,
    byNotification: deferrals.rebootDelayedByNotification,
  };
}

function deferralText({ times, notifications, byUser, byNotification }: DeferralCounts): Mrkdwn | null {
  return statedParts(
    byUser === true ? md`by the user` : null,
    byNotification === true ? md`until a notification is answered` : null,
    times === null ? null : countText(times, 'time'),
    notifications === null ? null : md`${countText(notifications, 'notification')} sent`,
  );
}

const VOLUMES_BUDGET = 8_000;
const moreVolumes = (left: number): Mrkdwn => md`${left} more volumes not shown.`;
/** Percent free below which a volume counts as low. Our own limit: with less, updates begin to fail. */
const LOW_PERCENT = 10;

function volumesPage({ detail }: Device): PageContent {
  const all = detail === null ? [] : detail.volumes;
  if (all.length === 0) {
    return { summary: md`no volumes reported`, body: [section(md`The agent hasn’t reported any volumes.`)] };
  }
  return {
    summary: md`${countText(all.length, 'volume')}, ${spaceText(all)}`,
    body: [
      renderTable(all, {
        columns: VOLUME_COLUMNS,
        fallback: rowBlocks(all.map(volumeRow), { budget: VOLUMES_BUDGET, more: moreVolumes }),
        more: moreVolumes,
      }),
    ],
  };
}

/** What is not known is neither low nor good. */
function spaceText(all: readonly Volume[]): Mrkdwn {
  const low = all.filter(isLow).length;
  const unclear = all.filter((volume) => freePercent(volume) === null).length;
  if (unclear === all.length) return md`free space unknown`;
  if (unclear === 0) return low === 0 ? md`none low on space` : md`${low} low on space`;
  return md`${low} low on space, ${unclear} unknown`;
}

const VOLUME_COLUMNS: readonly Column<Volume>[] = [
  { title: 'Volume', cell: volumeNameCell, max: DISPLAY_LIMIT.name, wraps: true },
  { title: 'Free', cell: freeCell, align: 'right' },
  { title: 'Size', cell: sizeCell, align: 'right' },
  { title: 'Space', cell: (volume) => spaceCell(volume) },
];

function volumeNameCell({ name, label, fileSystem, systemDisk }: Volume): string {
  const parts = [name, label, fileSystem, systemDisk === true ? 'system' : null];
  return parts.filter(Boolean).join(', ');
}

function freeCell(volume: Volume): string | null {
  const percent = freePercent(volume);
  return percent === null ? volume.sent.free : `${bytesText(volume.freeBytes)} (${percent}%)`;
}

/** Sizes that contradict each other, or cannot be read, stand as the agent wrote them. */
function sizeCell(volume: Volume): string {
  const { sizeBytes, sent } = volume;
  return (freePercent(volume) === null ? sent.size : null) ?? bytesText(sizeBytes);
}

function spaceCell(volume: Volume): string | null {
  if (freePercent(volume) === null) return 'unknown';
  return isLow(volume) ? 'low' : null;
}

function volumeRow(volume: Volume): Mrkdwn {
  const { name, label, fileSystem, systemDisk, sizeBytes, freeBytes } = volume;
  const notes = [
    label === null || label === '' ? null : escapeMrkdwn(label, DISPLAY_LIMIT.label),
    fileSystem === null || fileSystem === '' ? null : escapeMrkdwn(fileSystem, DISPLAY_LIMIT.label),
    systemDisk === true ? md`system` : null,
  ].filter((note) => note !== null);
  const title = md`${joinMrkdwn([bold(name ?? '', DISPLAY_LIMIT.label), ...notes], ' · ')}`;
  const percent = freePercent(volume);
  if (percent === null || sizeBytes === null || freeBytes === null) {
    const reported = Object.entries(volume.sent).flatMap(([what, text]) =>
      text === null ? [] : [md`${trustedMrkdwn(what)} ${inlineCode(text, DISPLAY_LIMIT.label)}`],
    );
    const asSent = reported.length === 0 ? md`` : md` Reported: ${joinMrkdwn(reported, ', ')}`;
    return md`${title}\nFree space unknown.${asSent}`;
  }
  const warning = isLow(volume) ? md` · *low on space*` : md``;
  return md`${title}\n${bar(sizeBytes - freeBytes, sizeBytes)} ${bytesText(freeBytes)} of ${bytesText(sizeBytes)} free (${percent}%)${warning}`;
}

function isLow(volume: Volume): boolean {
  const percent = freePercent(volume);
  return percent !== null && percent < LOW_PERCENT;
}

/** Policies listed in one message. */
const MAX_ROWS = 30;
/** More rows of buttons would push policies off the message. */
const MAX_RUN_BUTTONS = 8;

/** The content of the page. `mayRun`: whether policies get buttons that run them. */
function policiesPage(device: Device, mayRun: boolean): PageContent {
  const ids = policyIdsOf(device);
  const failing = device.policyCompliance.filter(({ compliant }) => compliant === false).length;
  const known = device.policyCompliance.filter(({ compliant }) => compliant !== null).length;
  const unknown = known < ids.length ? md`, ${ids.length - known} unknown` : md``;
  const all = countText(ids.length, 'policy', 'policies');
  const sum = ids.length === 0 ? md`No policies` : md`${all}, ${failing} not compliant${unknown}`;
  return {
    summary: md`${sum}${overallText(device)}`,
    isSaid: true,
    body: [
      ...policyRows(device, ids.slice(0, MAX_ROWS), mayRun ? MAX_RUN_BUTTONS : 0),
      ...(ids.length > MAX_ROWS ? [context(md`${ids.length - MAX_ROWS} more policies not shown.`)] : []),
    ],
  };
}

/** The IDs in any of the record's lists, because the lists may differ by a row or two (§2.5). */
function policyIdsOf({ policyStatuses, policyCompliance, policies: own }: Device): readonly PolicyId[] {
  const stated = policyStatuses.map(({ policyId }) => policyId).filter((id) => id !== null);
  return [
    ...new Set([...stated, ...policyCompliance.map(({ policyId }) => policyId), ...own.map(({ id }) => id)]),
  ];
}

function overallText(device: Device): Mrkdwn {
  const { compliant, exception } = device;
  const notes = [
    compliant === null ? null : compliant ? md`device compliant` : md`device not compliant`,
    exception === true ? md`excluded from reports and statistics` : null,
    policyStatusNote(device),
  ].filter((note) => note !== null);
  return notes.length === 0 ? md`` : md`; ${joinMrkdwn(notes, ', ')}`;
}

/** Rows of policies; the first `most` that can be run by hand get buttons. */
function policyRows(device: Device, ids: readonly PolicyId[], most: number): readonly Block[] {
  let room = most;
  return ids.flatMap((id) => {
    const policy = { id, name: policyName(device, id), type: typeOf(device, id) };
    const buttons = room === 0 ? [] : policyButtons(policy, device.id);
    if (buttons.length > 0) room -= 1;
    return [policyRow(device, id), ...buttons];
  });
}

function typeOf(device: Device, id: PolicyId): string | null {
  const policy = device.policies.find((one) => one.id === id);
  return policy?.type ?? policyStatusOf(device, id)?.policyType ?? null;
}

function policyRow(device: Device, id: PolicyId): Block {
  const entry = policyStatusOf(device, id);
  const policy = device.policies.find((one) => one.id === id);
  const name = policyName(device, id);
  const named = name === null ? [md`*#${id}*`] : [bold(name), md`#${id}`];
  const title = joinMrkdwn([...named, ...present(statedPolicyType(typeOf(device, id)))], ' · ');
  const show = runButton({ action: `policy:${id}`, label: 'Show', command: 'policy', input: { policy: id } });
  return section(md`${title}\n${policyStateText(device, id, entry)}${nextRunText(policy, entry)}`, show);
}

function policyStateText(device: Device, id: PolicyId, entry: DevicePolicyStatus | null): Mrkdwn {
  const isCompliant = device.policyCompliance.find(({ policyId }) => policyId === id)?.compliant ?? null;
  const complies = isCompliant === null ? null : isCompliant ? md`compliant` : md`*not compliant*`;
  const status = entry === null || entry.status === null ? null : policyStatusText(entry.status);
  const patches =
    entry === null || entry.pendingCount === null || entry.pendingCount === 0
      ? null
      : md`${entry.pendingCount} pending`;
  const reboot = entry?.willReboot === true ? md`will reboot` : null;
  const asOf =
    entry === null || entry.createTime === null ? null : md`as of ${relativeDate(entry.createTime)}`;
  const result =
    entry === null || entry.result === null || entry.result === '' || entry.result === '{}'
      ? null
      : escapeMrkdwn(entry.result, DISPLAY_LIMIT.sentence / 4);
  const parts = [complies, status, patches, reboot, result, asOf].filter((part) => part !== null);
  return parts.length === 0 ? md`Not evaluated yet` : joinMrkdwn(parts, ' · ');
}

/** Schedule and next run. The latter is attributed to the service, because it is unreliable ("management API in practice" 9). */
function nextRunText(policy: Policy | undefined, entry: DevicePolicyStatus | null): Mrkdwn {
  const run = entry?.nextRemediation ?? policy?.nextRemediation ?? null;
  const parts = [
    policy === undefined ? null : scheduleText(policy.schedule),
    run === null ? null : md`next run ${relativeDate(run)} (per the management service)`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md`\n${joinMrkdwn(parts, ' · ')}`;
}

/** `summary` follows the device's name in the fallback text, and below the heading where `isSaid`. */
type PageContent = { readonly summary: Mrkdwn; readonly isSaid?: true; readonly body: MessageBody };
