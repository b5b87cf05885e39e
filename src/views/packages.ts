/** The software of a device: what waits to be installed first, with what makes it urgent. */
import type { Instant } from '../clock.ts';
import { displayName, type Package } from '../fleet/model.ts';
import { type PackageState, packageState } from '../fleet/software.ts';
import { deviceButton, patchButton } from './device/device-buttons.ts';
import { context, lines, section } from './kit/blocks.ts';
import { code, heading, joined, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { runButton } from './kit/run-button.ts';
import { table } from './kit/table.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { cvesOf, packageColumns } from './packages-table.ts';
import { severityCounts, severityWords } from './severity.ts';
import { count } from './words.ts';

type PackagesView = Extract<View, { kind: 'packages' }>;

/** Of the message's total, for the list itself. */
const BUDGET = 8_000;

export function renderPackages(view: PackagesView): RenderedMessage {
  const { device, question, isDefault, rows, counts, other, paging } = view;
  const name = displayName(device);
  const more = (left: number) => md`${left} more on this page not shown.`;
  const asked = isDefault ? md`` : md`\nFilter: ${code(question, SHOWN.sentence)}`;
  const instead = lines(
    rows.map((item) => row(item, paging.asOf)),
    { budget: BUDGET, more },
  );
  const columns = packageColumns(rows, { asOf: paging.asOf, isPlain: isDefault });
  return message({
    text: md`Packages for ${literal(name)}: ${totals(counts)}.${asked}${severities(view)}`,
    body: [
      section(md`${heading('Packages for', name)}${asked}\n${totals(counts)}${severities(view)}`),
      rows.length === 0 ? section(nothing(view)) : table(rows, { columns, instead, more }),
      ...notes(view).map((note) => context(note)),
    ],
    end: pager(
      paging,
      count(paging.total, 'package'),
      runButton({ action: 'packages:other', label: isDefault ? 'All packages' : 'Not installed', ...other }),
      deviceButton(device.id),
      counts.missing > 0 && view.lookOnly === undefined ? patchButton({ id: device.id, name }) : null,
    ),
  });
}

function totals({ missing, deferred, ignored, installed }: PackagesView['counts']): Mrkdwn {
  const held = [
    deferred === 0 ? null : md`${deferred} deferred`,
    ignored === 0 ? null : md`${ignored} ignored`,
  ];
  const parts = [count(missing, 'missing patch', 'missing patches'), ...held, md`${installed} installed`];
  return joined(
    parts.filter((part) => part !== null),
    ', ',
  );
}

function severities({ severities: all }: PackagesView): Mrkdwn {
  const isStated = all.some(({ severity }) => severity !== null);
  return isStated ? md`\nMissing: ${severityCounts(all)}` : md``;
}

function nothing({ isDefault, counts }: PackagesView): Mrkdwn {
  if (Object.values(counts).every((number) => number === 0)) {
    return md`The management service lists no packages for this device.`;
  }
  return isDefault ? md`Nothing to install.` : md`No packages match. Remove a word or a filter to see more.`;
}

/** A severity that the service does not state is neither high nor low. */
function notes({ counts, severities: all }: PackagesView): readonly Mrkdwn[] {
  const unstated = all.find(({ severity }) => severity === null)?.count ?? 0;
  if (unstated === 0) return [];
  return unstated === counts.missing
    ? [md`The management service gives no severity for these missing packages.`]
    : [
        md`The management service gives no severity for ${unstated} of the missing packages. List them with ${code('severity:unstated')}.`,
      ];
}

function row(item: Package, now: Instant): Mrkdwn {
  const shown = item.displayName === '' ? item.name : item.displayName;
  const machine = item.name === shown || item.name === '' ? md`` : md` ${code(item.name, SHOWN.label)}`;
  const version =
    item.version === null || item.version === '' ? md`` : md` ${literal(item.version, SHOWN.label)}`;
  return md`${strong(shown, SHOWN.label)}${machine}${version} · ${joined(facts(item, now), ' · ')}`;
}

function facts(item: Package, now: Instant): readonly Mrkdwn[] {
  const state = packageState(item, now);
  const words = stateWords(state, item);
  if (state === 'installed') return [words];
  const severity = item.severity === null || item.severity === '' ? null : severityWords(item.severity);
  return [words, severity, cves(item), item.requiresReboot ? md`reboot required` : null].filter(
    (fact) => fact !== null,
  );
}

function stateWords(state: PackageState, { deferredUntil }: Package): Mrkdwn {
  switch (state) {
    case 'missing':
      return md`missing`;
    case 'ignored':
      return md`ignored`;
    case 'installed':
      return md`installed`;
    case 'deferred':
      return deferredUntil === null ? md`deferred` : md`deferred until ${when(deferredUntil)}`;
  }
}

function cves(item: Package): Mrkdwn | null {
  const { named, left } = cvesOf(item);
  if (named.length === 0) return null;
  const shown = named.map(({ cve, isExploited }) =>
    isExploited ? md`${literal(cve, SHOWN.label)} (known exploited)` : literal(cve, SHOWN.label),
  );
  return joined(left === 0 ? shown : [...shown, md`and ${left} more`], ', ');
}
