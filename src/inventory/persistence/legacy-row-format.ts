/** Reads rows stored in the previous format: lists in a list; the oldest rows lack the last one. */
import { z } from 'zod';
import { type DeviceId, groupId } from '../../lib/ids.ts';
import type { IndexedDevice, Interner } from '../device-index/indexed-device.ts';
import { isSearchText } from '../search/search-text.ts';
import { tryParseJson } from './row-format.ts';

const nullableFlag = z.boolean().nullable();
const nullableText = z.string().nullable();
const wholeNumber = z.int();

const rowSchema = z.tuple([
  z.string(),
  nullableText,
  wholeNumber.nullable(),
  z.tuple([nullableText, nullableText, nullableText]),
  z.array(z.string()),
  z.tuple([nullableFlag, nullableFlag, nullableFlag, nullableFlag, nullableFlag, nullableFlag]),
  z.number().nullable(),
  z.string().refine(isSearchText),
  /** Agent, policies, failed policies, last seen: absent from rows stored before these were known. */
  z.tuple([nullableText, nullableText, z.string(), wholeNumber.nullable()]).optional(),
]);

const MISSING_FIELDS = [null, null, '', null] as const;

/** Null when the text is not such a row. */
export function deserializeLegacyRow(id: DeviceId, body: string, interner: Interner): IndexedDevice | null {
  const read = rowSchema.safeParse(tryParseJson(body));
  if (!read.success) return null;
  const [name, customName, group, system, tags, flags, pendingPatches, searchText, later] = read.data;
  const [agentVersion, policies, failing, seenMinute] = later ?? MISSING_FIELDS;
  const [osFamily, osName, osVersion] = system;
  const [connected, needsReboot, pending, compliant, exception, needsAttention] = flags;
  return {
    id,
    groupId: group === null ? null : groupId(group),
    name,
    customName,
    osFamily: interner.text(osFamily),
    osName: interner.text(osName),
    osVersion: interner.text(osVersion),
    agentVersion: interner.text(agentVersion),
    policyIds: policies === null ? null : interner.ids(policies),
    failingIds: interner.ids(failing),
    seenMinute,
    tags: interner.texts(tags),
    connected,
    needsReboot,
    pending,
    compliant,
    exception,
    needsAttention,
    pendingPatches,
    searchText,
  };
}
