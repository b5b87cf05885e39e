/** An edit of a group: proven by reading the group back. */

import { readGroupForEdit } from '../../fleet/facts/read-facts.ts';
import type { GroupUpdate } from '../../fleet/model/actions.ts';
import { claimForEdit, editLook, shownUnlessMissing } from './edit-look.ts';
import type { ActionKind } from './kind.ts';

export const groupEditKind: ActionKind<GroupUpdate> = {
  read: async ({ reader, clock }, { action, lane }) => {
    const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: editLook(({ editor }, { groupId, change }) =>
    shownUnlessMissing(() => editor.checkGroup(groupId, change)),
  ),
};
