/** The fields of a device that can be changed (§4.4): how they are checked, sent and compared. Pure. */
import { isIP } from 'node:net';
import { cut } from '../../lib/text.ts';
import type { Dialect } from '../dialect.ts';
import {
  type ChangeFault,
  type DeviceChange,
  type DeviceField,
  type HiddenField,
  MAX_FAULT_TEXT,
  type TagChange,
} from '../model/changes.ts';
import type { Device } from '../model/resources.ts';
import type { WithRaw } from '../reads/reads.ts';
import { asSet, type FieldComparison, type PutPlan } from './send.ts';

/** Why the change is not sent, or null. */
export function validateDeviceChange(change: DeviceChange): ChangeFault | null {
  if (Object.values(change).every((value) => value === undefined))
    return { kind: 'nothing-named', what: 'change' };
  const blank = change.tags?.some((tag) => tag.trim() === '');
  if (blank) return { kind: 'blank-tag' };
  const fault = change.retag === undefined ? null : validateTagChange(change.retag);
  if (fault !== null) return fault;
  const invalid = change.addresses?.find((address) => isIP(address) === 0);
  return invalid === undefined ? null : { kind: 'no-address', address: cut(invalid, MAX_FAULT_TEXT) };
}

/**
 * Every field that can be set, with the change applied: the document does not say what an omitted field does (§4.4),
 * and official clients send all of them. A field that the service did not show can't be sent back, so then nothing is
 * sent.
 */
export function devicePut(
  before: WithRaw<Device>,
  change: DeviceChange,
  query: { o: number },
  dialect: Dialect,
): PutPlan {
  const { read, raw } = before;
  const group = change.groupId ?? read.groupId;
  const exception = change.exception ?? read.exception;
  const tags = change.tags ?? applyRetag(readableTags(before), change);
  const name = change.customName === undefined ? raw['custom_name'] : wireName(change.customName, dialect);
  if (group === null) return impossiblePut('device-group');
  if (exception === null) return impossiblePut('device-exception');
  if (tags === null) return impossiblePut('device-tags');
  if (name === undefined) return impossiblePut('device-name');
  // An empty list of addresses that the change does not set may mean that the service does not know them.
  const addresses = change.addresses ?? (read.addresses.length > 0 ? read.addresses : undefined);
  const body = {
    server_group_id: group,
    exception,
    tags,
    custom_name: name,
    ...(addresses === undefined ? {} : { ip_addrs: addresses }),
  };
  // The parameter list has the group in the query, the samples have it in the body (§4.4).
  return { kind: 'put', query: { ...query, server_group_id: group }, body };
}

/** How each field that the change sets is compared after the write (§4.4). */
export function deviceFieldComparisons(
  change: DeviceChange,
): readonly FieldComparison<Device, DeviceField>[] {
  const name = change.customName === '' ? null : change.customName;
  return [
    { field: 'groupId', key: 'server_group_id', wanted: change.groupId, read: ({ read }) => read.groupId },
    { field: 'exception', key: 'exception', wanted: change.exception, read: ({ read }) => read.exception },
    { field: 'customName', key: 'custom_name', wanted: name, read: ({ read }) => read.customName },
    tagComparison(change),
    {
      field: 'addresses',
      key: 'ip_addrs',
      wanted: asSet(change.addresses),
      read: ({ read }) => asSet(read.addresses),
    },
  ];
}

function applyRetag(tags: readonly string[] | null, { retag }: DeviceChange): readonly string[] | null {
  return tags === null || retag === undefined ? tags : applyTagChange(tags, retag);
}

/** Where tags are added or removed, the other tags may be anything. */
function tagComparison({ tags, retag }: DeviceChange): FieldComparison<Device, DeviceField> {
  const head = { field: 'tags', key: 'tags' } as const;
  if (tags !== undefined || retag === undefined)
    return { ...head, wanted: asSet(tags), read: ({ read }) => asSet(read.tags ?? []) };
  return { ...head, wanted: true, read: ({ read }) => hasTagChange(read, retag) };
}

/** Null when the tags are not shown, or hold a value that could not be sent back unchanged. */
function readableTags({ read, raw }: WithRaw<Device>): readonly string[] | null {
  const tags = raw['tags'];
  return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') ? read.tags : null;
}

function wireName(name: string | null, dialect: Dialect): string | null {
  return name === null || name === '' ? dialect.noCustomName : name;
}

function impossiblePut(what: HiddenField): PutPlan {
  return { kind: 'impossible', fault: { kind: 'not-shown', what } };
}

/** Why the change is not sent, or null. */
export function validateTagChange({ add, remove }: TagChange): ChangeFault | null {
  if (add.length === 0 && remove.length === 0) return { kind: 'nothing-named', what: 'tag' };
  if ([...add, ...remove].some((tag) => tag.trim() === '')) return { kind: 'blank-tag' };
  const both = add.find((tag) => remove.includes(tag));
  return both === undefined ? null : { kind: 'tag-both-ways', tag: cut(both, MAX_FAULT_TEXT) };
}

/** The list with the change applied; the other tags keep their order. */
export function applyTagChange(tags: readonly string[], { add, remove }: TagChange): readonly string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag));
}

export function hasTagChange({ tags }: Pick<Device, 'tags'>, { add, remove }: TagChange): boolean {
  return add.every((tag) => tags?.includes(tag)) && !remove.some((tag) => tags?.includes(tag));
}
