/** All writes other than commands, put together. Each is sent once; a lost answer is an outcome, not an exception. */

import type { ReadOptions } from '../fleet.ts';
import type { AppliedChange, FleetEditor } from '../model/edits.ts';
import { readRawDevice } from '../reads/devices.ts';
import { readRawGroup } from '../reads/groups.ts';
import { readRawPolicy } from '../reads/policies.ts';
import type { WithRaw } from '../reads/reads.ts';
import { compare, type FieldComparison } from './compare.ts';
import { deviceFieldComparisons } from './device-fields.ts';
import { deviceEdits } from './devices.ts';
import type { EditContext } from './edit-context.ts';
import { groupFieldComparisons } from './group-fields.ts';
import { groupEdits } from './groups.ts';
import { policyEdits } from './policies.ts';
import { policyFieldComparisons } from './policy-fields.ts';
import { tagEdits } from './tags.ts';

export function createEditor(context: EditContext): FleetEditor {
  return {
    ...groupEdits(context),
    ...deviceEdits(context),
    ...tagEdits(context),
    ...policyEdits(context),
    ...lostAnswerChecks(context),
  };
}

/** Nobody waits for these reads. */
const BACKGROUND: ReadOptions = { lane: 'background' };

/** Whether a change whose answer was lost was carried out. Only reads; all throw {@link FleetFailure}. */
function lostAnswerChecks(
  context: EditContext,
): Pick<FleetEditor, 'checkDevice' | 'checkGroup' | 'checkPolicy'> {
  const { reads, organizationId: o } = context;
  return {
    checkDevice: async (id, change) =>
      compareToWanted(deviceFieldComparisons(change), await readRawDevice(reads, o, id, BACKGROUND)),
    checkGroup: async (id, change) =>
      compareToWanted(groupFieldComparisons(change), await readRawGroup(reads, o, id, BACKGROUND)),
    checkPolicy: async (id, change) =>
      compareToWanted(policyFieldComparisons(change), await readRawPolicy(reads, o, id, BACKGROUND)),
  };
}

/** Does not look for other changes: the state before was never read, or long ago. */
function compareToWanted<T, Field extends string>(
  wanted: readonly FieldComparison<T, Field>[],
  whole: WithRaw<T>,
): AppliedChange<T, Field> {
  return { after: whole.read, ...compare(wanted, null, whole) };
}
