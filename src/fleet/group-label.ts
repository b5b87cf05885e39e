/** What people call a group. Pure. */
import { fold } from '../text.ts';
import type { Group } from './model.ts';

/** Its name; the organization's default group has a blank one (§2.1). */
export function groupLabel({ name }: Pick<Group, 'name'>): string {
  return fold(name) === '' ? 'Default group' : name;
}
