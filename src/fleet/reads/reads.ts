/** The kinds of reads: a list by pages, and one thing. What is asked of the service is said by the files beside. */
import { turn } from '../../clock.ts';
import type { Calls } from '../calls.ts';
import { fleetError } from '../errors.ts';
import { FleetFailure, type Page, type ReadOptions } from '../fleet.ts';
import type { HttpRequest } from '../http.ts';
import { walk } from '../paging.ts';
import { isObject, type Raw } from '../schema/fields.ts';
import { type Misshapen, type ReadRow, type Rows, readingList, readOne } from '../schema/rows.ts';

/** The largest page that the service gives (§8). */
const LIMIT = 500;

export type Get = Omit<HttpRequest, 'method' | 'body'>;
/**
 * One thing as we read it, and as it was sent: what is sent back must hold what we do not model. The raw object may
 * hold scripts and secrets, so it never leaves `src/fleet`.
 */
export type Whole<T> = { readonly read: T; readonly raw: Raw };

export type Reads = {
  readonly body: (request: HttpRequest, options: ReadOptions) => Promise<unknown>;
  readonly pages: <T extends { readonly id: number }>(
    request: HttpRequest,
    readRow: ReadRow<T>,
    options?: ReadOptions,
    limit?: number,
  ) => AsyncIterable<Page<T>>;
  readonly whole: <T>(request: Get, readRow: ReadRow<T>, options: ReadOptions) => Promise<Whole<T>>;
};

/** Reads over `calls`; what comes back misshapen throws {@link FleetFailure} of the kind `unreadable`. */
export function createReads(calls: Calls): Reads {
  return {
    body: calls.read,
    pages<T extends { readonly id: number }>(
      request: HttpRequest,
      readRow: ReadRow<T>,
      options: ReadOptions = {},
      limit = LIMIT,
    ) {
      const fetchPage = async (page: number, pageOptions: ReadOptions): Promise<Rows<T>> => {
        const query = { ...request.query, limit, page };
        const rows = await listOf(await calls.read({ ...request, query }, pageOptions), readRow);
        return rows.kind === 'rows' ? rows : refuse(request, rows);
      };
      return walk({ path: request.path, fetchPage }, options);
    },
    async whole(request, readRow, options) {
      const get = { ...request, method: 'GET' } as const;
      const body = await calls.read(get, options);
      const one = readOne(body, readRow);
      if (one.kind === 'misshapen') return refuse(get, one);
      return { read: one.row, raw: rawOf(body) };
    },
  };
}

/** A page of 500 rows, whose text was parsed just now, would hold everything else up for long. */
async function listOf<T>(body: unknown, readRow: ReadRow<T>): Promise<Rows<T> | Misshapen> {
  const parts = readingList(body, readRow);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    await turn();
  }
}

/** An answer that came, and is not what the interface says. */
export function refuse({ method, path }: HttpRequest, { detail }: Misshapen): never {
  throw new FleetFailure(fleetError({ method, path }, 200, { kind: 'unreadable' }, detail));
}

/** The parameters that were asked for. Booleans are 0 and 1: the live service refuses other words (§4.5). */
export function asked(
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): Readonly<Record<string, string | number>> {
  const query: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query[name] = typeof value === 'boolean' ? Number(value) : value;
  return query;
}

/** The object in an answer of one thing: itself, or the element of an array of one (§4.6). */
export function rawOf(body: unknown): Raw {
  const value: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(value) ? value : {};
}
