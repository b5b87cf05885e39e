/** The fields of a server group (§2.1, §4.1): how they are checked and compared. Pure. */
import type { Dialect } from '../dialect.ts';
import type { ChangeFault, GroupChange, GroupField } from '../model/changes.ts';
import { colorValue } from '../model/derived-fields.ts';
import type { Group } from '../model/resources.ts';
import type { WithRaw } from '../reads/reads.ts';
import type { RawObject } from '../schema/rows.ts';
import { asSet, type FieldComparison, type PutPlan } from './send.ts';

/** A day (§2.1). */
export const MAX_REFRESH_MINUTES = 1440;

/** Why the service would reject the fields or not do what they say; null when they are valid. */
export function validateGroup(fields: GroupChange, dialect: Dialect): ChangeFault | null {
  const { name, refreshIntervalMinutes: minutes, color, wsus } = fields;
  // The Default Group is the one whose name is blank (§2.1).
  if (name?.trim() === '') return { kind: 'blank-group-name' };
  const least = dialect.leastRefreshMinutes;
  if (
    minutes !== undefined &&
    !(Number.isInteger(minutes) && minutes >= least && minutes <= MAX_REFRESH_MINUTES)
  )
    return { kind: 'refresh-interval', least, most: MAX_REFRESH_MINUTES };
  if (color !== undefined && colorValue(color) === null) return { kind: 'group-color' };
  if (wsus?.server === undefined) return null;
  if (wsus.enabled !== true) return { kind: 'wsus-not-forced' };
  return isWsusAddress(wsus.server) ? null : { kind: 'wsus-address' };
}

const WSUS_ADDRESS = /^http:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]):(\d{1,5})$/i;

/** Exactly the form of §2.1: no other scheme, no path, always a port. */
function isWsusAddress(text: string): boolean {
  const port = Number(WSUS_ADDRESS.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 && URL.canParse(text);
}

type GroupValues = { readonly [Field in GroupField]?: GroupChange[Field] | undefined };

export function toWireGroup(fields: GroupValues): RawObject {
  const { wsus, color } = fields;
  const wire = {
    name: fields.name,
    refresh_interval: fields.refreshIntervalMinutes,
    parent_server_group_id: fields.parentId,
    ui_color: color === undefined ? undefined : colorValue(color),
    notes: fields.notes,
    enable_os_auto_update: fields.osAutoUpdate,
    enable_wsus: wsus?.enabled,
    wsus_server: wsus?.server,
    policies: fields.policyIds,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
}

/** `fields`: the requested change. */
export function groupFieldComparisons(fields: GroupChange): readonly FieldComparison<Group, GroupField>[] {
  const { color } = fields;
  const asRead = <Field extends GroupField & keyof Group>(field: Field, key: string) => ({
    field,
    key,
    wanted: fields[field],
    read: ({ read }: WithRaw<Group>) => read[field],
  });
  return [
    asRead('name', 'name'),
    asRead('refreshIntervalMinutes', 'refresh_interval'),
    asRead('parentId', 'parent_server_group_id'),
    {
      field: 'color',
      key: 'ui_color',
      wanted: color === undefined ? undefined : colorValue(color)?.toLowerCase(),
      read: ({ read }) => read.color?.toLowerCase() ?? null,
    },
    // The service shows notes that were never written as "" or null.
    { field: 'notes', key: 'notes', wanted: fields.notes, read: ({ read }) => read.notes ?? '' },
    asRead('osAutoUpdate', 'enable_os_auto_update'),
    wsusComparison(fields.wsus),
    {
      field: 'policyIds',
      key: 'policies',
      wanted: asSet(fields.policyIds),
      read: ({ read }) => asSet(read.policyIds),
    },
  ];
}

/** The live service may show its parts as null whatever was sent; only the parts that are shown are compared. */
function wsusComparison(wsus: GroupChange['wsus']): FieldComparison<Group, GroupField> {
  const withServer = wsus === undefined || wsus.server !== undefined;
  return {
    field: 'wsus',
    key: 'wsus_config',
    wanted: wsus === undefined ? undefined : [wsus.enabled, withServer ? wsus.server : null],
    read: ({ read }) => [read.wsus?.managed ?? null, withServer ? (read.wsus?.server ?? null) : null],
    shown: ({ read }) => {
      if (wsus === undefined) return true;
      const managed = read.wsus?.managed ?? null;
      const server = read.wsus?.server ?? null;
      return (
        read.wsus !== null && (wsus.enabled === null || managed !== null) && (!withServer || server !== null)
      );
    },
  };
}

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

/** The group as read, with the change applied. `query.o` is the organization. */
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
