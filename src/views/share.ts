/** Sharing a private answer: the button below it, and what the channel then sees. */

import { MORE } from './device/device-nav.ts';
import { actions, type Button, context, section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { LIMIT } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { fits, inEachForm } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import type { Block, RenderedMessage, View } from './model.ts';

type Shareable = Extract<View, { kind: 'shareable' }>;

/** The answer with buttons to share it and to have it as a file, where there is room for them. */
export function renderShareable(
  message: RenderedMessage,
  { again, share, file }: Shareable,
): RenderedMessage {
  const buttons = [
    share ? runButton({ action: 'share', label: 'Share in channel', ...again }) : null,
    file ? runButton({ action: 'export', label: 'Export as CSV', ...again }) : null,
  ];
  const made = buttons.filter((button) => button !== null);
  return inEachForm(message, (blocks) => made.reduce(withRoomFor, blocks));
}

function withRoomFor(blocks: readonly Block[], button: Button): readonly Block[] {
  const more = withButton(blocks, button);
  return fits(more) ? more : blocks;
}

/** Beside the buttons that end the message, or below it; the row of a device's own has buttons enough. */
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
 * An answer as a channel may see it: without logged-in users, serial numbers and addresses, which are for the one who
 * asked. Null: it is for them alone, as everything is that is not named here.
 */
export function forChannel(view: View): View | null {
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

/** Drawn for a channel. Whoever shares asks {@link forChannel} first; what is private says only that it is. */
export function renderShared(
  { view, by, personal = false }: Extract<View, { kind: 'shared' }>,
  render: (view: View) => RenderedMessage,
): RenderedMessage {
  const shown = forChannel(view);
  if (shown === null) return { text: PRIVATE, blocks: [section(PRIVATE)] };
  const words = md`Shared by ${person(by)}`;
  const note = context(words);
  const answer = inEachForm(render(namingNobody(personal ? view : shown)), (blocks) =>
    blocks.length < LIMIT.messageBlocks ? [...blocks, note] : [...blocks.slice(0, -1), note],
  );
  return { ...answer, text: `${answer.text}\n${words}` };
}

/** Whom its reader can ask is no news to a channel, and a mention there would call them. */
function namingNobody(view: View): View {
  return 'lookOnly' in view && view.lookOnly !== undefined ? { ...view, lookOnly: { ask: null } } : view;
}

const PRIVATE = md`This answer is private.`;
