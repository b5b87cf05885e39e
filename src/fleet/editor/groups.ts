/** Making, changing and deleting server groups (§4.1, §4.10). */
import type { GroupId } from '../../lib/ids.ts';
import type { WriteOptions } from '../fleet.ts';
import { fleetError } from '../http/errors.ts';
import type { GroupChange, NewGroup } from '../model/changes.ts';
import { isDefaultGroup } from '../model/derived-fields.ts';
import type { CreatedGroup, EditOutcome, FleetEditor, Removed } from '../model/edits.ts';
import { isGroupGone } from '../reads/gone.ts';
import { readRawGroup } from '../reads/groups.ts';
import { rawObjectIn } from '../reads/reads.ts';
import { groupReader } from '../schema/group.ts';
import { readSingle } from '../schema/rows.ts';
import { compare } from './compare.ts';
import { type EditContext, PERSON_LANE, type Update } from './edit-context.ts';
import { groupFieldComparisons, toWireGroup, validateGroup } from './group-fields.ts';
import { groupPut } from './group-put.ts';
import { replace } from './replace.ts';
import { doneEdit, NOTHING_NAMED, readBeforeWrite, refusedUnsentEdit, removed, sendWrite } from './send.ts';

const CREATE = { method: 'POST', path: '/servergroups' } as const;
const UPDATE = { method: 'PUT', path: '/servergroups/{id}' } as const;
const DELETE = { method: 'DELETE', path: '/servergroups/{id}' } as const;

export function groupEdits(
  context: EditContext,
): Pick<FleetEditor, 'createGroup' | 'updateGroup' | 'deleteGroup'> {
  return {
    createGroup: (group, options) => createGroup(context, group, options),
    updateGroup: (id, change, options) => updateGroup(context, { id, change, options }),
    deleteGroup: (id, options) => deleteGroup(context, id, options),
  };
}

async function createGroup(
  context: EditContext,
  group: NewGroup,
  options: WriteOptions | undefined,
): Promise<EditOutcome<CreatedGroup>> {
  const fault = validateGroup(group, context.dialect);
  if (fault !== null) return refusedUnsentEdit(CREATE, fault);
  const query = { o: context.organizationId };
  const sent = await sendWrite(context.calls, { ...CREATE, query, body: toWireGroup(group) }, options);
  if (sent.kind !== 'answered') return sent;
  const echoed = readSingle(sent.json, groupReader(context.organizationId));
  if (echoed.kind !== 'one') {
    // The group was created, but which one is unknown: a list could show another of the same name.
    const detail = echoed.kind === 'deleted' ? 'marked as deleted' : echoed.detail;
    return { kind: 'unknown', error: fleetError(CREATE, 201, { kind: 'unreadable' }, detail) };
  }
  const whole = { read: echoed.row, raw: rawObjectIn(sent.json) };
  const { notApplied, unconfirmed } = compare(groupFieldComparisons(group), null, whole);
  return doneEdit({ group: echoed.row, notApplied, unconfirmed });
}

async function updateGroup(context: EditContext, { id, change, options }: Update<GroupId, GroupChange>) {
  const { calls, reads, organizationId: o, dialect } = context;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? NOTHING_NAMED : validateGroup(change, dialect);
  if (fault !== null) return refusedUnsentEdit(UPDATE, fault);
  return replace(calls, {
    path: UPDATE.path,
    id,
    read: () => readRawGroup(reads, o, id, PERSON_LANE),
    put: (before) => groupPut(before, change, { o }),
    comparisons: () => groupFieldComparisons(change),
    options,
  });
}

/** Reads the group first, because a 403 does not tell whether it means forbidden or gone. */
async function deleteGroup(
  context: EditContext,
  id: GroupId,
  options: WriteOptions | undefined,
): Promise<EditOutcome<Removed>> {
  const { calls, reader, organizationId: o } = context;
  const before = await readBeforeWrite(reader.group(id, PERSON_LANE));
  if (before.kind !== 'read') return before;
  if (isDefaultGroup(before.value)) return refusedUnsentEdit(DELETE, { kind: 'default-group' });
  const sent = await sendWrite(calls, { ...DELETE, id, query: { o } }, options);
  return removed(sent, () => isGroupGone(reader, id, PERSON_LANE));
}
