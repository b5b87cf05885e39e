/** What a person reads in a drawn view, and what they may press. */
import type { Block, RenderedMessage } from '../../src/views/model.ts';
import { texts } from './samples.ts';

type Pressable = { readonly action: string; readonly value: string; readonly confirm: string };

export function buttons({ blocks }: RenderedMessage): readonly Pressable[] {
  const found: Pressable[] = [];
  JSON.stringify(blocks, (_key, item: unknown) => {
    if (typeof item === 'object' && item !== null && 'action_id' in item) {
      const { action_id: action, value, confirm } = item as Record<string, unknown>; // JSON of our own making
      found.push({ action: String(action), value: String(value), confirm: JSON.stringify(confirm ?? null) });
    }
    return item;
  });
  return found;
}

export function words(message: RenderedMessage): string {
  return texts(message.blocks as readonly Block[])
    .map(({ text }) => text)
    .join('\n');
}
