/** Looks for an edit whose answer was lost, or that did not show yet, by reading what it would have changed. */

import type { FleetReader } from '../../fleet/fleet.ts';
import type { FleetEdit, GroupCreate } from '../../fleet/model/actions.ts';
import type { FleetEditor } from '../../fleet/model/edits.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import { concludeEdit, type EditFindings, fieldsText } from '../proof/edit-outcome.ts';

/** What reading shows of the edit. */
export type EditObservation =
  | { readonly kind: 'shown'; readonly end: EditFindings }
  /** The thing is not there: not yet, or not any more. */
  | { readonly kind: 'absent' }
  /** Several groups could be the one. */
  | { readonly kind: 'several'; readonly count: number };

type EditReader = {
  readonly editor: Pick<FleetEditor, 'checkDevice' | 'checkGroup'>;
  readonly reader: Pick<FleetReader, 'groups'>;
};

/** Throws FleetFailure. */
export async function observeEdit(
  look: EditReader,
  edit: FleetEdit,
  target: TargetRecord,
): Promise<EditObservation> {
  const { editor } = look;
  switch (edit.kind) {
    case 'device-edit': {
      const { deviceId } = target;
      if (deviceId === null) return { kind: 'absent' };
      return shownUnlessMissing(() => editor.checkDevice(deviceId, edit.change));
    }
    case 'group-edit':
      return shownUnlessMissing(() => editor.checkGroup(edit.groupId, edit.change));
    case 'group-create':
      return observeCreation(look, edit);
  }
}

/** Finds the new group by name and parent: none existed before, or the request would not have been sent. */
async function observeCreation(
  { editor, reader }: EditReader,
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

async function shownUnlessMissing(read: () => Promise<EditFindings>): Promise<EditObservation> {
  const end = await nullIfMissing(read);
  return end === null ? { kind: 'absent' } : { kind: 'shown', end };
}

/** The target after one look. Pure. An edit that does not show in time ends as unknown or not verified, and is never sent again. */
export function evaluateEdit(
  target: TargetRecord,
  edit: FleetEdit,
  observation: EditObservation,
  now: Instant,
): TargetRecord {
  const isOverdue = now >= target.deadlineAt;
  switch (observation.kind) {
    case 'shown': {
      const next = concludeEdit(target, edit, observation.end, now);
      // A new group shows all of its values at once; a change may take a moment.
      const settled = next.state === 'verified' || (next.endedAt !== null && edit.kind === 'group-create');
      if (settled) return next;
      return isOverdue ? stopLooking(target, { what: differenceText(observation.end), now }) : target;
    }
    case 'absent':
      return isOverdue ? stopLooking(target, { ...absence(edit), now }) : target;
    case 'several':
      return isOverdue
        ? stopLooking(target, { what: `There are now ${observation.count} groups with this name.`, now })
        : target;
  }
}

const ABSENT_TEXTS = {
  'device-edit': 'The device no longer exists in the management service.',
  'group-edit': 'The group no longer exists in the management service.',
  'group-create': 'There is no group with this name under this parent.',
} as const satisfies Readonly<Record<FleetEdit['kind'], string>>;

/** A group that is not there may never have been made; anything else was there before. */
function absence({ kind }: FleetEdit): Pick<LookResult, 'what' | 'endCause'> {
  return { what: ABSENT_TEXTS[kind], endCause: kind === 'group-create' ? null : 'gone' };
}

function differenceText({ notApplied, unconfirmed }: EditFindings): string {
  return notApplied.length > 0
    ? `It shows other values for ${fieldsText(notApplied)}.`
    : `The management service does not show ${fieldsText(unconfirmed)}.`;
}

type LookResult = {
  readonly what: string;
  readonly endCause?: TargetRecord['endCause'];
  readonly now: Instant;
};

function stopLooking(target: TargetRecord, { what, endCause = null, now }: LookResult): TargetRecord {
  if (target.state !== 'unknown')
    return {
      ...target,
      endCause,
      state: 'not_verified',
      endedAt: now,
      evidence: `The management service accepted the change. ${what}`,
    };
  const evidence = `Patchbay got no clear answer, so the management service may or may not have accepted the change. ${what} It was not sent again.`;
  return { ...target, endCause, endedAt: now, evidence };
}
