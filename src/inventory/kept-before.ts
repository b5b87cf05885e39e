/** Rows that were kept in the form of before: lists in a list, the last of them absent in the oldest. */
import { z } from 'zod';
import { type DeviceId, groupId } from '../ids.ts';
import { json } from './kept.ts';
import type { IndexedDevice, Shared } from './row.ts';
import { isSearchedText } from './searched.ts';

const flag = z.boolean().nullable();
const text = z.string().nullable();
const whole = z.int();

const rowSchema = z.tuple([
  z.string(),
  text,
  whole.nullable(),
  z.tuple([text, text, text]),
  z.array(z.string()),
  z.tuple([flag, flag, flag, flag, flag, flag]),
  z.number().nullable(),
  z.string().refine(isSearchedText),
  /** Agent, policies, those it fails, last seen: rows that were kept before these were known have none. */
  z.tuple([text, text, z.string(), whole.nullable()]).optional(),
]);

const NOT_KEPT = [null, null, '', null] as const;

/** Null where the text is no such row. */
export function readKeptBefore(id: DeviceId, body: string, shared: Shared): IndexedDevice | null {
  const read = rowSchema.safeParse(json(body));
  if (!read.success) return null;
  const [name, customName, group, system, tags, flags, pendingPatches, searched, later] = read.data;
  const [agentVersion, policies, failing, seenMinute] = later ?? NOT_KEPT;
  const [osFamily, osName, osVersion] = system;
  const [connected, needsReboot, pending, compliant, exception, needsAttention] = flags;
  return {
    id,
    groupId: group === null ? null : groupId(group),
    name,
    customName,
    osFamily: shared.word(osFamily),
    osName: shared.word(osName),
    osVersion: shared.word(osVersion),
    agentVersion: shared.word(agentVersion),
    policyIds: policies === null ? null : shared.ids(policies),
    failingIds: shared.ids(failing),
    seenMinute,
    tags: shared.words(tags),
    connected,
    needsReboot,
    pending,
    compliant,
    exception,
    needsAttention,
    pendingPatches,
    searched,
  };
}
