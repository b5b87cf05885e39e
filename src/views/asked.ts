/** Private answer to somebody whose request now waits for approval. */

import { isGroupEdit } from '../fleet/orders.ts';
import { addReasonButton, withdrawButton } from './decision-buttons.ts';
import { actions, section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { channel, link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { deed } from './words.ts';

/** `block_id` of its buttons, which tells it from the card, where one of them stands too. */
export const ASKED_BLOCK = 'asked';

export function renderAsked(view: Extract<View, { kind: 'asked' }>): RenderedMessage {
  const { approval, mine } = view;
  const action = deed(
    approval.command,
    approval.targets.map((target) => target.displayName),
  );
  const waits = view.already ? md`already waits for approval` : md`waits for approval`;
  const nothing = isGroupEdit(approval.command)
    ? md`Nothing is sent before an approver agrees.`
    : md`Nothing is sent to the device before an approver agrees.`;
  const what = mine
    ? md`Your request to ${action} ${waits}. ${nothing}`
    : md`The request of ${person(approval.requesterId)} to ${action} ${waits}. ${nothing}`;
  const unused = view.reasonUnused ? md`\nThe reason that you gave now was not added to it.` : md``;
  const card = view.link === null ? md`` : md` ${link(view.link, md`Open the card`)}.`;
  return message({
    text: what,
    body: [
      section(
        md`${what}\nIt is in ${channel(view.channel)} and expires ${when(approval.expiresAt)}.${card}${unused}`,
      ),
    ],
    end: mine
      ? actions(approval.reason === null ? addReasonButton(approval) : null, withdrawButton(approval)).map(
          (block) => ({ ...block, block_id: ASKED_BLOCK }),
        )
      : [],
  });
}
