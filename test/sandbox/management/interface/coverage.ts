/**
 * The coverage table: one row for every parameter, body field, header, status and answer field of every endpoint. The
 * test named {@link testNameOf} proves a row, and fails if the feature is removed. The service itself does not read this
 * table.
 */
import {
  ENDPOINTS,
  type EndpointSpec,
  endpointTitle,
  type ParameterSpecs,
  type ProfileName,
} from './endpoints.ts';

type CoverageRowKind = 'path' | 'query' | 'body' | 'header' | 'status' | 'answer';

export type CoverageRow = {
  readonly endpoint: string;
  readonly kind: CoverageRowKind;
  /** `limit`, `command_type_name=GetOS`, `detail.NICS[].MAC`. */
  readonly name: string;
  readonly profiles: readonly ProfileName[];
  readonly type?: string;
  /** Whether it differs between the profiles that have it; else one of them proves it. */
  readonly differs?: boolean;
};

export const PROFILES: readonly ProfileName[] = ['documented', 'live'];

export function testNameOf({ kind, name }: Pick<CoverageRow, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** Types of which each profile has its own form. */
const OWN_FORMS = /^(?:queue|event|logon) time/;

function coverageRowsOf(endpoint: EndpointSpec): readonly CoverageRow[] {
  const row = (kind: CoverageRowKind, name: string, more: Partial<CoverageRow> = {}): CoverageRow => ({
    endpoint: endpointTitle(endpoint),
    kind,
    name,
    profiles: endpoint.only === undefined ? PROFILES : [endpoint.only],
    ...more,
  });
  const parameters = (kind: 'query' | 'body', all: ParameterSpecs = {}): readonly CoverageRow[] =>
    Object.entries(all).flatMap(([name, { type, only, values = [], newerValues = [], leastLive }]) => {
      const more = { type, ...(only === undefined ? {} : { profiles: [only] }) };
      // The live service assumes every organization, and fails where a preview names no groups.
      const differs = name === 'o' || name === 'server_groups' || leastLive !== undefined;
      return [
        row(kind, name, { ...more, differs }),
        ...values.map((value) => row(kind, `${name}=${value}`, { ...more, differs: /not in$/.test(value) })),
        ...newerValues.map((value) => row(kind, `${name}=${value}`, { ...more, profiles: ['live'] })),
      ];
    });
  const { shape = {}, older = {}, newer = {} } = endpoint.answer ?? {};
  return [
    ...[...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => row('path', name)),
    ...parameters('query', endpoint.query),
    ...parameters('body', endpoint.body),
    ...endpoint.headers.map((name) => row('header', name)),
    ...endpoint.statuses.map((status) => row('status', String(status))),
    ...Object.entries(shape).map(([name, type]) =>
      row('answer', name, { type, differs: OWN_FORMS.test(type) }),
    ),
    ...Object.entries(older).map(([name, type]) => row('answer', name, { type, profiles: ['documented'] })),
    ...Object.entries(newer).map(([name, type]) => row('answer', name, { type, profiles: ['live'] })),
  ];
}

export const COVERAGE_ROWS: readonly CoverageRow[] = ENDPOINTS.flatMap(coverageRowsOf);

/** Rows of these kinds that are proven in this profile: those of both in `live` alone, unless they differ. */
export function rowsByEndpoint(kinds: readonly CoverageRowKind[], profile: ProfileName) {
  return ENDPOINTS.map((endpoint) => ({
    endpoint,
    title: endpointTitle(endpoint),
    rows: coverageRowsOf(endpoint).filter(
      ({ kind, profiles, differs }) =>
        kinds.includes(kind) && (differs ? profiles.includes(profile) : profiles.at(-1) === profile),
    ),
  })).filter(({ rows }) => rows.length > 0);
}

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
  const inProfile = (profile: ProfileName) =>
    rows.filter(({ profiles }) => profiles.includes(profile)).length || '–';
  const cells = [
    `\`${endpointTitle(endpoint)}\``,
    endpoint.section,
    count('path', 'query'),
    count('body'),
    count('answer'),
    count('status'),
    inProfile('documented'),
    inProfile('live'),
  ];
  return `| ${cells.join(' | ')} |`;
}
