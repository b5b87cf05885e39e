/** Notices around answers: the command that an alias stood for, and that an answer takes long. */
import type { NotDone } from '../../lib/not-done.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { context } from '../kit/blocks.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage, fallbackText, fitsMessage, mapBothForms } from '../kit/message.ts';
import type { Offer } from '../models/problem-model.ts';
import { offerBlocks } from '../problems/problem.ts';
import { NOT_DONE_TEXTS } from '../problems/problem-text.ts';
import type { NestedViews, View } from '../views.ts';

/** An answer with the command that its alias stood for. */
export type ExpandedView = {
  readonly kind: 'expanded';
  readonly view: View;
  /** Null: what was typed is no command, and was read as this one. */
  readonly name: string | null;
  readonly line: string;
  /** What was said and the command does not take. */
  readonly leftOut?: string | null;
  /** What the answer can’t say as it was asked. */
  readonly note?: NotDone | null;
  /** Who uses a device was asked, and is not known; or is for those of a role. */
  readonly noUser?: { readonly needed: string | null } | null;
  /** What else it may have meant. */
  readonly offers?: readonly Offer[];
};

/** Shows below an answer the command that its alias stood for, in place of the last block if there is no room. */
export function renderAliasExpansion(
  { view, name, line, leftOut = null, note: unsaid = null, noUser = null, offers = [] }: ExpandedView,
  { draw }: NestedViews,
): RenderedMessage {
  const message = draw(view);
  const ran = inlineCode(line, DISPLAY_LIMIT.sentence);
  const without = leftOut === null ? md`` : md`, without “${escapeMrkdwn(leftOut)}”`;
  const own = unsaid === null ? md`` : md`${NOT_DONE_TEXTS[unsaid](ROOT_COMMAND)} `;
  const note = context(
    name === null
      ? md`${own}${noUserText(noUser)}Read as ${ran}${without}. Nothing was changed.`
      : md`Ran ${ran} (alias ${inlineCode(name)}).`,
  );
  const notes = [note, ...offerBlocks(offers)];
  // What was read into the line comes first: the person may have asked for something else.
  const noted = (blocks: readonly Block[]) => (name === null ? [...notes, ...blocks] : [...blocks, note]);
  const both = mapBothForms(message, (blocks) =>
    fitsMessage(noted(blocks)) ? noted(blocks) : noted(blocks.slice(0, -1)),
  );
  // `text` already covers the answer's own blocks.
  return { ...both, text: fallbackText(trustedMrkdwn(message.text), [note, ...notes]) };
}

function noUserText(noUser: NonNullable<ExpandedView['noUser']> | null): Mrkdwn {
  if (noUser === null) return md``;
  return noUser.needed === null
    ? md`The management service doesn’t say who uses this device. `
    : md`Users need the ${escapeMrkdwn(noUser.needed)} role or higher. `;
}

const noticeMessage = (words: Mrkdwn): RenderedMessage =>
  buildMessage({ text: words, body: [context(words)] });

/** Used where the answer replaces this message. */
export const LOOKING_MESSAGE = noticeMessage(md`Looking…`);

/** Used where this message stays beside the answer, so it must remain true. */
export const DELAY_MESSAGE = noticeMessage(md`This took longer than usual, so the answer comes below.`);
