/** Texts and buttons of a rendered view. */
import type { Block, RenderedMessage, View } from '../../src/views/views.ts';

type Pressable = { readonly action: string; readonly value: string; readonly confirm: string };

export function renderedButtons({ blocks }: RenderedMessage): readonly Pressable[] {
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

export function renderedText(message: RenderedMessage): string {
  return renderedTexts(message.blocks as readonly Block[])
    .map(({ text }) => text)
    .join('\n');
}

/** Every text object of a message. */
export function renderedTexts(
  blocks: readonly Block[],
): readonly { readonly type: string; readonly text: string }[] {
  const found: { type: string; text: string }[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (isText(value)) found.push(value);
    return value;
  });
  return found;
}

function isText(value: unknown): value is { type: string; text: string } {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('text' in value)) return false;
  return typeof value.text === 'string' && (value.type === 'mrkdwn' || value.type === 'plain_text');
}

/** What the fallback text of a view has to hold. */
export type FallbackRow = { readonly name: string; readonly view: View; readonly holds: readonly string[] };
export const row = (name: string, view: View, holds: readonly string[]): FallbackRow => ({
  name,
  view,
  holds,
});
