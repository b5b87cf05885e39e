/** Why there is nothing to ask for where somebody wants to edit a device or a group. */
import type { GroupId } from '../../ids.ts';

export type EditProblem =
  /** Every field that was named has that value. */
  | { readonly kind: 'already-so'; readonly name: string }
  /** It sets more than a card shows: `most` characters. */
  | { readonly kind: 'unreadable-edit'; readonly most: number }
  | { readonly kind: 'group-exists'; readonly name: string; readonly parent: string; readonly id: GroupId };
