/** All writes other than commands, put together. Each is sent once; a lost answer is an outcome, not an exception. */
import type { FleetEditor } from '../model/edits.ts';
import { deviceEdits } from './devices.ts';
import type { EditContext } from './edit-context.ts';
import { groupEdits } from './groups.ts';
import { lostAnswerChecks } from './lost-answer-checks.ts';
import { policyEdits } from './policies.ts';
import { tagEdits } from './tags.ts';

/** Edits of one organization. */
export function createEditor(context: EditContext): FleetEditor {
  return {
    ...groupEdits(context),
    ...deviceEdits(context),
    ...tagEdits(context),
    ...policyEdits(context),
    ...lostAnswerChecks(context),
  };
}
