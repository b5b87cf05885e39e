/** Making, changing and deleting server groups (§4.1, §4.10). */
import type { GroupId } from '../../ids.ts';
import type { CreatedGroup, EditOutcome, FleetEditor, GroupChange, NewGroup } from '../edits.ts';
import { fleetError } from '../errors.ts';
import type { Group } from '../model.ts';
import { wholeGroup } from '../reads/groups.ts';
import { rawOf } from '../reads/reads.ts';
import { groupReader } from '../schema/group.ts';
import { readOne } from '../schema/rows.ts';
import { compare } from './compare.ts';
import { type Desk, FOR_A_PERSON } from './desk.ts';
import { faultOfGroup, groupComparisons, groupWire } from './group-fields.ts';
import { groupPut } from './group-put.ts';
import { replace } from './replace.ts';
import { done, isGone, readFirst, refusedHere, send } from './send.ts';

const CREATE = { method: 'POST', path: '/servergroups' } as const;
const UPDATE = { method: 'PUT', path: '/servergroups/{id}' } as const;
const DELETE = { method: 'DELETE', path: '/servergroups/{id}' } as const;

type GroupEdits = Pick<FleetEditor, 'createGroup' | 'updateGroup' | 'deleteGroup'>;

export function groupEdits(desk: Desk): GroupEdits {
  return {
    createGroup: (group) => createGroup(desk, group),
    updateGroup: (id, change) => updateGroup(desk, id, change),
    deleteGroup: (id) => deleteGroup(desk, id),
  };
}

async function createGroup(desk: Desk, group: NewGroup): Promise<EditOutcome<CreatedGroup>> {
  const fault = faultOfGroup(group, desk.dialect);
  if (fault !== null) return refusedHere(CREATE, fault);
  const query = { o: desk.organizationId };
  const sent = await send(desk.calls, { ...CREATE, query, body: groupWire(group) });
  if (sent.kind !== 'answered') return sent;
  const echoed = readOne(sent.json, groupReader(desk.organizationId));
  if (echoed.kind === 'misshapen') {
    // It was taken, and which group it became is not said: a list could show another of the same name.
    return { kind: 'unknown', error: fleetError(CREATE, 201, { kind: 'unreadable' }, echoed.detail) };
  }
  const whole = { read: echoed.row, raw: rawOf(sent.json) };
  const { notTaken, sentUnconfirmed } = compare(groupComparisons(group), null, whole);
  return done({ group: echoed.row, notTaken, sentUnconfirmed });
}

async function updateGroup(desk: Desk, id: GroupId, change: GroupChange) {
  const { calls, reads, organizationId: o, dialect } = desk;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? 'nothing to change was named' : faultOfGroup(change, dialect);
  if (fault !== null) return refusedHere(UPDATE, fault);
  return replace(calls, {
    path: UPDATE.path,
    id,
    read: () => wholeGroup(reads, o, id, FOR_A_PERSON),
    put: (before) => groupPut(before, change, { o }),
    comparisons: () => groupComparisons(change),
  });
}

/** The group is read first, because the service would not say whether 403 means forbidden or gone. */
async function deleteGroup(desk: Desk, id: GroupId): Promise<EditOutcome<null>> {
  const { calls, reader, organizationId: o } = desk;
  const before = await readFirst(reader.group(id, FOR_A_PERSON));
  if (before.kind === 'refused') return before;
  if (isDefaultGroup(before.value)) return refusedHere(DELETE, 'the Default Group cannot be deleted');
  const sent = await send(calls, { ...DELETE, id, query: { o } });
  if (sent.kind === 'refused' || sent.kind === 'withheld') return sent;
  if (sent.kind === 'unknown' && !(await isGone(reader.group(id, FOR_A_PERSON)))) return sent;
  return done(null);
}

/** Blank name (§2.1); on the live service it is its own parent. */
function isDefaultGroup({ id, name, parentId }: Group): boolean {
  return name === '' || parentId === id;
}
