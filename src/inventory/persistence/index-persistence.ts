/** Saves the index in the store, so that a restart begins with it. */
import { z } from 'zod';
import type { Group } from '../../fleet/model/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import { type DeviceId, groupId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import {
  groupField,
  nullableFlag,
  nullableNumber,
  nullableText,
  policyField,
} from '../../lib/record-fields.ts';
import type { InventoryStore } from '../../store/port/store.ts';
import {
  type IndexState,
  LIST_KINDS,
  listDoubt,
  policyName,
  walkSummary,
} from '../device-index/index-state.ts';
import { type IndexedDevice, type Interner, policyIdsText } from '../device-index/indexed-device.ts';
import { isSearchText } from '../search/search-text.ts';
import { createReplicaChanges, createWriteBehind, storedRows } from './write-behind.ts';

export type IndexPersistence = Readonly<ReturnType<typeof createIndexPersistence>>;

/** A row that another replica wrote; null: it dropped the device. */
export type ApplyReplicaChange = (id: DeviceId, row: IndexedDevice | null) => void;

type IndexPersistenceOptions = {
  readonly store: InventoryStore;
  readonly state: IndexState;
  readonly clock: Clock;
  readonly log: Log;
};

/** Persistence of `state` in `store`; writes happen in the background. */
export function createIndexPersistence({ store, state, clock, log }: IndexPersistenceOptions) {
  const writeBehind = createWriteBehind({ table: store.devices, serialize: serializeRow, clock, log });
  const replicaChanges = createReplicaChanges(store.devices);
  let factsRevision = 0;
  /** The facts as last written or read. */
  let knownFacts: string | null = null;

  const followFacts = async (revision: number): Promise<void> => {
    if (revision <= factsRevision) return;
    const facts = await store.facts();
    factsRevision = revision;
    if (facts === null || facts === knownFacts) return;
    knownFacts = facts;
    restoreFacts(facts, state);
  };
  return {
    put: (row: IndexedDevice): void => writeBehind.put(row.id, row),
    drop: writeBehind.drop,
    /** Saves what the index knows besides its rows. */
    saveFacts(): void {
      const body = serializeFacts(state);
      if (body === null) return;
      knownFacts = body;
      writeBehind.runAfter(() => store.setFacts(body));
    },
    /** Loads what other replicas have written since. */
    async followReplicas(take: ApplyReplicaChange): Promise<void> {
      const revisions = await store.revisions();
      const readRow = createRowDeserializer(state.interner);
      await replicaChanges.readNew(revisions.devices, ({ deviceId: id, body }) => {
        // Our own pending write is newer.
        if (writeBehind.isWaiting(id)) return;
        const row = body === null ? null : readRow(id, body);
        if (body === null || row !== null) take(id, row);
      });
      await followFacts(revisions.facts);
    },
    async load(): Promise<void> {
      // Read before the rows: changes written in the meantime are then read again.
      const revisions = await store.revisions();
      const facts = await store.facts();
      replicaChanges.startAt(revisions.devices);
      factsRevision = revisions.facts;
      knownFacts = facts;
      const readRow = createRowDeserializer(state.interner);
      let isWhole = true;
      for await (const rows of storedRows(store.devices))
        for (const { deviceId, body } of rows) {
          const row = readRow(deviceId, body);
          if (row === null) isWhole = false;
          else state.rowStore.put(row);
        }
      // Facts say as of when the fleet is known: with rows missing they would pass a part for the whole.
      if (facts !== null && isWhole) restoreFacts(facts, state);
    },
    flush: writeBehind.flush,
  };
}

/** What thousands of devices have in common is one text, which a start that reads 100,000 rows parses once. */
export function serializeRow(row: IndexedDevice): string {
  const own = [row.name, row.customName, row.groupId, row.pendingPatches, row.seenMinute, row.searchText];
  return JSON.stringify([...own, serializeSharedFields(row)]);
}

const ROW_FIELDS = 7;

/**
 * Reads many rows; null for a text that is not a row, because another version or program wrote it: the next walk reads
 * that device again. Without a schema library, which takes several times as long,
 * and a start waits for all rows.
 */
export function createRowDeserializer(
  interner: Interner,
): (id: DeviceId, body: string) => IndexedDevice | null {
  const known = new Map<string, SharedFields | null>();
  const commonOf = (text: string): SharedFields | null => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const read = deserializeSharedFields(text, interner);
    if (known.size < MAX_CACHED_TEXTS) known.set(text, read);
    return read;
  };
  return (id, body) => {
    const list = tryParseJson(body);
    if (!Array.isArray(list) || list.length !== ROW_FIELDS) return null;
    const fields: readonly unknown[] = list;
    const [name, customName, group, pendingPatches, seenMinute, searchText, common] = fields;
    if (typeof name !== 'string' || !isText(customName) || !isWhole(group) || !isNumber(pendingPatches))
      return null;
    if (!isWhole(seenMinute) || typeof searchText !== 'string' || !isSearchText(searchText)) return null;
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
      missesPatches: read.missesPatches,
      searchText,
    };
  };
}

/** Maximum shared texts that are cached while rows are read. */
const MAX_CACHED_TEXTS = 50_000;

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isNumber = (value: unknown): value is number | null => value === null || typeof value === 'number';
const isWhole = (value: unknown): value is number | null => value === null || Number.isSafeInteger(value);

const groupSchema = z.object({
  id: groupField,
  name: z.string(),
  parentId: groupField.nullable(),
  refreshIntervalMinutes: nullableNumber,
  color: nullableText,
  notes: nullableText,
  osAutoUpdate: nullableFlag,
  wsus: z.object({ managed: nullableFlag, server: nullableText }).nullable(),
  policyIds: z.array(policyField),
  deviceCount: nullableNumber,
}) satisfies z.ZodType<Group>;

const factsSchema = walkSummary.extend({
  groups: z.array(groupSchema),
  policies: z.array(policyName),
  doubts: z.array(listDoubt),
});

/** Null when no walk was completed. */
function serializeFacts(state: IndexState): string | null {
  const findings = state.lastWalk();
  if (findings === null) return null;
  const known: z.input<typeof factsSchema> = {
    ...findings,
    groups: [...state.groups().values()].map(({ policyIds, ...group }) => ({
      ...group,
      policyIds: [...policyIds],
    })),
    policies: [...state.policies()],
    doubts: [...state.doubts()],
  };
  return JSON.stringify(known);
}

/** Puts the facts into the index; ignores a text that does not fit. */
function restoreFacts(body: string, state: IndexState): void {
  const read = factsSchema.safeParse(tryParseJson(body));
  if (!read.success) return;
  const { asOf, unlisted, groups, policies, doubts } = read.data;
  state.setGroups(new Map(groups.map((group) => [group.id, group])));
  state.setPolicies(policies);
  for (const list of LIST_KINDS) state.setDoubt(list, doubts.find((doubt) => doubt.list === list) ?? null);
  state.setLastWalk({ asOf, unlisted });
}

/** The fields that thousands of devices have in common. */
type SharedFields = Pick<
  IndexedDevice,
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'agentVersion'
  | 'tags'
  | 'policyIds'
  | 'failingIds'
  | 'connected'
  | 'needsReboot'
  | 'pending'
  | 'compliant'
  | 'exception'
  | 'needsAttention'
  | 'missesPatches'
>;

/** Stands for no value and for an empty list: the encoding never produces it in a value. */
const NO_VALUE = '?';
/** Stands for a list that was not stated. */
const UNSTATED = '??';
const [YES, NO] = ['+', '-'];
const FLAGS = /^[-+?]{7}$/;

/**
 * The shared fields as one text. It needs no escapes in JSON, which would slow down every start: its parts are
 * percent-encoded, separated by `|`, and items of a list by `,`.
 */
function serializeSharedFields(row: SharedFields): string {
  const system = [row.osFamily, row.osName, row.osVersion, row.agentVersion].map(encodeValue);
  const tags = row.tags?.length === 0 ? NO_VALUE : (row.tags?.map(encodeValue).join(',') ?? UNSTATED);
  const policies = row.policyIds === null ? NO_VALUE : policyIdsText(row.policyIds);
  return [...system, tags, policies, policyIdsText(row.failingIds), writeFlags(row)].join('|');
}

/** Reads {@link serializeSharedFields}; null when the text does not fit. */
function deserializeSharedFields(text: string, interner: Interner): SharedFields | null {
  const [osFamily, osName, osVersion, agent, tags, policies, failing, flags] = text.split('|');
  if (agent === undefined || tags === undefined || policies === undefined || failing === undefined)
    return null;
  if (flags === undefined || !FLAGS.test(flags)) return null;
  try {
    const word = (part = NO_VALUE): string | null =>
      interner.text(part === NO_VALUE ? null : decodeURIComponent(part));
    return {
      osFamily: word(osFamily),
      osName: word(osName),
      osVersion: word(osVersion),
      agentVersion: word(agent),
      tags:
        tags === UNSTATED
          ? null
          : interner.texts(tags === NO_VALUE ? [] : tags.split(',').map(decodeURIComponent)),
      policyIds: policies === NO_VALUE ? null : interner.ids(policies),
      failingIds: interner.ids(failing),
      connected: readFlag(flags[0]),
      needsReboot: readFlag(flags[1]),
      pending: readFlag(flags[2]),
      compliant: readFlag(flags[3]),
      exception: readFlag(flags[4]),
      needsAttention: readFlag(flags[5]),
      missesPatches: readFlag(flags[6]),
    };
  } catch {
    // Not our own encoding.
    return null;
  }
}

function encodeValue(value: string | null): string {
  return value === null ? NO_VALUE : encodeURIComponent(value.toWellFormed());
}

function writeFlags(row: SharedFields): string {
  const { connected, needsReboot, pending, compliant, exception, needsAttention, missesPatches } = row;
  return [connected, needsReboot, pending, compliant, exception, needsAttention, missesPatches]
    .map((flag) => (flag === null ? NO_VALUE : flag ? YES : NO))
    .join('');
}

function readFlag(sign: string | undefined): boolean | null {
  return sign === YES ? true : sign === NO ? false : null;
}
