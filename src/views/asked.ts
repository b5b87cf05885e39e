/** Private answer to somebody whose request now waits for approval. */

import { cardTitle, requestedBy } from './approval.ts';
import { addReasonButton, withdrawButton } from './decision-buttons.ts';
import { actions, context, section } from './kit/blocks.ts';
import { joined, md, trusted } from './kit/escape.ts';
import { channel, link } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { SIGN } from './kit/signs.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { deedTitle } from './words.ts';

/** `block_id` of its buttons, which tells it from the card, where one of them stands too. */
export const ASKED_BLOCK = 'asked';

export function renderAsked(view: Extract<View, { kind: 'asked' }>): RenderedMessage {
  const { approval, mine, already } = view;
  const words = already ? 'Already waiting for approval' : 'Waiting for approval';
  const names = approval.targets.map(({ displayName }) => displayName);
  const where = [
    md`In ${channel(view.channel)}`,
    md`Expires ${when(approval.expiresAt)}`,
    ...(view.link === null ? [] : [link(view.link, md`Open the card`)]),
  ];
  return message({
    text: md`${trusted(SIGN.waiting)} ${trusted(words)}: ${deedTitle(approval.command, names)}`,
    body: [
      section(cardTitle({ sign: SIGN.waiting, words }, approval)),
      ...(mine ? [] : [section(requestedBy(approval))]),
      ...(view.reasonUnused ? [section(md`Your reason was not added.`)] : []),
      context(md`Nothing is sent until it’s approved. ${joined(where, ' · ')}`),
    ],
    end: mine
      ? actions(approval.reason === null ? addReasonButton(approval) : null, withdrawButton(approval)).map(
          (block) => ({ ...block, block_id: ASKED_BLOCK }),
        )
      : [],
  });
}
