/**
 * Emoji as Slack gives them back: "Slack will then convert the emoji into their common colon format"
 * (docs.slack.dev/messaging/formatting-message-text).
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The Slack edition of the `emoji-picker-element-data` package, which the page draws names with. */
const DATA = 'emoji-picker-element-data/en/iamcal/data.json';
const emojiData = z.array(
  z.object({
    emoji: z.string(),
    shortcodes: z.array(z.string()).default([]),
    skins: z.array(z.object({ emoji: z.string(), tone: z.unknown() })).default([]),
  }),
);

const VARIATION = /\u{FE0F}/gu;
const bare = (emoji: string) => emoji.replace(VARIATION, '');

type EmojiIndex = {
  readonly names: ReadonlyMap<string, string>;
  readonly characters: ReadonlyMap<string, string>;
};

/** Slack counts the five skin tones from 2, the package from 1. */
function indexOf(all: z.infer<typeof emojiData>): EmojiIndex {
  const names = all.flatMap(({ emoji, shortcodes: [name], skins }) => {
    if (name === undefined) return [];
    const toned = skins.flatMap(({ emoji: skin, tone }): [string, string][] =>
      typeof tone === 'number' ? [[bare(skin), `${name}::skin-tone-${tone + 1}`]] : [],
    );
    return [[bare(emoji), name] as [string, string], ...toned];
  });
  const characters = all.flatMap(({ emoji, shortcodes: each }) => each.map((name) => [name, emoji] as const));
  const tonedNames = names.map(([emoji, name]) => [name, emoji] as const);
  return {
    names: new Map(names),
    characters: new Map([...tonedNames, ...characters]),
  };
}

let index: EmojiIndex | undefined;
/** Read once, and only where somebody uses an emoji. */
function emojiIndex(): EmojiIndex {
  index ??= indexOf(emojiData.parse(JSON.parse(readFileSync(new URL(import.meta.resolve(DATA)), 'utf8'))));
  return index;
}

/** The code points of the emoji, as in the blocks of a message event; none where the name is not known. */
export function emojiCharacter(name: string): { readonly unicode?: string } {
  const emoji = emojiIndex().characters.get(name);
  if (emoji === undefined) return {};
  // Slack has the selector only where the sign alone would be drawn as text.
  const signs = /^\p{Emoji_Presentation}/u.test(emoji) ? bare(emoji) : emoji;
  return { unicode: Array.from(signs, (sign) => (sign.codePointAt(0) ?? 0).toString(16)).join('-') };
}

const EMOJI = /\p{RGI_Emoji}/gv;
const BEYOND_ASCII = /[\u{80}-\u{10FFFF}]/u;

/** The text with `:names:` in the place of emoji; those without a name stay. */
export function withEmojiNames(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const { names } = emojiIndex();
  return text.replace(EMOJI, (emoji) => {
    const name = names.get(bare(emoji));
    return name === undefined ? emoji : `:${name}:`;
  });
}
