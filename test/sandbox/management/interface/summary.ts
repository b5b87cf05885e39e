/** A summary of the coverage table for people: one line per endpoint. */
import { coverageRowsOf, ENDPOINTS, endpointTitle } from './coverage.ts';
import type { CoverageRow, CoverageRowKind, EndpointSpec, ProfileName } from './row-types.ts';

const HEAD = [
  '| endpoint | § | parameters | body fields | answer fields | statuses | documented | live |',
  '|---|---|--:|--:|--:|--:|--:|--:|',
];

/** A Markdown table; its last columns count the rows of each profile, every one of them proven by a test. */
export function coverageSummary(): string {
  return [...HEAD, ...ENDPOINTS.map(endpointLine)].join('\n');
}

function endpointLine(endpoint: EndpointSpec): string {
  const rows = coverageRowsOf(endpoint);
  const count = (...kinds: readonly CoverageRowKind[]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).length;
  const cells = [
    `\`${endpointTitle(endpoint)}\``,
    endpoint.section,
    count('path', 'query'),
    count('body'),
    count('answer'),
    count('status'),
    countInProfile(rows, 'documented'),
    countInProfile(rows, 'live'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function countInProfile(rows: readonly CoverageRow[], profile: ProfileName): string {
  const own = rows.filter(({ profiles }) => profiles.includes(profile));
  return own.length === 0 ? '–' : String(own.length);
}
