/** The software of a device, what is missing first. */
import type { Instant } from '../clock.ts';
import { displayName, isMissing, type Package } from '../fleet/model.ts';
import { lines, section } from './blocks.ts';
import { deviceButton, patchButton } from './device-buttons.ts';
import { code, heading, joined, literal, type Mrkdwn, md, strong } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';
import { pager } from './pager.ts';
import { when } from './when.ts';
import { count } from './words.ts';

/** Of the message's total, for the list itself. */
const BUDGET = 8_000;

export function renderPackages(view: Extract<View, { kind: 'packages' }>): RenderedMessage {
  const { device, rows, missing, paging } = view;
  const name = displayName(device);
  const target = { id: device.id, name };
  const summary = md`${count(missing, 'missing patch', 'missing patches')}, ${count(paging.total, 'package')} in all`;
  const more = (left: number) => md`${left} more on this page did not fit.`;
  const list = lines(
    rows.map((item) => row(item, paging.asOf)),
    { budget: BUDGET, more },
  );
  return message({
    text: md`Packages of ${literal(name)}: ${summary}.`,
    body: [
      section(heading('Packages of', name)),
      ...(rows.length === 0 ? [section(md`The service lists no packages for this device.`)] : list),
    ],
    end: pager(paging, summary, deviceButton(device.id), missing > 0 ? patchButton(target) : null),
  });
}

function row(item: Package, now: Instant): Mrkdwn {
  const shown = item.displayName === '' ? item.name : item.displayName;
  const machine = item.name === shown || item.name === '' ? md`` : md` ${code(item.name, SHOWN.label)}`;
  const version =
    item.version === null || item.version === '' ? md`` : md` ${literal(item.version, SHOWN.label)}`;
  return md`${strong(shown, SHOWN.label)}${machine}${version} · ${joined(notes(item, now), ' · ')}`;
}

function notes(item: Package, now: Instant): readonly Mrkdwn[] {
  const severity =
    item.severity === null || item.severity === ''
      ? null
      : literal(item.severity.replaceAll('_', ' '), SHOWN.label);
  return [
    state(item, now),
    item.installed ? null : severity,
    item.cves.length === 0 || item.installed ? null : count(item.cves.length, 'CVE'),
    item.requiresReboot && !item.installed ? md`needs a reboot` : null,
  ].filter((note) => note !== null);
}

function state(item: Package, now: Instant): Mrkdwn {
  if (item.installed) return md`installed`;
  if (item.ignored) return md`ignored`;
  if (isMissing(item, now) || item.deferredUntil === null) return md`missing`;
  return md`deferred until ${when(item.deferredUntil)}`;
}
