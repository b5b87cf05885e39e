/** Reads of events (§4.9). */
import type { OrganizationId } from '../../lib/ids.ts';
import type { FleetEventFilter, FleetReader } from '../fleet.ts';
import { eventReader } from '../schema/event.ts';
import { readCount } from '../schema/rows.ts';
import { utcDayText } from '../schema/timestamps.ts';
import { queryParameters, type Reads, throwMalformed } from './reads.ts';

/** Reads of organization `o`. All throw {@link FleetFailure}. */
export function eventReads(reads: Reads, o: OrganizationId): Pick<FleetReader, 'events' | 'countEvents'> {
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
