/**
 * The index as text in the store, and back. Another program may have written it: what does not fit is left out, and
 * the next walk brings it again.
 */
import { z } from 'zod';
import { instant } from '../clock.ts';
import type { Group } from '../fleet/model.ts';
import { type DeviceId, groupId, organizationId, policyId } from '../ids.ts';
import type { Book } from './book.ts';
import { type IndexedDevice, idsText, type Shared } from './row.ts';

const flag = z.boolean().nullable();
const text = z.string().nullable();
const whole = z.int();

/** A row as a list, because names of fields would be half of what is kept. */
const rowSchema = z.tuple([
  z.string(),
  text,
  whole.nullable(),
  z.tuple([text, text, text]),
  z.array(z.string()),
  z.tuple([flag, flag, flag, flag, flag, flag]),
  z.number().nullable(),
  z.string(),
  /** Agent, policies, those it fails, last seen: rows that were kept before these were known have none. */
  z.tuple([text, text, z.string(), whole.nullable()]).optional(),
]);

const NOT_KEPT = [null, null, '', null] as const;

export function writeKept(row: IndexedDevice): string {
  const flags = [
    row.connected,
    row.needsReboot,
    row.pending,
    row.compliant,
    row.exception,
    row.needsAttention,
  ];
  const system = [row.osFamily, row.osName, row.osVersion];
  const fields = [row.name, row.customName, row.groupId, system, row.tags, flags, row.pendingPatches];
  const policies = row.policyIds === null ? null : idsText(row.policyIds);
  const later = [row.agentVersion, policies, idsText(row.failingIds), row.seenMinute];
  return JSON.stringify([...fields, row.searched, later]);
}

/** Null where the text is no row. */
export function readKept(id: DeviceId, body: string, shared: Shared): IndexedDevice | null {
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

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
