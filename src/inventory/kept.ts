/**
 * The index as text in the store, and back. Another program may have written it: what does not fit is left out, and
 * the next walk brings it again. Rows of before this form are read by `kept-before.ts`.
 */
import { z } from 'zod';
import { instant } from '../clock.ts';
import type { Group } from '../fleet/model.ts';
import { type DeviceId, groupId, organizationId, policyId } from '../ids.ts';
import type { Book } from './book.ts';
import { type Common, readCommon, writeCommon } from './kept-common.ts';
import type { IndexedDevice, Shared } from './row.ts';
import { isSearchedText } from './searched.ts';

const flag = z.boolean().nullable();
const text = z.string().nullable();
const whole = z.int();

/**
 * A row as a short list: what thousands of devices have in common (system, agent, tags, policies, states) is one text,
 * which a start that reads a hundred thousand rows takes apart once.
 */
export function writeKept(row: IndexedDevice): string {
  const own = [row.name, row.customName, row.groupId, row.pendingPatches, row.seenMinute, row.searched];
  return JSON.stringify([...own, writeCommon(row)]);
}

const FIELDS = 7;

export type ReadKept = (id: DeviceId, body: string) => IndexedDevice | null;

/**
 * Reads many rows; null for a text that is none. Checked by hand: a schema takes several times as long, and a start
 * waits for all of them.
 */
export function createKeptReader(shared: Shared): ReadKept {
  const known = new Map<string, Common | null>();
  const commonOf = (text: string): Common | null => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const read = readCommon(text, shared);
    if (known.size < MOST_KNOWN) known.set(text, read);
    return read;
  };
  return (id, body) => {
    const list = json(body);
    if (!Array.isArray(list) || list.length !== FIELDS) return null;
    const fields: readonly unknown[] = list;
    const [name, customName, group, pendingPatches, seenMinute, searched, common] = fields;
    if (typeof name !== 'string' || !isText(customName) || !isWhole(group) || !isNumber(pendingPatches))
      return null;
    if (!isWhole(seenMinute) || typeof searched !== 'string' || !isSearchedText(searched)) return null;
    if (typeof common !== 'string') return null;
    const read = commonOf(common);
    if (read === null) return null;
    return {
      id,
      groupId: group === null ? null : groupId(group),
      name,
      customName,
      osFamily: read.osFamily,
      osName: read.osName,
      osVersion: read.osVersion,
      agentVersion: read.agentVersion,
      policyIds: read.policyIds,
      failingIds: read.failingIds,
      seenMinute,
      tags: read.tags,
      connected: read.connected,
      needsReboot: read.needsReboot,
      pending: read.pending,
      compliant: read.compliant,
      exception: read.exception,
      needsAttention: read.needsAttention,
      pendingPatches,
      searched,
    };
  };
}

/** Different texts that are remembered while rows are read. */
const MOST_KNOWN = 50_000;

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isNumber = (value: unknown): value is number | null => value === null || typeof value === 'number';
const isWhole = (value: unknown): value is number | null => value === null || Number.isSafeInteger(value);

const groupSchema = z.object({
  id: whole.transform(groupId),
  name: z.string(),
  organizationId: whole.transform(organizationId),
  parentId: whole.transform(groupId).nullable(),
  refreshIntervalMinutes: z.number().nullable(),
  color: text,
  notes: text,
  osAutoUpdate: flag,
  wsus: z.object({ managed: flag, server: text }).nullable(),
  policyIds: z.array(whole.transform(policyId)),
  deviceCount: z.number().nullable(),
}) satisfies z.ZodType<Group>;

const factsSchema = z.object({
  asOf: whole.transform(instant),
  unlisted: whole,
  groups: z.array(groupSchema),
  policies: z.array(z.object({ id: whole.transform(policyId), name: z.string(), type: text })),
});

/** Null where no walk has come to its end. */
export function writeFacts(book: Book): string | null {
  const findings = book.findings();
  if (findings === null) return null;
  const known: z.input<typeof factsSchema> = {
    ...findings,
    groups: [...book.groups().values()].map(({ policyIds, ...group }) => ({
      ...group,
      policyIds: [...policyIds],
    })),
    policies: [...book.policies()],
  };
  return JSON.stringify(known);
}

/** Puts what fits into the book. */
export function readFacts(body: string, book: Book): void {
  const read = factsSchema.safeParse(json(body));
  if (!read.success) return;
  const { asOf, unlisted, groups, policies } = read.data;
  book.setGroups(new Map(groups.map((group) => [group.id, group])));
  book.setPolicies(policies);
  book.setFindings({ asOf, unlisted });
}

/** What the text says; null where it is no JSON. */
export function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
