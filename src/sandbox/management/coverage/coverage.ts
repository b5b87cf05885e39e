/**
 * The coverage table: one row for every parameter, body field, header, status and answer field of every endpoint.
 * A row is proven by the test named {@link testNameOf}, in each of its profiles; that test also fails once the thing is
 * taken away. Nothing of the service reads this table: it says what the service is held to.
 */
import { DOCUMENTED_ENDPOINTS } from './documented-endpoints.ts';
import type { CoverageRow, CoverageRowKind, EndpointSpec, ParameterSpecs, ProfileName } from './row-types.ts';
import { UNDOCUMENTED_ENDPOINTS } from './undocumented-endpoints.ts';

export const ENDPOINTS: readonly EndpointSpec[] = [...DOCUMENTED_ENDPOINTS, ...UNDOCUMENTED_ENDPOINTS];

/** The endpoints that a profile of the service has. */
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
