/** A removal of a group: proven when the service does not know it any more. */

import { readGroupForRemoval } from '../../fleet/facts/read-facts.ts';
import type { GroupRemoval } from '../../fleet/model/actions.ts';
import { isGroupGone } from '../../fleet/reads/gone.ts';
import { evaluateRemoval } from '../proof/removal-outcome.ts';
import { claimForEdit } from './edit-look.ts';
import type { ActionKind } from './kind.ts';

export const groupRemoveKind: ActionKind<GroupRemoval> = {
  read: async ({ reader, clock }, { action: { groupId }, lane }) => {
    const facts = await readGroupForRemoval(reader, { groupId, asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: async ({ reader, clock }, { groupId }, target) => {
    const gone = await isGroupGone(reader, groupId, { lane: 'background' });
    return { next: evaluateRemoval(target, { thing: 'group', gone }, clock.now()), device: null };
  },
};
