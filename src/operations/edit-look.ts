/** Looks for an edit whose answer was lost, or that did not show yet, by reading what it would have changed. */

import type { Instant } from '../clock.ts';
import type { FleetEditor } from '../fleet/edits.ts';
import type { FleetReader } from '../fleet/fleet.ts';
import type { FleetEdit, GroupCreation } from '../fleet/orders.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import type { GroupId } from '../ids.ts';
import type { TargetRecord } from '../store/records.ts';
import { fold } from '../text.ts';
import { concluded, type EditEnd, fieldsText } from './edit-outcome.ts';

/** What reading shows of the edit. */
export type EditSight =
  | { readonly kind: 'shown'; readonly end: EditEnd }
  /** The thing is not there: not yet, or not any more. */
  | { readonly kind: 'absent' }
  /** Several groups could be the one. */
  | { readonly kind: 'several'; readonly count: number };

type Look = {
  readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup'>;
  readonly reader: Pick<FleetReader, 'groups'>;
};

/** Throws FleetFailure. */
export async function readEdit(look: Look, edit: FleetEdit, target: TargetRecord): Promise<EditSight> {
  const { editor } = look;
  switch (edit.kind) {
    case 'device-edit': {
      const { deviceId } = target;
      if (deviceId === null) return { kind: 'absent' };
      return shownOrAbsent(() => editor.checkDevice(deviceId, edit.change));
    }
    case 'group-edit':
      return shownOrAbsent(() => editor.checkGroup(edit.groupId, edit.change));
    case 'group-create':
      return readCreation(look, edit);
  }
}

/** By its name below its parent: before it was made there was none, or it was not made. */
async function readCreation({ editor, reader }: Look, { group }: GroupCreation): Promise<EditSight> {
  const ids: GroupId[] = [];
  for await (const { rows } of reader.groups({ lane: 'background' })) {
    const same = rows.filter((row) => row.parentId === group.parentId && fold(row.name) === fold(group.name));
    ids.push(...same.map(({ id }) => id));
  }
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'several', count: ids.length };
  return shownOrAbsent(async () => ({ ...(await editor.checkGroup(only, group)), groupId: only }));
}

async function shownOrAbsent(read: () => Promise<EditEnd>): Promise<EditSight> {
  const end = await unlessMissing(read);
  return end === null ? { kind: 'absent' } : { kind: 'shown', end };
}

/** The target after one look: pure. What is not there in time is said to be not known, and never sent again. */
export function judgeEdit(
  target: TargetRecord,
  edit: FleetEdit,
  sight: EditSight,
  now: Instant,
): TargetRecord {
  const late = now >= target.deadlineAt;
  switch (sight.kind) {
    case 'shown': {
      const next = concluded(target, edit, sight.end, now);
      // What was made is there with all that was taken of it; a change may still be on its way.
      const settled = next.state === 'verified' || (next.endedAt !== null && edit.kind === 'group-create');
      if (settled) return next;
      return late ? givenUp(target, otherwise(sight.end), now) : target;
    }
    case 'absent':
      return late ? givenUp(target, ABSENT[edit.kind], now) : target;
    case 'several':
      return late ? givenUp(target, `There are now ${sight.count} groups with this name.`, now) : target;
  }
}

const ABSENT = {
  'device-edit': 'The device no longer exists in the management service.',
  'group-edit': 'The group no longer exists in the management service.',
  'group-create': 'There is no group with this name under this parent.',
} as const satisfies Readonly<Record<FleetEdit['kind'], string>>;

function otherwise({ notTaken, sentUnconfirmed }: EditEnd): string {
  return notTaken.length > 0
    ? `It shows other values for ${fieldsText(notTaken)}.`
    : `The management service does not show ${fieldsText(sentUnconfirmed)}.`;
}

function givenUp(target: TargetRecord, what: string, now: Instant): TargetRecord {
  if (target.state !== 'unknown')
    return {
      ...target,
      state: 'not_verified',
      endedAt: now,
      evidence: `The management service accepted the change. ${what}`,
    };
  const evidence = `The answer was lost, so the management service may or may not have accepted the change. ${what} It was not sent again.`;
  return { ...target, endedAt: now, evidence };
}
