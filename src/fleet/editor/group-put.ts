/** The full replacement of a server group (§4.10): a field that is left out is cleared. Pure. */
import type { GroupChange } from '../model/changes.ts';
import type { Group } from '../model/resources.ts';
import type { WithRaw } from '../reads/reads.ts';
import type { RawObject } from '../schema/fields.ts';
import { toWireGroup } from './group-fields.ts';
import type { PutPlan } from './replace.ts';

/** Fields that the service shows but does not take; all others are sent back, known here or not. */
const READ_ONLY = [
  'id',
  'uuid',
  'organization_id',
  'server_count',
  'total_count',
  'create_time',
  'update_time',
  // The first is sent as the other two, see {@link toWireWsus}.
  'wsus_config',
  'enable_wsus',
  'wsus_server',
];

/** Required (management API in practice, 9). */
const REQUIRED = [
  ['name', 'group-name'],
  ['refresh_interval', 'group-refresh-interval'],
  ['parent_server_group_id', 'group-parent'],
] as const;

/**
 * The body of `PUT /servergroups/{id}`: the group as read, with the change applied. `query.o` is the organization.
 */
export function groupPut(before: WithRaw<Group>, change: GroupChange, query: { o: number }): PutPlan {
  const { read, raw } = before;
  if (change.parentId === read.id && read.parentId !== read.id)
    return { kind: 'impossible', fault: { kind: 'group-below-itself' } };
  const body: RawObject = {
    ...Object.fromEntries(Object.entries(raw).filter(([key]) => !READ_ONLY.includes(key))),
    // The live service also shows an empty list of policies as null or [0], which it would not take.
    ...('policies' in raw ? { policies: read.policyIds } : {}),
    ...toWireWsus(before, change),
    ...toWireGroup({ ...change, wsus: undefined }),
  };
  const absent = REQUIRED.find(([key]) => body[key] === undefined || body[key] === null);
  if (absent === undefined) return { kind: 'put', query, body };
  return { kind: 'impossible', fault: { kind: 'not-shown', what: absent[1] } };
}

/** WSUS is sent in other fields than those that show it, so they are put together here. */
function toWireWsus({ read, raw }: WithRaw<Group>, { wsus }: GroupChange): RawObject {
  const server =
    typeof raw['wsus_server'] === 'string' ? raw['wsus_server'] : (read.wsus?.server ?? undefined);
  if (wsus !== undefined)
    return wsusFields(wsus.enabled, wsus.server ?? (wsus.enabled === true ? server : undefined));
  if ('enable_wsus' in raw) return wsusFields(raw['enable_wsus'], server);
  return read.wsus === null ? {} : wsusFields(read.wsus.managed, server);
}

function wsusFields(enabled: unknown, server: string | undefined): RawObject {
  return { enable_wsus: enabled, ...(server === undefined ? {} : { wsus_server: server }) };
}
