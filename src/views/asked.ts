/** Private answer to somebody whose request now waits for approval. */
import { actions, section } from './blocks.ts';
import { addReasonButton, withdrawButton } from './decision-buttons.ts';
import { md } from './escape.ts';
import { channel, link } from './mentions.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';
import { when } from './when.ts';
import { deed } from './words.ts';

export function renderAsked(view: Extract<View, { kind: 'asked' }>): RenderedMessage {
  const { approval, already } = view;
  const action = deed(
    approval.command,
    approval.targets.map((target) => target.displayName),
  );
  const what = already
    ? md`The same request already waits for approval: ${action}. Nothing was sent to the device yet.`
    : md`Your request to ${action} waits for approval. Nothing was sent to the device yet.`;
  const card = view.link === null ? md`` : md` ${link(view.link, md`Open the card`)}.`;
  return message({
    text: what,
    body: [
      section(md`${what}\nIt is in ${channel(view.channel)} and expires ${when(approval.expiresAt)}.${card}`),
    ],
    end: actions(approval.reason === null ? addReasonButton(approval) : null, withdrawButton(approval)),
  });
}
