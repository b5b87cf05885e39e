/** Slack's emoji names; unknown names stay as written. */

/** @typedef {{emoji: string, shortcodes?: readonly string[], skins?: readonly {tone: unknown, emoji: string}[]}} Emoji */

/** The Slack edition of the `emoji-picker-element-data` package. @type {readonly Emoji[]} */
const data = await (await fetch('/page/packages/emoji.json')).json();

/** By name. Only Slack has the first one. @type {ReadonlyMap<string, Emoji>} */
const known = new Map([
  ['alert', { emoji: '🚨' }],
  ...data.flatMap((each) =>
    (each.shortcodes ?? []).map((name) => /** @type {[string, Emoji]} */ ([name, each])),
  ),
]);

/**
 * The character of that name, without colons; `null` where the name is unknown.
 * @param {string} name such as `tada`, `flag-de` or `wave::skin-tone-3`
 * @param {number} [skinTone] 2 to 6 (docs.slack.dev, rich text, `skin_tone`)
 * @returns {string | null}
 */
export function emojiCharacter(name, skinTone) {
  const [base = '', tone] = name.split('::skin-tone-');
  const emoji = known.get(base);
  // Slack counts the five tones from 2, the package from 1.
  const skin = emoji?.skins?.find((each) => each.tone === (skinTone ?? Number(tone)) - 1);
  return (skin ?? emoji)?.emoji ?? null;
}

/** An emoji name between colons, with its skin tone. */
export const EMOJI_NAME = /:([a-z0-9_+-]{1,100}(?:::skin-tone-[2-6])?):/;
const EVERY_NAME = new RegExp(EMOJI_NAME, 'g');

/** @param {string} text with `:names:` */
export const withEmoji = (text) => text.replace(EVERY_NAME, (whole, name) => emojiCharacter(name) ?? whole);
