/** Sharing a private answer: the button below it, and what the channel then sees. */
import type { PersonId } from '../ids.ts';
import { actions, type Button, context } from './blocks.ts';
import { runButton } from './device-buttons.ts';
import { md } from './escape.ts';
import { LIMIT } from './limits.ts';
import { person } from './mentions.ts';
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
  return buttons.filter((button) => button !== null).reduce(withRoomFor, message);
}

function withRoomFor(message: RenderedMessage, button: Button): RenderedMessage {
  const blocks = withButton(message.blocks, button);
  const fits = blocks.length <= LIMIT.messageBlocks && JSON.stringify(blocks).length <= LIMIT.messageTotal;
  return fits ? { ...message, blocks } : message;
}

/** Beside the buttons that end the message, or below it. */
function withButton(blocks: readonly Block[], button: Button): readonly Block[] {
  const last = blocks.at(-1);
  const elements: unknown = last?.['elements'];
  if (last?.type !== 'actions' || !Array.isArray(elements)) return [...blocks, ...actions(button)];
  if (elements.length >= LIMIT.actionsElements) return blocks;
  return [...blocks.slice(0, -1), { ...last, elements: [...elements, button] }];
}

/** The answer with the name of the one who shares it. */
export function renderShared({ text, blocks }: RenderedMessage, by: PersonId): RenderedMessage {
  const note = context(md`Shared by ${person(by)}`);
  return {
    text,
    blocks: blocks.length < LIMIT.messageBlocks ? [...blocks, note] : [...blocks.slice(0, -1), note],
  };
}

/** Logged-in users, serial numbers and addresses are for the one who asked. */
export function withoutPersonal(view: View): View {
  switch (view.kind) {
    case 'device':
    case 'device-page':
    case 'devices':
      return { ...view, shared: true };
    case 'picker':
      return { ...view, rows: view.rows.map(({ device, groupName }) => ({ device, groupName })) };
    default:
      return view;
  }
}
