/** Why there is nothing to ask for where somebody wants to edit a device or a group. */
import type { GroupId } from '../ids.ts';

export type EditProblem =
  /** Every field that was named has that value. */
  | { readonly kind: 'already-so'; readonly name: string }
  | { readonly kind: 'group-exists'; readonly name: string; readonly id: GroupId };
