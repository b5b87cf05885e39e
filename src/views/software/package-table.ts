/** The columns of a list of packages: what makes one urgent comes first, because phones cut tables at the right. */
import { packageState } from '../../fleet/model/derived-fields.ts';
import type { Package, PackageScope } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { plainName } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { CellContent, Column } from '../kit/table.ts';

/** CVEs named for one package; the others are counted. */
const MAX_CVES = 3;

/** `isPlain`: the default list, which needs no state column if every package is missing. */
export function packageColumns(
  rows: readonly Package[],
  { asOf, isPlain }: { readonly asOf: Instant; readonly isPlain: boolean },
): readonly Column<Package>[] {
  const isSaid = !isPlain || rows.some((item) => packageState(item, asOf) !== 'missing');
  const isWaiting = (item: Package) => packageState(item, asOf) !== 'installed';
  return [
    { title: 'Package', cell: nameCell, max: DISPLAY_LIMIT.name, wraps: true },
    { title: 'State', cell: (item) => (isSaid ? stateCell(item, asOf) : null) },
    { title: 'Severity', cell: (item) => (isWaiting(item) ? severityCell(item) : null) },
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

function severityCell({ severity }: Package): CellContent {
  return severity === null ? null : severity.replaceAll('_', ' ');
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
export function scopeText(by: readonly PackageScope[]): string {
  return by.map((scope) => SCOPES[scope]).join(' and ');
}

/** The score of the worst CVE, and the probability that one is exploited (EPSS), where the service states them. */
export function scoreText({ cveScore, epssScore }: Package): string | null {
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
export function cvesOf({ cves, exploitedCves }: Package) {
  const exploited = new Set(exploitedCves);
  const all = [...exploited, ...cves.filter((cve) => !exploited.has(cve))];
  const named = all.slice(0, MAX_CVES).map((cve) => ({ cve, isExploited: exploited.has(cve) }));
  return { named, left: all.length - named.length };
}
