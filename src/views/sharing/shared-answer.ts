/** Sharing a private answer: its buttons, and the answer as the channel sees it. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import { MORE } from '../device/device-buttons.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { type Block, LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, fitsMessage, mapBothForms } from '../kit/message.ts';
import { refreshedNote } from '../kit/pager.ts';
import type { RefreshReason, RepeatedCommand } from '../models/list-model.ts';
import { countText } from '../text/common-text.ts';
import type { NestedViews, View } from '../views.ts';

/** A private answer with buttons to share or export it; `again` runs its command once more. */
export type ShareableView = {
  readonly kind: 'shareable';
  readonly view: View;
  readonly again: RepeatedCommand;
  readonly share: boolean;
  readonly file: boolean;
};

export type PostedView = { readonly kind: 'posted'; readonly channel: ChannelId };

export type ExportedView = {
  readonly kind: 'exported';
  readonly name: string;
  /** The file's address in Slack; null where Slack does not say. */
  readonly link: string | null;
  readonly rows: number;
  readonly omittedRows: number;
  /** Why the rows differ from the list whose button was pressed; absent: they are the same. */
  readonly refreshReason?: RefreshReason;
};

/** An answer shared in a channel by a person. `personal`: the channel may see personal data. */
export type SharedView = {
  readonly kind: 'shared';
  readonly view: View;
  readonly by: PersonId;
  readonly personal?: boolean;
};

/** Adds the buttons that share and export the answer, where there is room for them. */
export function renderShareable(
  { view, again, share, file }: ShareableView,
  { draw }: NestedViews,
): RenderedMessage {
  const buttons = [
    share ? runButton({ action: 'share', label: 'Share in channel', ...again }) : null,
    file ? runButton({ action: 'export', label: 'Export as CSV', ...again }) : null,
  ];
  const made = buttons.filter((button) => button !== null);
  return mapBothForms(draw(view), (blocks) => made.reduce(withRoomFor, blocks));
}

function withRoomFor(blocks: readonly Block[], button: Button): readonly Block[] {
  const more = withButton(blocks, button);
  return fitsMessage(more) ? more : blocks;
}

/** Adds the button to the last row, or below it where the row is that of a device's card, which is full. */
function withButton(blocks: readonly Block[], button: Button): readonly Block[] {
  const last = blocks.at(-1);
  const elements: unknown = last?.['elements'];
  if (last?.type !== 'actions' || !Array.isArray(elements) || elements.some(isMore)) {
    return [...blocks, ...actions(button)];
  }
  if (elements.length >= LIMIT.actionsElements) return blocks;
  return [...blocks.slice(0, -1), { ...last, elements: [...elements, button] }];
}

function isMore(element: unknown): boolean {
  return (
    typeof element === 'object' && element !== null && 'action_id' in element && element.action_id === MORE
  );
}

/** Draws a shared answer; a private one, which callers do not share, is drawn as a refusal. */
export function renderShared(
  { view, by, personal = false }: SharedView,
  { draw, forChannel }: NestedViews,
): RenderedMessage {
  const channelView = forChannel(view);
  if (channelView === null) return { text: PRIVATE_ACTIONS, blocks: [section(PRIVATE_ACTIONS)] };
  const words = md`Shared by ${mentionPerson(by)}`;
  const note = context(words);
  const answer = mapBothForms(draw(withoutNames(personal ? view : channelView)), (blocks) =>
    blocks.length < LIMIT.messageBlocks ? [...blocks, note] : [...blocks.slice(0, -1), note],
  );
  return { ...answer, text: `${answer.text}\n${words}` };
}

/** Removes the names of whom to ask: a mention in a channel would notify these people. */
function withoutNames(view: View): View {
  return 'lookOnly' in view && view.lookOnly !== undefined ? { ...view, lookOnly: { ask: null } } : view;
}

const PRIVATE_ACTIONS = md`This answer is private.`;

/** Confirms that an answer was shared from a window, which does not show the channel. */
export function renderSharedNotice(view: PostedView): RenderedMessage {
  const words = md`Posted in ${mentionChannel(view.channel)} in your name.`;
  return buildMessage({ text: words, body: [section(words)] });
}

export function renderExportSent(view: ExportedView): RenderedMessage {
  const { name, link, rows, omittedRows, refreshReason } = view;
  const open = link === null ? md`` : md` ${linkTo(link, md`Open the file`)}.`;
  const cut: Mrkdwn =
    omittedRows === 0
      ? md``
      : md` ${countText(omittedRows, 'more row')} didn’t fit. Narrow the list to get them.`;
  const note: Mrkdwn = refreshReason === undefined ? md`` : md` ${refreshedNote(refreshReason)}`;
  const words = md`Sent you ${inlineCode(name)} with ${countText(rows, 'row')} in a direct message.${open}${cut}${note}`;
  return buildMessage({ text: words, body: [section(words)] });
}
