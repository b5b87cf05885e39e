/**
 * The coverage table: one row for every parameter, body field, header, status and answer field of every endpoint. The
 * test named {@link testNameOf} proves a row in each of its profiles, and fails if the feature is removed. The service
 * itself does not read this table.
 */
import { DOCUMENTED_ENDPOINTS } from './documented-endpoints.ts';
import type { CoverageRow, CoverageRowKind, EndpointSpec, ParameterSpecs, ProfileName } from './row-types.ts';
import { UNDOCUMENTED_ENDPOINTS } from './undocumented-endpoints.ts';

export const ENDPOINTS: readonly EndpointSpec[] = [...DOCUMENTED_ENDPOINTS, ...UNDOCUMENTED_ENDPOINTS];

/** The endpoints of a profile. */
export function endpointsServed(profile: ProfileName): readonly EndpointSpec[] {
  return ENDPOINTS.filter(({ only = profile }) => only === profile);
}

export const PROFILES: readonly ProfileName[] = ['documented', 'live'];

/** `GET /servers/{id}` */
export function endpointTitle({ method, path }: Pick<EndpointSpec, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The name of the test that proves a row. */
export function testNameOf({ kind, name }: Pick<CoverageRow, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

const LIVE_ONLY = { profiles: ['live'], source: 'in practice' } as const;

/** Every row of one endpoint. */
export function coverageRowsOf(endpoint: EndpointSpec): readonly CoverageRow[] {
  const row = (kind: CoverageRowKind, name: string, more: Partial<CoverageRow> = {}): CoverageRow => ({
    endpoint: endpointTitle(endpoint),
    kind,
    name,
    profiles: endpoint.only === undefined ? PROFILES : [endpoint.only],
    source: endpoint.source ?? 'document',
    ...more,
  });
  const parameters = (kind: 'query' | 'body', all: ParameterSpecs = {}): readonly CoverageRow[] =>
    Object.entries(all).flatMap(([name, { type, source, only, values = [], newerValues = [] }]) => {
      const more = {
        type,
        ...(source === undefined ? {} : { source }),
        ...(only === undefined ? {} : { profiles: [only] }),
      };
      return [
        row(kind, name, more),
        ...values.map((value) => row(kind, `${name}=${value}`, more)),
        ...newerValues.map((value) => row(kind, `${name}=${value}`, { ...more, ...LIVE_ONLY })),
      ];
    });
  const { answer } = endpoint;
  return [
    ...[...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => row('path', name)),
    ...parameters('query', endpoint.query),
    ...parameters('body', endpoint.body),
    ...endpoint.headers.map((name) => row('header', name)),
    ...endpoint.statuses.map((status) => row('status', String(status))),
    ...Object.entries(answer?.shape ?? {}).map(([name, type]) => row('answer', name, { type })),
    ...Object.entries(answer?.older ?? {}).map(([name, type]) =>
      row('answer', name, { type, profiles: ['documented'] }),
    ),
    ...Object.entries(answer?.newer ?? {}).map(([name, type]) => row('answer', name, { type, ...LIVE_ONLY })),
  ];
}

export const COVERAGE_ROWS: readonly CoverageRow[] = ENDPOINTS.flatMap(coverageRowsOf);
