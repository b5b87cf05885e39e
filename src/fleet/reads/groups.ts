/** Reads of server groups (§4.10). */
import { later, wallNow } from '../../lib/clock.ts';
import type { GroupId, OrganizationId } from '../../lib/ids.ts';
import { FleetFailure, type FleetPage, type FleetReader, type ReadOptions } from '../fleet.ts';
import type { Group } from '../model/resources.ts';
import { groupReader } from '../schema/group.ts';
import type { Reads, WithRaw } from './reads.ts';

/** Reads of organization `o`. All throw {@link FleetFailure}. */
export function groupReads(reads: Reads, o: OrganizationId): Pick<FleetReader, 'groups' | 'group'> {
  return {
    groups(options) {
      return listGroups(reads, o, options);
    },
    async group(id, options = {}) {
      return (await readRawGroup(reads, o, id, options)).read;
    },
  };
}

/**
 * One group. The live service answers 403 for a deleted group; it is `missing` only when the list does not have it
 * either.
 */
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
