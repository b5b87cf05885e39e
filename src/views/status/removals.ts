/** Lists of the service that lack too much, and the button with which an admin accepts it. */

import { doubtText } from '../fleet/completeness.ts';
import { actions, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import type { DoubtedList } from '../models/doubted-list.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';

/** The answer to `accept-removals`. `grown`: more was missing than the admin accepted. */
export type RemovalsView = {
  readonly kind: 'removals';
  readonly what: 'ask' | 'accepted' | 'grown';
  readonly doubts: readonly DoubtedList[];
};

export function renderRemovals({ what, doubts }: RemovalsView): RenderedMessage {
  const text = removalsText(what, doubts);
  return buildMessage({ text, body: [section(text), ...doubtBlocks(doubts)] });
}

function removalsText(what: RemovalsView['what'], doubts: readonly DoubtedList[]): Mrkdwn {
  if (what === 'grown')
    return md`${trustedMrkdwn(SIGN.warning)} The lists changed again. Nothing was removed.`;
  if (doubts.length > 0) return md`*Accept the removal?*`;
  return what === 'accepted'
    ? md`${trustedMrkdwn(SIGN.good)} Removal accepted.`
    : md`The management service’s lists are complete. There’s nothing to accept.`;
}

/** Empty where every list is believed. */
export function doubtBlocks(doubts: readonly DoubtedList[]): readonly Block[] {
  if (doubts.length === 0) return [];
  const lines = doubts.map(doubtText);
  const meaning = md`Patchbay keeps what is missing until the management service confirms its removal. Until then, changes can’t select devices by filters.`;
  return [section(md`${joinMrkdwn(lines, '\n')}\n${meaning}`), ...actions(acceptButton(doubts))];
}

function acceptButton(doubts: readonly DoubtedList[]) {
  return runButton({
    action: 'accept',
    label: 'Accept removal',
    command: 'accept-removals',
    input: { missing: Math.max(...doubts.map(({ missing }) => missing)) },
    style: 'danger',
    confirm: {
      title: 'Accept the removal?',
      text: 'Patchbay forgets what the lists lack. Devices that still exist return once they are listed again.',
      confirm: 'Accept removal',
    },
  });
}
