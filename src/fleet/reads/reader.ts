/** The reads of the management service. All throw {@link FleetFailure}. */
import { later, wallNow } from '../../lib/clock.ts';
import type { DeviceId, GroupId, OrganizationId, PolicyId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import {
  type DevicePreviewFilter,
  type FleetDeviceQuery,
  type FleetEventFilter,
  FleetFailure,
  type FleetPage,
  type FleetReader,
  MAX_PREVIEW_PAGE,
  type PreviewQuery,
  type ReadOptions,
} from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { fleetError } from '../http/errors.ts';
import type { Device, Group, Policy } from '../model/resources.ts';
import { deviceReader, previewReader } from '../schema/device.ts';
import { eventReader } from '../schema/event.ts';
import { groupReader } from '../schema/group.ts';
import { missingPackageReader, packageReader } from '../schema/package.ts';
import { organizationReader, policyReader } from '../schema/policy.ts';
import { queueEntryReader } from '../schema/queue-entry.ts';
import { readCount, readList } from '../schema/rows.ts';
import { utcDayText } from '../schema/timestamps.ts';
import { nullIfMissing } from './read-helpers.ts';
import { createReads, queryParameters, type Reads, throwMalformed, type WithRaw } from './reads.ts';

/** `o` is always sent: without it, a key of several organizations falls back to another one (§5). */
export function createFleetReader(
  calls: Calls,
  organizationId: OrganizationId,
  dialect: Dialect,
): FleetReader {
  const reads = createReads(calls);
  return {
    ...deviceReads(reads, organizationId),
    ...previewReads(reads, organizationId, dialect),
    ...eventReads(reads, organizationId),
    ...groupReads(reads, organizationId),
    ...policyReads(reads, organizationId),
  };
}

type DeviceReads = Pick<
  FleetReader,
  'devices' | 'device' | 'packages' | 'missingPackages' | 'queue' | 'queueEntry'
>;

/** Reads of devices and of the resources below one (§4.5 to §4.8). */
function deviceReads(reads: Reads, o: OrganizationId): DeviceReads {
  return {
    devices(query = {}, options) {
      const request = {
        method: 'GET',
        path: '/servers',
        query: { o, ...deviceListParameters(query) },
      } as const;
      return reads.pages(request, deviceReader({ organizationId: o, groupId: query.groupId }), options);
    },
    async device(id, options = {}) {
      return (await readRawDevice(reads, o, id, options)).read;
    },
    packages(id, options) {
      const request = { method: 'GET', path: '/servers/{id}/packages', id, query: { o } } as const;
      return reads.pages(request, packageReader(o, id), options);
    },
    missingPackages(options) {
      // Unmanaged ones too, as in the list of one device, so that both ways of reading give one answer.
      const query = { o, awaiting: 1, includeUnmanaged: 1 };
      const request = { method: 'GET', path: '/orgs/{id}/packages', id: o, query } as const;
      return reads.pages(request, missingPackageReader(o, createRowIds()), options);
    },
    async queue(id, options = {}) {
      const request = { method: 'GET', path: '/servers/{id}/queues', id, query: { o } } as const;
      const list = readList(await reads.body(request, options), queueEntryReader(o, id));
      if (list.kind === 'misshapen') return throwMalformed(request, list);
      // An entry that is absent from the queue matters too, so a part of the queue is not enough.
      if (list.unreadable > 0)
        throwMalformed(request, { kind: 'misshapen', detail: 'an entry could not be read' });
      return list.rows;
    },
    queueEntry(id, entry, options = {}) {
      const request = {
        path: '/servers/{id}/queues/{entry}',
        id,
        values: { entry },
        query: { o },
      } as const;
      const readRow = queueEntryReader(o, id, entry);
      return nullIfMissing(async () => (await reads.withRaw(request, readRow, options)).read);
    },
  };
}

/** Numbers pairs of a device and an id of its own, the same pair always with the same number. */
function createRowIds(): (device: DeviceId, id: number) => number {
  const known = new Map<DeviceId, Map<number, number>>();
  let last = 0;
  return (device, id) => {
    const ofDevice = known.get(device) ?? new Map<number, number>();
    known.set(device, ofDevice);
    const number = ofDevice.get(id) ?? last + 1;
    ofDevice.set(id, number);
    last = Math.max(last, number);
    return number;
  };
}

/** `PS_VERSION` is not sent here: the document does not say what it does for one device (§4.6). */
export function readRawDevice(
  reads: Reads,
  o: OrganizationId,
  id: DeviceId,
  options: ReadOptions,
): Promise<WithRaw<Device>> {
  const readRow = deviceReader({ organizationId: o, deviceId: id });
  return reads.withRaw({ path: '/servers/{id}', id, query: { o } }, readRow, options);
}

function deviceListParameters(query: FleetDeviceQuery) {
  return queryParameters({
    groupId: query.groupId,
    patchStatus: query.missingPatches === true ? 'missing' : undefined,
    PS_VERSION: query.shellVersion,
    include_details: query.withDetails,
    // They are included by default, so false need not be sent.
    exclude_policy_status: query.withoutPolicyStatus === true ? true : undefined,
  });
}

const PREVIEW = { method: 'POST', path: '/policies/device-filters-preview' } as const;

/** The preview of device filters (§4.2): a read, although it is a POST. Throws the kind `invalid` before sending. */
function previewReads(reads: Reads, o: OrganizationId, dialect: Dialect): Pick<FleetReader, 'preview'> {
  return {
    async *preview(query, options) {
      const fault = validatePreview(query, dialect);
      if (fault !== null) throw new FleetFailure(fleetError(PREVIEW, null, { kind: 'invalid' }, fault));
      const { filters, groupIds, pageSize = MAX_PREVIEW_PAGE, firstPage } = query;
      const body = {
        device_filters: filters.map((filter) => toWireFilter(filter, dialect)),
        server_groups: groupIds,
      };
      const request = { ...PREVIEW, query: { o }, body, safe: true } as const;
      yield* reads.pages(request, previewReader(groupIds), options, { limit: pageSize, firstPage });
    },
  };
}

/** Why the service would reject it, or null. */
function validatePreview({ filters, groupIds, pageSize }: PreviewQuery, dialect: Dialect): string | null {
  // The service would answer 500 without an explanation (management API in practice, 8).
  if (groupIds.length === 0) return 'a preview needs at least one group';
  if (filters.some(({ values }) => values.length === 0)) return 'a filter needs at least one value';
  if (!dialect.unitFilter && filters.some(({ field }) => field === 'organizational_unit'))
    return 'this service does not filter by organizational unit';
  const fits = pageSize === undefined || (Number.isInteger(pageSize) && pageSize >= 1);
  return fits && (pageSize ?? 1) <= MAX_PREVIEW_PAGE ? null : `a page has 1 to ${MAX_PREVIEW_PAGE} devices`;
}

function toWireFilter({ field, op, values }: DevicePreviewFilter, dialect: Dialect) {
  return { field, op: op === 'not_in' ? dialect.notIn : op, value: values };
}

/** Reads of events (§4.9). */
function eventReads(reads: Reads, o: OrganizationId): Pick<FleetReader, 'events' | 'countEvents'> {
  return {
    // Events that a wrong total hides would never be looked for again.
    events(query = {}, options) {
      const { pageSize, ...filter } = query;
      const request = {
        method: 'GET',
        path: '/events',
        query: { o, ...eventListParameters(filter) },
      } as const;
      const walk = { limit: pageSize, trustsTotal: false };
      return reads.pages(request, eventReader({ organizationId: o, ...filter }), options, walk);
    },
    async countEvents(filter = {}, options = {}) {
      // Replaces `page` and `limit`; the live service still applies the filters.
      const query = { o, ...eventListParameters(filter), countOnly: 1 };
      const request = { method: 'GET', path: '/events', query } as const;
      const count = readCount(await reads.body(request, options));
      return count ?? throwMalformed(request, { kind: 'misshapen', detail: 'a count was expected' });
    },
  };
}

function eventListParameters({ deviceId, policyId, userId, name, after, before }: FleetEventFilter) {
  return queryParameters({
    serverId: deviceId,
    policyId,
    userId,
    eventName: name,
    startDate: after === undefined ? undefined : utcDayText(after),
    endDate: before === undefined ? undefined : utcDayText(before),
  });
}

/** Reads of server groups (§4.10). */
function groupReads(reads: Reads, o: OrganizationId): Pick<FleetReader, 'groups' | 'group'> {
  return {
    groups(options) {
      return listGroups(reads, o, options);
    },
    async group(id, options = {}) {
      return (await readRawGroup(reads, o, id, options)).read;
    },
  };
}

/** The live service answers 403 for a deleted group: it is `missing` only where the list lacks it, too. */
export async function readRawGroup(
  reads: Reads,
  o: OrganizationId,
  id: GroupId,
  options: ReadOptions,
): Promise<WithRaw<Group>> {
  const end = options.deadlineMs === undefined ? null : later(wallNow(), options.deadlineMs);
  try {
    const request = { path: '/servergroups/{id}', id, query: { o } };
    return await reads.withRaw(request, groupReader(o, id), options);
  } catch (error) {
    if (!(error instanceof FleetFailure) || error.error.status !== 403) throw error;
    const left = end === null ? {} : { deadlineMs: Math.max(end - wallNow(), 0) };
    const listed = await isListed(listGroups(reads, o, { ...options, ...left }), id);
    if (listed) throw error;
    const { method, path, status } = error.error;
    const detail = 'no such group: the list of groups does not have it';
    throw new FleetFailure({ kind: 'missing', method, path, status, detail });
  }
}

function listGroups(reads: Reads, o: OrganizationId, options?: ReadOptions): AsyncIterable<FleetPage<Group>> {
  return reads.pages({ method: 'GET', path: '/servergroups', query: { o } }, groupReader(o), options);
}

/** When the list can't be read completely, the group counts as listed. */
async function isListed(groups: AsyncIterable<FleetPage<Group>>, id: GroupId): Promise<boolean> {
  try {
    for await (const { rows, unreadable, shortfall = 0 } of groups)
      if (unreadable > 0 || shortfall > 0 || rows.some((group) => group.id === id)) return true;
    return false;
  } catch (error) {
    if (error instanceof FleetFailure) return true;
    throw error;
  }
}

/** Reads of policies and organizations (§4.10). */
function policyReads(
  reads: Reads,
  o: OrganizationId,
): Pick<FleetReader, 'policies' | 'policy' | 'organizations'> {
  return {
    policies(options) {
      return reads.pages({ method: 'GET', path: '/policies', query: { o } }, policyReader(o), options);
    },
    async policy(id, options = {}) {
      return (await readRawPolicy(reads, o, id, options)).read;
    },
    organizations(options) {
      // The only list without `o`: it covers everything the key sees.
      return reads.pages({ method: 'GET', path: '/orgs', query: {} }, organizationReader(), options);
    },
  };
}

/** One policy with its raw object, which holds scripts and secrets. Throws {@link FleetFailure}. */
export function readRawPolicy(
  reads: Reads,
  o: OrganizationId,
  id: PolicyId,
  options: ReadOptions,
): Promise<WithRaw<Policy>> {
  return reads.withRaw({ path: '/policies/{id}', id, query: { o } }, policyReader(o, id), options);
}
