/**
 * The coverage table: one row for every parameter, body field, header, status and answer field of every endpoint.
 * A row is proven by the test named {@link testOf}, in each of its profiles; that test also fails once the thing is
 * taken away. Nothing of the service reads this table: it says what the service is held to.
 */
import { DOCUMENTED } from './endpoints.ts';
import { IN_PRACTICE } from './practice.ts';
import type { Endpoint, Parameters, ProfileName, Row, RowKind } from './row.ts';

export const ENDPOINTS: readonly Endpoint[] = [...DOCUMENTED, ...IN_PRACTICE];

/** The endpoints that a profile of the service has. */
export function served(profile: ProfileName): readonly Endpoint[] {
  return ENDPOINTS.filter(({ only = profile }) => only === profile);
}

export const PROFILES: readonly ProfileName[] = ['documented', 'live'];

/** `GET /servers/{id}` */
export function titleOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The name of the test that proves a row. */
export function testOf({ kind, name }: Pick<Row, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

const NEWER = { profiles: ['live'], source: 'in practice' } as const;

/** Every row of one endpoint. */
export function rowsOf(endpoint: Endpoint): readonly Row[] {
  const row = (kind: RowKind, name: string, more: Partial<Row> = {}): Row => ({
    endpoint: titleOf(endpoint),
    kind,
    name,
    profiles: endpoint.only === undefined ? PROFILES : [endpoint.only],
    source: endpoint.source ?? 'document',
    ...more,
  });
  const parameters = (kind: 'query' | 'body', all: Parameters = {}): readonly Row[] =>
    Object.entries(all).flatMap(([name, { type, source, only, values = [], newerValues = [] }]) => {
      const more = {
        type,
        ...(source === undefined ? {} : { source }),
        ...(only === undefined ? {} : { profiles: [only] }),
      };
      return [
        row(kind, name, more),
        ...values.map((value) => row(kind, `${name}=${value}`, more)),
        ...newerValues.map((value) => row(kind, `${name}=${value}`, { ...more, ...NEWER })),
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
    ...Object.entries(answer?.newer ?? {}).map(([name, type]) => row('answer', name, { type, ...NEWER })),
  ];
}

export const ROWS: readonly Row[] = ENDPOINTS.flatMap(rowsOf);
