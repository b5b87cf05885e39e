/** The two kinds of reads: a list in pages, and one thing. The neighboring files know what to request. */
import { yieldToEventLoop } from '../../lib/clock.ts';
import { LIST_PAGE } from '../../lib/list-pages.ts';
import { FleetFailure, type FleetPage, type ReadOptions } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { fleetError } from '../http/errors.ts';
import type { HttpRequest } from '../http/http-client.ts';
import { isObject, type RawObject } from '../schema/fields.ts';
import {
  type MalformedAnswer,
  type RowPage,
  type RowReader,
  readListInSlices,
  readSingle,
} from '../schema/rows.ts';
import { type PageWalk, walkPages } from './page-walk.ts';

/**
 * One thing as we read it, and as it was sent: what is sent back must contain the fields that we do not model. The
 * raw object may hold scripts and secrets, so it never leaves `src/fleet`.
 */
export type WithRaw<T> = { readonly read: T; readonly raw: RawObject };

export type ListWalk = Pick<PageWalk<never>, 'trustsTotal'> & {
  /** Rows for each request. */
  readonly limit?: number | undefined;
  readonly firstPage?: number | undefined;
};

export type Reads = Readonly<ReturnType<typeof createReads>>;

/** Reads over `calls`. A malformed answer throws {@link FleetFailure} of the kind `unreadable`. */
export function createReads(calls: Calls) {
  return {
    body: calls.read,
    pages<T extends { readonly id: number }>(
      request: HttpRequest,
      readRow: RowReader<T>,
      options: ReadOptions = {},
      { limit = LIST_PAGE, firstPage = 0, trustsTotal }: ListWalk = {},
    ): AsyncIterable<FleetPage<T>> {
      const fetchPage = async (page: number, pageOptions: ReadOptions): Promise<RowPage<T>> => {
        const query = { ...request.query, limit, page: firstPage + page };
        const rows = await readListYielding(await calls.read({ ...request, query }, pageOptions), readRow);
        return rows.kind === 'rows' ? rows : throwMalformed(request, rows);
      };
      return walkPages({ path: request.path, fetchPage, pageSize: limit, trustsTotal }, options);
    },
    async withRaw<T>(
      request: Omit<HttpRequest, 'method' | 'body'>,
      readRow: RowReader<T>,
      options: ReadOptions,
    ): Promise<WithRaw<T>> {
      const get = { ...request, method: 'GET' } as const;
      const body = await calls.read(get, options);
      const one = readSingle(body, readRow);
      if (one.kind === 'misshapen') return throwMalformed(get, one);
      if (one.kind === 'deleted') {
        const { method, path } = get;
        throw new FleetFailure(fleetError({ method, path }, 200, { kind: 'missing' }, 'marked as deleted'));
      }
      return { read: one.row, raw: rawObjectIn(body) };
    },
  };
}

/** Reading a page of 500 rows right after its JSON was parsed would block everything else for too long. */
async function readListYielding<T>(
  body: unknown,
  readRow: RowReader<T>,
): Promise<RowPage<T> | MalformedAnswer> {
  const parts = readListInSlices(body, readRow);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    await yieldToEventLoop();
  }
}

/** Throws for an answer that is not what the interface says. */
export function throwMalformed({ method, path }: HttpRequest, { detail }: MalformedAnswer): never {
  throw new FleetFailure(fleetError({ method, path }, 200, { kind: 'unreadable' }, detail));
}

/** The parameters that are set. Booleans are 0 and 1: the live service refuses other words (§4.5). */
export function queryParameters(
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): Readonly<Record<string, string | number>> {
  const query: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query[name] = typeof value === 'boolean' ? Number(value) : value;
  return query;
}

/** The object in an answer of one thing: itself, or the element of an array of one (§4.6). */
export function rawObjectIn(body: unknown): RawObject {
  const value: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(value) ? value : {};
}
