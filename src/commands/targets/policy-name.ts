/** What stands for a policy in a line that somebody may type. Pure. */
import type { PolicyName } from '../../inventory/book.ts';
import { fold } from '../../text.ts';
import { numberOf } from './named.ts';

/** Its name, where that means this policy and no other; else null. */
export function onlyName(id: number, policies: readonly PolicyName[]): string | null {
  const name = policies.find((one) => one.id === id)?.name ?? '';
  const isShared = policies.some((one) => one.id !== id && fold(one.name) === fold(name));
  return name.trim() === '' || isShared || numberOf(fold(name)) !== null ? null : name;
}
