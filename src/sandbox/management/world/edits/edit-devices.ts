/** Edits of a device's settings. */
import type { WorldDevice } from '../model.ts';
import type { World } from '../world.ts';

/** Undefined fields stay unchanged. */
export type WorldDeviceEdit = {
  readonly groupId?: number | undefined;
  readonly exception?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly customName?: string | null | undefined;
  readonly addresses?: readonly string[] | undefined;
};

export function applyDeviceEdit(world: World, device: WorldDevice, edit: WorldDeviceEdit): void {
  if (edit.groupId !== undefined) world.devices.move(device, edit.groupId);
  if (edit.exception !== undefined) device.exception = edit.exception;
  if (edit.tags !== undefined) device.tags = [...new Set(edit.tags)];
  if (edit.customName !== undefined) device.customName = edit.customName;
  if (edit.addresses !== undefined) device.addresses = edit.addresses;
}

export type TagAction = { readonly action: 'apply' | 'remove'; readonly tags: readonly string[] };

/** In order, so the last action counts. Existing tags are not added twice. */
export function changeTags(device: WorldDevice, actions: readonly TagAction[]): void {
  for (const { action, tags } of actions)
    device.tags =
      action === 'apply'
        ? [...new Set([...device.tags, ...tags])]
        : device.tags.filter((tag) => !tags.includes(tag));
}
