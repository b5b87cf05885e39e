/** The packages of a device. Missing patches come first, with severity, CVEs and reboot. */
import { type PackageState, packageState, type SeverityCount } from '../../fleet/model/derived-fields.ts';
import { type Device, displayName, type Package, type PackageScope } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { deviceButton, patchButton } from '../device/device-buttons.ts';
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
  plainName,
} from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import {
  type CellContent,
  type Column,
  type CsvTable,
  csvTable,
  renderTable,
  utcTimestamp,
} from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { CommandChoice, Paging, ReadOnlyReader } from '../models/list-model.ts';
import { countText, severityCountsText, severityText } from '../text/common-text.ts';

export type PackagesView = {
  readonly kind: 'packages';
  readonly device: Device;
  /** The query as it would be typed. */
  readonly question: string;
  /** No words or filters were given, so everything that is not installed is listed. */
  readonly isDefault: boolean;
  readonly rows: readonly Package[];
  readonly counts: Readonly<Record<PackageState, number>>;
  readonly severities: readonly SeverityCount[];
  /** The other list: all packages, or only those that are not installed. */
  readonly other: CommandChoice;
  readonly paging: Paging;
} & ReadOnlyReader;

/** Characters for the rows, out of the message's total. */
const BUDGET = 8_000;

export function renderPackageList(view: PackagesView): RenderedMessage {
  const { device, question, isDefault, rows, counts, other, paging } = view;
  const name = displayName(device);
  const filterNote = isDefault ? md`` : md`\nFilter: ${inlineCode(question, DISPLAY_LIMIT.sentence)}`;
  const fallback = rowBlocks(
    rows.map((item) => packageRow(item, paging.asOf)),
    { budget: BUDGET, more: moreOnPage },
  );
  const columns = packageColumns(rows, { asOf: paging.asOf, isPlain: isDefault });
  return buildMessage({
    text: md`Packages for ${escapeMrkdwn(name)}: ${packageTotals(view)}.${filterNote}`,
    body: [
      section(md`${boldHeading('Packages for', name)}${filterNote}\n${packageTotals(view)}`),
      rows.length === 0
        ? section(emptyText(view))
        : renderTable(rows, { columns, fallback, more: moreOnPage }),
      ...[...severityNotes(view), ...pendingNote(view)].map((note) => context(note)),
    ],
    footer: pageButtons(
      paging,
      countText(paging.total, 'package'),
      runButton({ action: 'packages:other', label: isDefault ? 'All packages' : 'Not installed', ...other }),
      deviceButton(device.id),
      counts.missing > 0 && view.lookOnly === undefined ? patchButton(device.id) : null,
    ),
  });
}

function packageTotals(view: PackagesView): Mrkdwn {
  const { missing, deferred, ignored, installed } = view.counts;
  const held = [
    deferred === 0 ? null : md`${deferred} deferred`,
    ignored === 0 ? null : md`${ignored} ignored`,
  ];
  const missingText = md`${countText(missing, 'missing patch', 'missing patches')}${severityTotals(view)}`;
  const parts = [missingText, ...held].filter((part) => part !== null);
  // As many as the list has that leaves out what is installed.
  const all = parts.length === 1 ? md`` : md`${missing + deferred + ignored} not installed: `;
  return md`${all}${joinMrkdwn(parts, ', ')}; ${installed} installed`;
}

function severityTotals({ severities: all }: PackagesView): Mrkdwn {
  const isStated = all.some(({ severity }) => severity !== null);
  return isStated ? md` (${severityCountsText(all)})` : md``;
}

function emptyText({ device, question, isDefault, counts }: PackagesView): Mrkdwn {
  if (Object.values(counts).every((number) => number === 0)) {
    return md`The management service lists no packages for this device.`;
  }
  // Words alone are looked for in all packages.
  if (!isDefault && !question.includes(':') && counts.installed > 0)
    return md`No package named ${inlineCode(question, DISPLAY_LIMIT.sentence)} is installed on ${escapeMrkdwn(displayName(device))}, and none is missing.`;
  return isDefault ? md`Nothing to install.` : md`No packages match. Remove a word or a filter to see more.`;
}

/** Defines missing and pending patches where the number on the device's card differs. */
function pendingNote({ device, counts }: PackagesView): readonly Mrkdwn[] {
  const { pendingPatches: pending } = device;
  return pending === null || pending === counts.missing
    ? []
    : [
        md`Missing patches are all that aren’t installed, ignored or deferred. Pending patches (${pending}) are those that policies require.`,
      ];
}

/** Counts missing packages without a severity: unknown is neither high nor low. */
function severityNotes({ counts, severities: all }: PackagesView): readonly Mrkdwn[] {
  const unstated = all.find(({ severity }) => severity === null)?.count ?? 0;
  if (unstated === 0) return [];
  return unstated === counts.missing
    ? [md`The management service gives no severity for these missing packages.`]
    : [
        md`The management service gives no severity for ${unstated} of the missing packages. List them with ${inlineCode('severity:unstated')}.`,
      ];
}

function packageRow(item: Package, now: Instant): Mrkdwn {
  const packageName = item.displayName === '' ? item.name : item.displayName;
  const machine =
    item.name === packageName || item.name === '' ? md`` : md` ${inlineCode(item.name, DISPLAY_LIMIT.label)}`;
  const version =
    item.version === null || item.version === ''
      ? md``
      : md` ${escapeMrkdwn(item.version, DISPLAY_LIMIT.label)}`;
  return md`${bold(packageName, DISPLAY_LIMIT.label)}${machine}${version} · ${joinMrkdwn(packageFacts(item, now), ' · ')}`;
}

function packageFacts(item: Package, now: Instant): readonly Mrkdwn[] {
  const state = packageState(item, now);
  const words = packageStateText(state, item);
  if (state === 'installed') return [words];
  const severity = item.severity === null || item.severity === '' ? null : severityText(item.severity);
  const score = scoreText(item);
  return [
    words,
    severity,
    cvesText(item),
    score === null ? null : md`${item.cveScore === null ? md`` : md`score `}${escapeMrkdwn(score)}`,
    item.requiresReboot ? md`reboot required` : null,
  ].filter((fact) => fact !== null);
}

function packageStateText(state: PackageState, { deferredUntil, deferredBy, ignoredBy }: Package): Mrkdwn {
  switch (state) {
    case 'missing':
      return md`missing`;
    case 'ignored':
      return scoped(md`ignored`, ignoredBy);
    case 'installed':
      return md`installed`;
    case 'deferred':
      return deferredUntil === null
        ? md`deferred`
        : md`${scoped(md`deferred`, deferredBy)} until ${relativeDate(deferredUntil)}`;
  }
}

function scoped(state: Mrkdwn, by: readonly PackageScope[]): Mrkdwn {
  return by.length === 0 ? state : md`${state} ${escapeMrkdwn(scopeText(by))}`;
}

function cvesText(item: Package): Mrkdwn | null {
  const { named, left } = cvesOf(item);
  if (named.length === 0) return null;
  const listed = named.map(({ cve, isExploited }) =>
    isExploited
      ? md`${escapeMrkdwn(cve, DISPLAY_LIMIT.label)} (known exploited)`
      : escapeMrkdwn(cve, DISPLAY_LIMIT.label),
  );
  return joinMrkdwn(left === 0 ? listed : [...listed, md`and ${left} more`], ', ');
}

export function packagesCsv(view: PackagesView): CsvTable {
  return csvTable(view.rows, {
    device: () => displayName(view.device),
    package: (item) => item.name,
    name: (item) => item.displayName,
    version: (item) => item.version,
    installed: (item) => item.installed,
    ignored: (item) => item.ignored,
    'ignored in': (item) => item.ignoredBy.join(' '),
    'deferred until': (item) => utcTimestamp(item.deferredUntil),
    severity: (item) => item.severity,
    CVEs: (item) => item.cves.join(' '),
    'CVE score': (item) => item.cveScore,
    EPSS: (item) => item.epssScore,
    'needs a reboot': (item) => item.requiresReboot,
  });
}

/** CVEs named for one package; the others are counted. */
const MAX_CVES = 3;

/** What makes a package urgent comes first, because phones cut tables at the right. `isPlain`: needs no state column if all are missing. */
function packageColumns(
  rows: readonly Package[],
  { asOf, isPlain }: { readonly asOf: Instant; readonly isPlain: boolean },
): readonly Column<Package>[] {
  const isSaid = !isPlain || rows.some((item) => packageState(item, asOf) !== 'missing');
  const isWaiting = (item: Package) => packageState(item, asOf) !== 'installed';
  return [
    { title: 'Package', cell: nameCell, max: DISPLAY_LIMIT.name, wraps: true },
    { title: 'State', cell: (item) => (isSaid ? stateCell(item, asOf) : null) },
    {
      title: 'Severity',
      cell: (item) => (isWaiting(item) ? (item.severity?.replaceAll('_', ' ') ?? null) : null),
    },
    {
      title: 'CVEs',
      cell: (item) => (isWaiting(item) ? cveCell(item) : null),
      max: DISPLAY_LIMIT.name,
      wraps: true,
    },
    { title: 'Score', cell: (item) => (isWaiting(item) ? scoreText(item) : null) },
    { title: 'Reboot', cell: (item) => (isWaiting(item) && item.requiresReboot ? 'required' : null) },
    { title: rows.every(isWaiting) ? 'Available version' : 'Version', cell: ({ version }) => version },
  ];
}

/** The display name, with the machine name that commands take unless it is part of it. */
function nameCell({ name, displayName }: Package): string {
  if (displayName === '') return name;
  return displayName.includes(name) ? displayName : `${plainName(displayName)} (${plainName(name)})`;
}

function stateCell(item: Package, asOf: Instant): CellContent {
  const state = packageState(item, asOf);
  if (state === 'ignored') return `ignored ${scopeText(item.ignoredBy)}`.trim();
  return state === 'deferred' && item.deferredUntil !== null
    ? [`${['deferred', scopeText(item.deferredBy)].join(' ').trimEnd()} until `, { at: item.deferredUntil }]
    : state;
}

const SCOPES: Readonly<Record<PackageScope, string>> = { device: 'on the device', group: 'by its group' };

/** Where a package is ignored or deferred, as whoever lifts it must know; empty if the service does not say. */
function scopeText(by: readonly PackageScope[]): string {
  return by.map((scope) => SCOPES[scope]).join(' and ');
}

/** The score of the worst CVE, and the probability that one is exploited (EPSS), where the service states them. */
function scoreText({ cveScore, epssScore }: Package): string | null {
  const parts = [
    ...(cveScore === null ? [] : [String(cveScore)]),
    ...(epssScore === null ? [] : [`EPSS ${percentText(epssScore)}`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function percentText(share: number): string {
  return share > 0 && share < 0.01 ? 'under 1%' : `${Math.round(share * 100)}%`;
}

function cveCell(item: Package): CellContent {
  const { named, left } = cvesOf(item);
  if (named.length === 0) return null;
  const words = named.map(({ cve, isExploited }) => (isExploited ? `${cve} (exploited)` : cve));
  return [...words, ...(left === 0 ? [] : [`and ${left} more`])].join(', ');
}

/** The first CVEs, known exploited ones before the others, and how many are left. */
function cvesOf({ cves, exploitedCves }: Package) {
  const exploited = new Set(exploitedCves);
  const all = [...exploited, ...cves.filter((cve) => !exploited.has(cve))];
  const named = all.slice(0, MAX_CVES).map((cve) => ({ cve, isExploited: exploited.has(cve) }));
  return { named, left: all.length - named.length };
}
