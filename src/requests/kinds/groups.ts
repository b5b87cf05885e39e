/** Groups made, edited and removed. */
import { readGroupForEdit, readGroupForRemoval } from '../../fleet/facts/read-facts.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import type { GroupCreate, GroupRemoval, GroupUpdate } from '../../fleet/model/actions.ts';
import type { NewGroup } from '../../fleet/model/changes.ts';
import { isGroupGone } from '../../fleet/reads/read-helpers.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { clip } from '../clip.ts';
import { evaluateRemoval } from '../proof/removal-outcome.ts';
import { notSent } from '../target.ts';
import { claimForEdit, type EditObservation, editLook, shownUnlessMissing } from './edit-look.ts';
import type { ActionKind, LookPorts } from './kind.ts';

/** Proven by reading the group back. */
export const groupEditKind: ActionKind<GroupUpdate> = {
  read: async ({ reader, clock }, { action, lane }) => {
    const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: editLook(({ editor }, { groupId, change }) =>
    shownUnlessMissing(() => editor.checkGroup(groupId, change)),
  ),
};

/** Proven by finding it under its parent. */
export const groupCreateKind: ActionKind<GroupCreate> = {
  read: async ({ reader, clock }, { action, lane }) => {
    const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
    if (facts === null) return null;
    const { twin } = facts;
    return { facts, claim: (target, now) => claimUnlessTwin(target, { group: action.group, twin }, now) };
  },
  look: editLook(observeCreation),
};

/**
 * A second group of one name below one parent is not made: nobody could tell the two apart, nor find the new one if
 * its answer is lost.
 */
function claimUnlessTwin(
  target: RequestTarget,
  { group, twin }: { readonly group: NewGroup; readonly twin: GroupId | null },
  now: Instant,
): RequestTarget {
  if (twin === null) return claimForEdit(target, now);
  return notSent(target, { kind: 'twin', name: clip(group.name, 80), group: twin }, now);
}

/** By its name below its parent: before it was made there was none, or it was not made. */
async function observeCreation(
  { editor, reader }: Omit<LookPorts, 'reader'> & { readonly reader: Pick<FleetReader, 'groups'> },
  { group }: GroupCreate,
): Promise<EditObservation> {
  const ids: GroupId[] = [];
  for await (const { rows } of reader.groups({ lane: 'background' })) {
    const same = rows.filter((row) => row.parentId === group.parentId && fold(row.name) === fold(group.name));
    ids.push(...same.map(({ id }) => id));
  }
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'several', count: ids.length };
  return shownUnlessMissing(async () => ({ ...(await editor.checkGroup(only, group)), groupId: only }));
}

/** Proven when the service does not know it any more. */
export const groupRemoveKind: ActionKind<GroupRemoval> = {
  read: async ({ reader, clock }, { action: { groupId }, lane }) => {
    const facts = await readGroupForRemoval(reader, { groupId, asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: async ({ reader, clock }, { groupId }, target) => {
    const gone = await isGroupGone(reader, groupId, { lane: 'background' });
    return { next: evaluateRemoval(target, { thing: 'group', gone }, clock.now()), device: null };
  },
};
