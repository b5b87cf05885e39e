/** The preview of device filters (§4.2): a read, although it is a POST. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import { FleetFailure, type FleetReader } from '../fleet.ts';
import { fleetError } from '../http/errors.ts';
import { type DevicePreviewFilter, MAX_PREVIEW_PAGE, type PreviewQuery } from '../model/preview-query.ts';
import { previewReader } from '../schema/preview.ts';
import type { Reads } from './reads.ts';

const PREVIEW = { method: 'POST', path: '/policies/device-filters-preview' } as const;

/** The preview for organization `o`. Throws {@link FleetFailure}, of the kind `invalid` before sending. */
export function previewReads(
  reads: Reads,
  o: OrganizationId,
  dialect: Dialect,
): Pick<FleetReader, 'preview'> {
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
