/** Looking whether a change whose answer was lost was carried out: reads alone. */
import type { Checked, FleetEditor } from '../edits.ts';
import type { ReadOptions } from '../fleet.ts';
import { wholeDevice } from '../reads/devices.ts';
import { wholeGroup } from '../reads/groups.ts';
import type { Whole } from '../reads/reads.ts';
import { type Comparison, compare } from './compare.ts';
import type { Desk } from './desk.ts';
import { deviceComparisons } from './device-fields.ts';
import { groupComparisons } from './group-fields.ts';

/** Nobody waits for it. */
const BEHIND: ReadOptions = { lane: 'background' };

export function checks(desk: Desk): Pick<FleetEditor, 'checkDevice' | 'checkGroup'> {
  const { reads, organizationId: o } = desk;
  return {
    checkDevice: async (id, change) =>
      checked(deviceComparisons(change), await wholeDevice(reads, o, id, BEHIND)),
    checkGroup: async (id, change) =>
      checked(groupComparisons(change), await wholeGroup(reads, o, id, BEHIND)),
  };
}

/** What else changed is not asked: how it was before was never read, or long ago. */
function checked<T, Field extends string>(
  wanted: readonly Comparison<T, Field>[],
  whole: Whole<T>,
): Checked<T, Field> {
  return { after: whole.read, ...compare(wanted, null, whole) };
}
