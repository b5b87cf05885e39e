/** The reads of the management service: which resource is which request, and how its answer is read. */
import type { OrganizationId } from '../ids.ts';
import type { Calls } from './calls.ts';
import { fleetError } from './errors.ts';
import { FleetFailure, type FleetReader, type ReadOptions } from './fleet.ts';
import type { HttpRequest } from './http.ts';
import { walk } from './paging.ts';
import { deviceReader } from './schema/device.ts';
import { eventReader } from './schema/event.ts';
import { groupReader } from './schema/group.ts';
import { packageReader } from './schema/package.ts';
import { queueEntryReader } from './schema/queue-entry.ts';
import { type Misshapen, type ReadRow, type Rows, readList, readOne } from './schema/rows.ts';
import { dayText } from './time.ts';

/** The largest page that the service gives (§8). */
const LIMIT = 500;

type Get = Omit<HttpRequest, 'method' | 'body'>;

/** Reads of one organization. `o` is always sent: without it a key of several falls back to another (§5). */
export function createReader(calls: Calls, organizationId: OrganizationId): FleetReader {
  const o = organizationId;

  const get = (request: Get, options: ReadOptions) => calls.read({ ...request, method: 'GET' }, options);
  const pages = <T extends { readonly id: number }>(
    request: Get,
    readRow: ReadRow<T>,
    options: ReadOptions = {},
    limit = LIMIT,
  ) => {
    const fetchPage = async (page: number, pageOptions: ReadOptions): Promise<Rows<T>> => {
      const query = { ...request.query, limit, page };
      const rows = readList(await get({ ...request, query }, pageOptions), readRow);
      return rows.kind === 'rows' ? rows : refuse(request.path, rows);
    };
    return walk({ path: request.path, fetchPage }, options);
  };

  return {
    devices(query = {}, options) {
      const { groupId, pending } = query;
      const filter = {
        ...(groupId === undefined ? {} : { groupId }),
        // Booleans are 0 and 1: the live service refuses other words (§4.5).
        ...(pending === undefined ? {} : { pending: pending ? 1 : 0 }),
      };
      return pages(
        { path: '/servers', query: { o, ...filter } },
        deviceReader({ organizationId, groupId }),
        options,
      );
    },
    async device(id, options = {}) {
      const path = '/servers/{id}';
      const one = readOne(
        await get({ path, id, query: { o } }, options),
        deviceReader({ organizationId, deviceId: id }),
      );
      return one.kind === 'one' ? one.row : refuse(path, one);
    },
    packages(id, options) {
      return pages({ path: '/servers/{id}/packages', id, query: { o } }, packageReader(o, id), options);
    },
    async queue(id, options = {}) {
      const path = '/servers/{id}/queues';
      const list = readList(await get({ path, id, query: { o } }, options), queueEntryReader(o, id));
      if (list.kind === 'misshapen') return refuse(path, list);
      // What is not in the queue decides too, so a part of it is no answer.
      if (list.unreadable > 0) refuse(path, { kind: 'misshapen', detail: 'an entry could not be read' });
      return list.rows;
    },
    events(query = {}, options) {
      const { deviceId, name, after, pageSize } = query;
      const filter = {
        ...(deviceId === undefined ? {} : { serverId: deviceId }),
        ...(name === undefined ? {} : { eventName: name }),
        ...(after === undefined ? {} : { startDate: dayText(after) }),
      };
      const readRow = eventReader({ organizationId, deviceId, name });
      return pages({ path: '/events', query: { o, ...filter } }, readRow, options, pageSize);
    },
    groups(options) {
      return pages({ path: '/servergroups', query: { o } }, groupReader(o), options);
    },
  };
}

function refuse(path: string, { detail }: Misshapen): never {
  throw new FleetFailure(fleetError({ method: 'GET', path }, 200, { kind: 'unreadable' }, detail));
}
