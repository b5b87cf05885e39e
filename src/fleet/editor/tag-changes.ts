/** Adding and removing tags in a list of tags. Pure. */
import { cut } from '../../lib/text.ts';
import { type ChangeFault, MAX_FAULT_TEXT } from '../model/change-faults.ts';
import type { TagChange } from '../model/changes.ts';
import type { Device } from '../model/resources.ts';

/** Why the change is not sent, or null. */
export function validateTagChange({ add, remove }: TagChange): ChangeFault | null {
  if (add.length === 0 && remove.length === 0) return { kind: 'nothing-named', what: 'tag' };
  if ([...add, ...remove].some((tag) => tag.trim() === '')) return { kind: 'blank-tag' };
  const both = add.find((tag) => remove.includes(tag));
  return both === undefined ? null : { kind: 'tag-both-ways', tag: cut(both, MAX_FAULT_TEXT) };
}

/** The list with the change applied; the other tags keep their order. */
export function applyTagChange(tags: readonly string[], { add, remove }: TagChange): readonly string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag));
}

/** Whether the device already has the tags as the change wants them. */
export function hasTagChange({ tags }: Pick<Device, 'tags'>, { add, remove }: TagChange): boolean {
  return add.every((tag) => tags?.includes(tag)) && !remove.some((tag) => tags?.includes(tag));
}
