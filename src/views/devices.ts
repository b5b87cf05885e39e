/** A list of devices, a page at a time, each with a button that shows it. */
import { displayName } from '../fleet/model.ts';
import { completeness } from './completeness.ts';
import { connection } from './device/device.ts';
import { deviceButton } from './device/device-buttons.ts';
import { context, section } from './kit/blocks.ts';
import { code, joined, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { pager, refreshButton } from './kit/pager.ts';
import { whenAgo } from './kit/when.ts';
import type { Block, DevicesRow, ListedLine, Paging, RenderedMessage, View } from './model.ts';
import type { DeviceTotals } from './models/device-model.ts';
import { present, statedGroup, statedSystem } from './stated.ts';
import { count } from './words.ts';

type DevicesView = Extract<View, { kind: 'devices' }>;

export function renderDevices(view: DevicesView): RenderedMessage {
  const { rows } = view;
  const title = view.shared ? (view.publicTitle ?? view.title) : view.title;
  const isHidden = title !== view.title;
  const paging = isHidden ? withoutQuestion(view.paging) : view.paging;
  const total = count(paging.total, 'device');
  const shown = title === '' ? md`All devices` : md`Devices matching ${code(title, SHOWN.sentence)}`;
  return message({
    text: md`${shown}: ${total}.`,
    body: [
      section(title === '' ? md`*All devices*` : md`*Devices matching* ${code(title, SHOWN.sentence)}`),
      ...(rows.length === 0 ? [section(nothing(view))] : rows.map(row)),
      ...(view.totals === undefined || rows.length === 0 ? [] : [context(totalWords(view.totals, total))]),
      ...notes(view).map((note) => context(note)),
    ],
    end: pager(paging, total, isHidden ? null : refreshButton(paging)),
  });
}

/** Says where words were looked for: one that names a package finds no device. */
function nothing({ byWords }: DevicesView): Mrkdwn {
  const where =
    byWords === true
      ? md` Words are matched against names, addresses, serial numbers and users. To find a package, use ${code('missing PACKAGE')}.`
      : md``;
  return md`No devices match.${where} Remove a word or a filter to see more.`;
}

/** Buttons carry the whole question, and so does the line to type. */
function withoutQuestion({ line: _line, ...paging }: Paging): Paging {
  return { ...paging, page: 0, pages: 1 };
}

/** Of all that fit, whatever is on this page. */
function totalWords(totals: DeviceTotals, all: Mrkdwn): Mrkdwn {
  const { online, offline, pending, needsReboot, noncompliant } = totals;
  const parts = [
    md`${online} online`,
    md`${offline} offline`,
    md`${pending} with pending patches`,
    md`${needsReboot} with reboot required`,
    md`${noncompliant} not compliant`,
  ];
  return md`${all}: ${joined(parts, ', ')}.`;
}

/** What keeps the list from being all there is to say. */
function notes({ close, ...whole }: DevicesView): readonly Mrkdwn[] {
  const near = close === true ? [md`No exact match. These are similar.`] : [];
  return [...near, ...completeness(whole, md`listed`)];
}

function row(line: DevicesRow): Block {
  const { device } = line;
  if (device === null) return section(md`#${line.id} · no longer in the fleet`);
  return section(deviceSummary(line), deviceButton(device.id, 'Show', `:${device.id}`));
}

/** One device in two lines; one where nothing more is stated. */
export function deviceSummary(line: ListedLine): Mrkdwn {
  const { device, seenAt = null } = line;
  const { pendingPatches } = device;
  const seen = device.connected === true || seenAt === null ? md`` : md`, last seen ${whenAgo(seenAt)}`;
  const title = md`${strong(displayName(device))} · #${device.id} · ${connection(device)}${seen}`;
  const facts = present(
    statedSystem(device),
    statedGroup(line),
    pendingPatches === null ? null : count(pendingPatches, 'pending patch', 'pending patches'),
    device.needsReboot === true ? md`reboot required` : null,
  );
  return facts.length === 0 ? title : md`${title}\n${joined(facts, ' · ')}`;
}
