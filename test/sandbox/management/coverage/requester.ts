/** Sends requests to the service over HTTP, also with one feature removed. */
import type { ManagementService } from '../../../../src/sandbox/contracts/services.ts';
import type { CoverageRow } from '../interface/row-types.ts';
import { withoutField } from './json-fields.ts';

export type QueryValues = Readonly<Record<string, unknown>>;
export type CoverageRequest = {
  /** `GET /servers/{id}` */
  readonly endpoint: string;
  readonly id?: number;
  /** The second id of a path. */
  readonly entry?: number;
  /** Without `o`, the service's own organization is added; null: left out. */
  readonly query?: QueryValues;
  readonly body?: QueryValues;
  /** Added to the usual ones; null: left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
};
export type CoverageReply = { readonly status: number; readonly body: unknown };
export type SendRequest = (request: CoverageRequest) => Promise<CoverageReply>;

/** Sends the request unchanged, with key and organization. */
export function sendUnchanged({ baseUrl, apiKey, organizationId }: ManagementService): SendRequest {
  return async ({ endpoint, id, entry, query = {}, body, headers = {} }) => {
    const [method = '', template = ''] = endpoint.split(' ');
    const search = new URLSearchParams(definedValues({ o: organizationId, ...query }));
    const path = template.replace('{id}', String(id)).replace('{entry}', String(entry));
    const response = await fetch(`${baseUrl}${path}?${search}`, {
      method,
      headers: definedValues({
        authorization: `Bearer ${apiKey}`,
        // A connection that idled while a slow machine computed may be closed just when it is used again.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
      // Bytes, because a text would add its own content type.
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}

/** The same, as if the service did not know what `row` names. */
export function sendWithout(ask: SendRequest, { endpoint, kind, name }: CoverageRow): SendRequest {
  const [field = ''] = name.split('=');
  return async (request) => {
    if (request.endpoint !== endpoint) return ask(request);
    switch (kind) {
      case 'path':
        return field === 'entry'
          ? ask({ ...request, entry: (request.entry ?? 0) + 1 })
          : ask({ ...request, id: (request.id ?? 0) + 1 });
      case 'query':
        return ask({ ...request, query: { ...request.query, [field]: null } });
      case 'body':
        return ask({
          ...request,
          ...(request.body === undefined ? {} : { body: withoutValue(request.body, field) }),
        });
      case 'header':
        return ask({ ...request, headers: { ...request.headers, [field.toLowerCase()]: null } });
      case 'status': {
        const reply = await ask(request);
        return String(reply.status) === name ? { ...reply, status: 599 } : reply;
      }
      case 'answer': {
        const reply = await ask(request);
        return { ...reply, body: withoutField(reply.body, field) };
      }
      default:
        return kind satisfies never;
    }
  };
}

function withoutValue(values: QueryValues, name: string): QueryValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

function definedValues(values: QueryValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}
