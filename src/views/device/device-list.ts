import { systemName } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import {
  type Completeness,
  checkedText,
  completenessNotes,
  packageReadingNotes,
} from '../fleet/completeness.ts';
import { context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons, refreshButton } from '../kit/pager.ts';
import { type CsvCell, type CsvTable, csvTable } from '../kit/table.ts';
import { whenAgo } from '../kit/timestamps.ts';
import type {
  DevicesRow,
  DeviceTotals,
  ListChanges,
  ListedDeviceLine,
  Paging,
  PickLine,
} from '../models/list-model.ts';
import type { PackageReading } from '../models/problem-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { present, statedGroup, statedSystem } from '../text/stated-facts.ts';
import { deviceButton, listChangeBlocks } from './device-buttons.ts';
import { connectionText } from './device-card.ts';

export type DevicesView = Completeness & {
  readonly kind: 'devices';
  /** What was asked for, as it would be typed; empty for all. */
  readonly title: string;
  /** The same for a channel, without what is personal; absent where there is nothing of that. */
  readonly publicTitle?: string;
  /** Words were looked for, beside filters or alone. */
  readonly byWords?: true;
  /** For everybody in a channel. */
  readonly shared?: true;
  readonly rows: readonly DevicesRow[];
  readonly totals?: DeviceTotals;
  /** No device has all the words as they were typed: these come near. */
  readonly close?: boolean;
  /** How the packages were read that a filter asks for; absent: none does. */
  readonly packages?: PackageReading;
  /** So many more may fit the filters; absent: none. */
  readonly unstated?: number;
  /** Changes of all its devices; absent: the reader may request none. */
  readonly changes?: ListChanges;
  readonly paging: Paging;
};

/** One page of the list. In a channel, a query with personal data is replaced by its public title. */
export function renderDeviceList(view: DevicesView): RenderedMessage {
  const { rows } = view;
  const title = view.shared ? (view.publicTitle ?? view.title) : view.title;
  const isHidden = title !== view.title;
  const paging = isHidden ? withoutQuery(view.paging) : view.paging;
  const total = countText(paging.total, 'device');
  const query = inlineCode(title, DISPLAY_LIMIT.sentence);
  const heading = title === '' ? md`*All devices*` : md`*Devices matching* ${query}`;
  const counted =
    view.totals === undefined || rows.length === 0
      ? total
      : md`${total}: ${totalsText(view.totals, paging.total)}`;
  return buildMessage({
    text: title === '' ? md`All devices: ${counted}.` : md`Devices matching ${query}: ${counted}.`,
    body: [
      section(rows.length === 0 ? heading : md`${heading}\n${counted}.`),
      ...(rows.length === 0 ? [section(emptyText(view))] : rows.map((row) => deviceRow(row, view))),
      ...listNotes(view).map((note) => context(note)),
    ],
    footer: [
      // They carry the query, or its devices, on all pages.
      ...(isHidden || (title === '' && view.changes?.kind === 'too-many')
        ? []
        : listChangeBlocks(view.changes)),
      ...pageButtons(paging, null, isHidden ? null : refreshButton(paging)),
    ],
  });
}

/** Says what words are matched against, because people also search for packages here. */
function emptyText({ byWords }: DevicesView): Mrkdwn {
  const where =
    byWords === true
      ? md` Words are matched against names, addresses, serial numbers and users. To find a package, use ${inlineCode('missing PACKAGE')}.`
      : md``;
  return md`No devices match.${where} Remove a word or a filter to see more.`;
}

/** Page buttons and the command line carry the query, so both are left out where it is hidden. */
function withoutQuery({ line: _line, ...paging }: Paging): Paging {
  return { ...paging, page: 0, pages: 1 };
}

/** Of the whole list, not of its page alone. A connection that is unknown is neither online nor offline. */
function totalsText(totals: DeviceTotals, total: number): Mrkdwn {
  const { online, offline, pending, needsReboot, noncompliant, unknown } = totals;
  const rest = (number = 0) => (number === 0 ? md`` : md` (${number} unknown)`);
  const isOneState = total > 1 && (online === total || offline === total);
  const count = (number: number) => (total > 1 && number === total ? md`all` : md`${number}`);
  const parts = [
    isOneState && online === 0 ? null : md`${count(online)} online`,
    isOneState && offline === 0 ? null : md`${count(offline)} offline${rest(unknown?.connection)}`,
    md`${count(pending)} with pending patches${rest(unknown?.pending)}`,
    md`${needsReboot === 1 ? md`1 requires` : md`${count(needsReboot)} require`} a reboot${rest(unknown?.needsReboot)}`,
    md`${count(noncompliant)} not compliant${rest(unknown?.compliance)}`,
  ];
  return joinMrkdwn(present(...parts), ', ');
}

/** Notes about inexact matches and incomplete data. */
function listNotes({ close, packages, unstated = 0, ...whole }: DevicesView): readonly Mrkdwn[] {
  const near = close === true ? [md`No exact match. These are similar.`] : [];
  const read = packages === undefined ? [] : packageNotes(packages);
  const more = countText(unstated, 'more device matches', 'more devices match');
  const out = unstated === 0 ? [] : [md`Unknown whether ${more}.`];
  return [...near, ...read, ...out, ...completenessNotes(whole, md`listed`)];
}

function packageNotes(packages: PackageReading): readonly Mrkdwn[] {
  if (packages.candidates === 0) return [md`None of the devices checked has missing patches.`];
  return [checkedText(packages), ...packageReadingNotes(packages)];
}

function deviceRow(line: DevicesRow, { shared }: DevicesView): Block {
  const { device } = line;
  if (device === null) return section(md`#${line.id} · no longer in the fleet`);
  const summary = shared === true ? deviceSummary(line) : identifiedSummary(line);
  return section(summary, deviceButton(device.id, 'Show', `:${device.id}`));
}

/** A device in two lines, or one where only its name and state are known. */
export function deviceSummary(line: ListedDeviceLine): Mrkdwn {
  const { device, seenAt = null } = line;
  const { pendingPatches } = device;
  const seen = device.connected === true || seenAt === null ? md`` : md`, last seen ${whenAgo(seenAt)}`;
  const title = md`${bold(displayName(device))} · #${device.id} · ${connectionText(device)}${seen}`;
  const facts = present(
    statedSystem(device),
    statedGroup(line),
    pendingPatches === null ? null : countText(pendingPatches, 'pending patch', 'pending patches'),
    device.needsReboot === true ? md`reboot required` : null,
    device.compliant === false ? md`not compliant` : null,
  );
  return facts.length === 0 ? title : md`${title}\n${joinMrkdwn(facts, ' · ')}`;
}

/** Addresses in a row: the first few are enough to tell devices apart. */
const MAX_ADDRESSES = 3;

/** A device with what found it, and with addresses and serial number, which tell devices of one name apart. */
export function identifiedSummary(line: PickLine): Mrkdwn {
  const { addresses = [], serialNumber = null, userName = null } = line;
  const parts = [
    userName === null ? null : md`user ${escapeMrkdwn(userName)}`,
    addresses.length === 0 ? null : listMrkdwn(addresses, MAX_ADDRESSES),
    serialNumber === null ? null : md`serial number ${escapeMrkdwn(serialNumber)}`,
  ].filter((part) => part !== null);
  const summary = deviceSummary(line);
  return parts.length === 0 ? summary : md`${summary}\n${joinMrkdwn(parts, ' · ')}`;
}

/** Its version has a column of its own. */
export function devicesCsv(view: DevicesView): CsvTable {
  const known = (cell: (line: ListedDeviceLine) => CsvCell) => (row: DevicesRow) =>
    row.device === null ? null : cell(row);
  return csvTable(view.rows, {
    id: (row) => (row.device === null ? row.id : row.device.id),
    hostname: ({ device }) => (device === null ? 'no longer in the fleet' : device.name),
    'custom name': known(({ device }) => device.customName),
    group: known(({ groupName }) => groupName),
    system: known(({ device: { osFamily, osName } }) => systemName({ osFamily, osName })),
    version: known(({ device }) => device.osVersion),
    connected: known(({ device }) => device.connected),
    'needs a reboot': known(({ device }) => device.needsReboot),
    'pending patches': known(({ device }) => device.pendingPatches),
  });
}

/** Several devices have the name, user, address or serial number: one button each runs `command` again with a device's id. */
type PickerView = {
  readonly kind: 'picker';
  /** Null: they are those that a message speaks of. */
  readonly query: string | null;
  readonly rows: readonly PickLine[];
  readonly total: number;
  readonly choices: readonly { readonly command: string; readonly input: unknown }[];
};

/** One button for each device. IDs are offered where a button is missing or more devices match. */
export function renderDevicePicker(view: PickerView): RenderedMessage {
  const { query, rows, total, choices } = view;
  const buttons = rows.map((_line, at) => {
    const choice = choices[at];
    return choice === undefined ? null : runButton({ action: `pick:${at}`, label: 'Select', ...choice });
  });
  const unsaid = total > rows.length ? md`${total - rows.length} more match. ` : md``;
  const byId = total > rows.length || buttons.includes(null);
  const what =
    query === null
      ? md`This message mentions ${total} devices. Which one?`
      : md`${total} devices match ${escapeMrkdwn(query)}. Which one?`;
  return buildMessage({
    text: what,
    body: [section(what), ...rows.map((line, at) => section(identifiedSummary(line), buttons[at] ?? null))],
    footer: byId
      ? [section(md`${unsaid}Use the ID instead of the name, such as ${inlineCode('#1042')}.`)]
      : [],
  });
}

/** Only what lists show of each device to everybody. */
export function pickerWithoutPersonal(view: PickerView): PickerView {
  return { ...view, rows: view.rows.map(({ addresses: _, serialNumber: __, userName: ___, ...row }) => row) };
}

/** Below a message that links to a device: nothing personal, no addresses, serial number or logged-in user. */
export function renderDeviceUnfurl(line: ListedDeviceLine): RenderedMessage {
  const { id } = line.device;
  const summary = deviceSummary(line);
  return buildMessage({ text: summary, body: [section(summary, deviceButton(id, 'Show', `:${id}`))] });
}
