/** The writes beside commands, put together. Each is sent once; a lost answer is an outcome, not an exception. */
import type { FleetEditor } from '../edits.ts';
import { checks } from './checks.ts';
import type { Desk } from './desk.ts';
import { deviceEdits } from './devices.ts';
import { groupEdits } from './groups.ts';
import { policyEdits } from './policies.ts';
import { tagEdits } from './tags.ts';

/** Edits of one organization. */
export function createEditor(desk: Desk): FleetEditor {
  return {
    ...groupEdits(desk),
    ...deviceEdits(desk),
    ...tagEdits(desk),
    ...policyEdits(desk),
    ...checks(desk),
  };
}
