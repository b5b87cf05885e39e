/** The device index forgets at once what is gone. */
import type { Removal } from '../../fleet/model/actions.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { requireDevice } from './kind.ts';

export function reportRemoved(
  changeListener: Pick<Inventory, 'forgetDevice' | 'forgetGroup'> | undefined,
  removal: Removal,
  target: Pick<RequestTarget, 'deviceId'>,
): void {
  if (removal.kind === 'group-remove') changeListener?.forgetGroup(removal.groupId);
  else changeListener?.forgetDevice(requireDevice(target));
}
