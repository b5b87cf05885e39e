/** Adding and removing tags in a list of tags. Pure. */
import type { TagChange } from '../model/edits.ts';
import type { Device } from '../model/resources.ts';

/** Why the change is not sent, or null. */
export function validateTagChange({ add, remove }: TagChange): string | null {
  if (add.length === 0 && remove.length === 0) return 'no tag was named';
  if ([...add, ...remove].some((tag) => tag.trim() === '')) return 'a tag cannot be blank';
  const both = add.find((tag) => remove.includes(tag));
  return both === undefined
    ? null
    : `${JSON.stringify(both.slice(0, 60))} cannot be added and removed at once`;
}

/** The list with the change applied; the other tags keep their order. */
export function applyTagChange(tags: readonly string[], { add, remove }: TagChange): readonly string[] {
  return [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag));
}

/** Whether the device already has the tags as the change wants them. */
export function hasTagChange({ tags }: Pick<Device, 'tags'>, { add, remove }: TagChange): boolean {
  return add.every((tag) => tags.includes(tag)) && !remove.some((tag) => tags.includes(tag));
}
