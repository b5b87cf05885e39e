/** Reads of events (§4.9). */
import type { OrganizationId } from '../../ids.ts';
import type { EventFilter, FleetReader } from '../fleet.ts';
import { readCount } from '../schema/count.ts';
import { eventReader } from '../schema/event.ts';
import { dayText } from '../time.ts';
import { asked, type Reads, refuse } from './reads.ts';

export function eventReads(reads: Reads, o: OrganizationId): Pick<FleetReader, 'events' | 'countEvents'> {
  return {
    events(query = {}, options) {
      const { pageSize, ...filter } = query;
      const request = { method: 'GET', path: '/events', query: { o, ...parametersOf(filter) } } as const;
      return reads.pages(request, eventReader({ organizationId: o, ...filter }), options, pageSize);
    },
    async countEvents(filter = {}, options = {}) {
      // Instead of `page` and `limit`; the live service keeps the filters.
      const query = { o, ...parametersOf(filter), countOnly: 1 };
      const request = { method: 'GET', path: '/events', query } as const;
      const count = readCount(await reads.body(request, options));
      return count ?? refuse(request, { kind: 'misshapen', detail: 'a count was expected' });
    },
  };
}

function parametersOf({ deviceId, policyId, userId, name, after, before }: EventFilter) {
  return asked({
    serverId: deviceId,
    policyId,
    userId,
    eventName: name,
    startDate: after === undefined ? undefined : dayText(after),
    endDate: before === undefined ? undefined : dayText(before),
  });
}
