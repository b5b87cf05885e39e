/** The coverage table in short, for people: one line for each endpoint. */
import { ENDPOINTS, rowsOf, titleOf } from './coverage.ts';
import type { Endpoint, ProfileName, Row, RowKind } from './row.ts';

const HEAD = [
  '| endpoint | § | parameters | body fields | answer fields | statuses | documented | live |',
  '|---|---|--:|--:|--:|--:|--:|--:|',
];

/** A Markdown table; its last columns count the rows of each profile, every one of which a test proves. */
export function coverageSummary(): string {
  return [...HEAD, ...ENDPOINTS.map(line)].join('\n');
}

function line(endpoint: Endpoint): string {
  const rows = rowsOf(endpoint);
  const count = (...kinds: readonly RowKind[]) => rows.filter(({ kind }) => kinds.includes(kind)).length;
  const cells = [
    `\`${titleOf(endpoint)}\``,
    endpoint.section,
    count('path', 'query'),
    count('body'),
    count('answer'),
    count('status'),
    inProfile(rows, 'documented'),
    inProfile(rows, 'live'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function inProfile(rows: readonly Row[], profile: ProfileName): string {
  const own = rows.filter(({ profiles }) => profiles.includes(profile));
  return own.length === 0 ? '–' : String(own.length);
}
