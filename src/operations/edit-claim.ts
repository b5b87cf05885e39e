/** The claim of whatever was surveyed: pure. */
import { type Instant, later } from '../clock.ts';
import type { FleetEdit } from '../fleet/orders.ts';
import type { TargetFacts, TargetRecord } from '../store/records.ts';
import type { Surveyed } from './edit-survey.ts';
import { EDIT_MS } from './schedule.ts';
import { claim, unsent } from './target.ts';
import { nameText } from './words.ts';

/** Written before the one call; or the end of the target where there is nothing to be sent. */
export function claimOf(ready: TargetRecord, surveyed: Surveyed, now: Instant): TargetRecord {
  return surveyed.kind === 'edit'
    ? claimEdit(ready, surveyed, now)
    : claim(ready, surveyed.command, surveyed, now);
}

type Edited = { readonly edit: FleetEdit; readonly facts: TargetFacts };

/**
 * A second group of one name below one parent is not made: nobody could tell the two apart, nor find the new one if
 * its answer is lost.
 */
function claimEdit(ready: TargetRecord, { edit, facts }: Edited, now: Instant): TargetRecord {
  if (edit.kind === 'group-create' && facts.deviceId === null && facts.twin !== null) {
    const name = nameText(edit.group.name);
    return unsent(ready, `a group named ${name} already exists under the same parent (#${facts.twin})`, now);
  }
  return { ...ready, state: 'issuing', issuedAt: now, deadlineAt: later(now, EDIT_MS) };
}
