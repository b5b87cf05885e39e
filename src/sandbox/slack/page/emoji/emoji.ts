/** Slack's emoji names; unknown names stay as written. */

type Emoji = {
  emoji: string;
  shortcodes?: readonly string[];
  skins?: readonly { tone: unknown; emoji: string }[];
};

/** The Slack edition of the `emoji-picker-element-data` package. */
const data: readonly Emoji[] = await (await fetch('/page/packages/emoji.json')).json();

/** By name. Only Slack has the first one. */
const known: ReadonlyMap<string, Emoji> = new Map([
  ['alert', { emoji: '🚨' }],
  ...data.flatMap((each) => (each.shortcodes ?? []).map((name) => [name, each] as [string, Emoji])),
]);

/**
 * The character of a name such as `tada`, `flag-de` or `wave::skin-tone-3`; `null` where the name is unknown.
 * `skinTone`: 2 to 6 (docs.slack.dev, rich text, `skin_tone`).
 */
export function emojiCharacter(name: string, skinTone?: number): string | null {
  const [base = '', tone] = name.split('::skin-tone-');
  const emoji = known.get(base);
  // Slack counts the five tones from 2, the package from 1.
  const skin = emoji?.skins?.find((each) => each.tone === (skinTone ?? Number(tone)) - 1);
  return (skin ?? emoji)?.emoji ?? null;
}

/** An emoji name between colons, with its skin tone. */
export const EMOJI_NAME = /:([a-z0-9_+-]{1,100}(?:::skin-tone-[2-6])?):/;
const EVERY_NAME = new RegExp(EMOJI_NAME, 'g');

/** Replaces `:names:` in a text. */
export const withEmoji = (text: string) =>
  text.replace(EVERY_NAME, (whole, name) => emojiCharacter(name) ?? whole);
