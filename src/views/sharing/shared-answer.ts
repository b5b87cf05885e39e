/** Sharing a private answer: its buttons, and the answer as the channel sees it. */
import { MORE } from '../device/device-navigation.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, fitsMessage, mapBothForms } from '../kit/message.ts';
import { refreshedNote } from '../kit/pager.ts';
import type { Block, RenderedMessage, View } from '../model.ts';
import { countText } from '../text/common-text.ts';

type ShareableView = Extract<View, { kind: 'shareable' }>;

/** Adds the buttons that share and export the answer, where there is room for them. */
export function renderShareable(
  message: RenderedMessage,
  { again, share, file }: ShareableView,
): RenderedMessage {
  const buttons = [
    share ? runButton({ action: 'share', label: 'Share in channel', ...again }) : null,
    file ? runButton({ action: 'export', label: 'Export as CSV', ...again }) : null,
  ];
  const made = buttons.filter((button) => button !== null);
  return mapBothForms(message, (blocks) => made.reduce(withRoomFor, blocks));
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

/**
 * The answer as a channel may see it: without logged-in users, serial numbers and addresses. Null for answers that are
 * private, which is the default for views not listed here.
 */
export function viewForChannel(view: View): View | null {
  switch (view.kind) {
    case 'device':
    case 'device-page':
    case 'devices':
      return { ...view, shared: true };
    case 'picker':
      return { ...view, rows: view.rows.map(({ device, groupName }) => ({ device, groupName })) };
    case 'compliance':
    case 'events':
    case 'group':
    case 'groups':
    case 'missing':
    case 'packages':
    case 'policies':
    case 'policy':
    case 'queue':
    case 'timeline':
      return view;
    default:
      return null;
  }
}

/** Draws a shared answer. Callers check {@link viewForChannel} first; a private view is drawn as a refusal. */
export function renderShared(
  { view, by, personal = false }: Extract<View, { kind: 'shared' }>,
  render: (view: View) => RenderedMessage,
): RenderedMessage {
  const channelView = viewForChannel(view);
  if (channelView === null) return { text: PRIVATE_ACTIONS, blocks: [section(PRIVATE_ACTIONS)] };
  const words = md`Shared by ${mentionPerson(by)}`;
  const note = context(words);
  const answer = mapBothForms(render(withoutNames(personal ? view : channelView)), (blocks) =>
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
export function renderSharedNotice(view: Extract<View, { kind: 'posted' }>): RenderedMessage {
  const words = md`Posted in ${mentionChannel(view.channel)} in your name.`;
  return buildMessage({ text: words, body: [section(words)] });
}

/** Confirms that a list was sent as a file. */
export function renderExportSent(view: Extract<View, { kind: 'exported' }>): RenderedMessage {
  const { name, rows, omittedRows, refreshReason } = view;
  const cut: Mrkdwn =
    omittedRows === 0
      ? md``
      : md` ${countText(omittedRows, 'more row')} didn’t fit. Narrow the list to get them.`;
  const note: Mrkdwn = refreshReason === undefined ? md`` : md` ${refreshedNote(refreshReason)}`;
  const words = md`Sent you ${inlineCode(name)} with ${countText(rows, 'row')} in a direct message.${cut}${note}`;
  return buildMessage({ text: words, body: [section(words)] });
}

/**
 * The answer for a reader who may not see personal data. Its source holds none for them either; here the rows are left
 * out, which would otherwise say “unknown”.
 */
export function withoutPersonalFields(view: View): View {
  switch (view.kind) {
    case 'device':
    case 'device-page':
    case 'explain-plan':
      return { ...view, shared: true };
    case 'picker':
      return { ...view, rows: view.rows.map(({ addresses: _, serialNumber: __, ...row }) => row) };
    default:
      return view;
  }
}
