/** Reads of devices and of the resources below one (§4.5 to §4.8). */
import type { DeviceId, OrganizationId } from '../../lib/ids.ts';
import type { FleetDeviceQuery, FleetReader, ReadOptions } from '../fleet.ts';
import type { Device } from '../model/resources.ts';
import { deviceReader } from '../schema/device.ts';
import { missingPackageReader, packageReader } from '../schema/package.ts';
import { queueEntryReader } from '../schema/queue-entry.ts';
import { readList } from '../schema/rows.ts';
import { nullIfMissing } from './read-helpers.ts';
import { queryParameters, type Reads, throwMalformed, type WithRaw } from './reads.ts';

type DeviceReads = Pick<
  FleetReader,
  'devices' | 'device' | 'packages' | 'missingPackages' | 'queue' | 'queueEntry'
>;

/** Reads of organization `o`. All throw {@link FleetFailure}. */
export function deviceReads(reads: Reads, o: OrganizationId): DeviceReads {
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
