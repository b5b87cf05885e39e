/** Sharing a private answer: the button below it, and what the channel then sees. */
import type { PersonId } from '../ids.ts';
import { actions, type Button, context } from './blocks.ts';
import { runButton } from './device-buttons.ts';
import { md } from './escape.ts';
import { LIMIT } from './limits.ts';
import { person } from './mentions.ts';
import type { Again, Block, RenderedMessage, View } from './model.ts';

/** The answer with a button to share it, where there is room for one. */
export function renderShareable(message: RenderedMessage, again: Again): RenderedMessage {
  const share = runButton({ action: 'share', label: 'Share in channel', ...again });
  if (share === null) return message;
  const blocks = withButton(message.blocks, share);
  const fits = blocks.length <= LIMIT.messageBlocks && JSON.stringify(blocks).length <= LIMIT.messageTotal;
  return fits ? { ...message, blocks } : message;
}

/** Beside the buttons that end the message, or below it. */
function withButton(blocks: readonly Block[], share: Button): readonly Block[] {
  const last = blocks.at(-1);
  const elements: unknown = last?.['elements'];
  if (last?.type !== 'actions' || !Array.isArray(elements)) return [...blocks, ...actions(share)];
  if (elements.length >= LIMIT.actionsElements) return blocks;
  return [...blocks.slice(0, -1), { ...last, elements: [...elements, share] }];
}

/** The answer with the name of the one who shares it. */
export function renderShared({ text, blocks }: RenderedMessage, by: PersonId): RenderedMessage {
  const note = context(md`Shared by ${person(by)}`);
  return {
    text,
    blocks: blocks.length < LIMIT.messageBlocks ? [...blocks, note] : [...blocks.slice(0, -1), note],
  };
}

/** Who was logged in to a device is for the one who asked. */
export function withoutPersonal(view: View): View {
  return view.kind === 'device' ? { ...view, shared: true } : view;
}
