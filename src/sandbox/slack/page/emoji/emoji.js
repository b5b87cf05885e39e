/** Slack's emoji names; unknown names stay as written. */
import { NATURE_EMOJI } from './nature.js';
import { OBJECT_EMOJI } from './objects.js';
import { PEOPLE_EMOJI } from './people.js';
import { SYMBOL_EMOJI } from './symbols.js';

/** A name that only Slack has. */
const OWN = 'alert 🚨';

/** @type {ReadonlyMap<string, string>} */
const emoji = new Map(
  [PEOPLE_EMOJI, NATURE_EMOJI, OBJECT_EMOJI, SYMBOL_EMOJI, OWN]
    .flatMap((list) => list.trim().split(/\s{2,}/))
    .map((pair) => {
      const [name = '', character = ''] = pair.split(' ');
      return [name, character];
    }),
);

/** The first of the five skin tones; Slack counts them from 2 (docs.slack.dev, rich text, `skin_tone`). */
const FIRST_TONE = 0x1f3fb;
/** The flag letter A. */
const FLAG_A = 0x1f1e6;

/**
 * The character of that name, without colons; `null` where the name is unknown.
 * @param {string} name such as `tada`, `flag-de` or `wave::skin-tone-3`
 * @param {number} [skinTone] 2 to 6
 * @returns {string | null}
 */
export function emojiCharacter(name, skinTone) {
  const [base = '', tone] = name.split('::skin-tone-');
  const character = emoji.get(base) ?? flag(base);
  const requestedTone = skinTone ?? (tone === undefined ? undefined : Number(tone));
  if (character === null || requestedTone === undefined || !(requestedTone >= 2 && requestedTone <= 6))
    return character;
  return character.replace('\u{fe0f}', '') + String.fromCodePoint(FIRST_TONE + requestedTone - 2);
}

/** @param {string} name */
function flag(name) {
  const country = /^flag-([a-z])([a-z])$/.exec(name);
  if (!country) return null;
  return [country[1], country[2]]
    .map((letter = 'a') => String.fromCodePoint(FLAG_A + letter.charCodeAt(0) - 97))
    .join('');
}

/** An emoji name between colons, with its skin tone. */
export const EMOJI_NAME = /:([a-z0-9_+-]{1,50}(?:::skin-tone-[2-6])?):/;
const EVERY_NAME = new RegExp(EMOJI_NAME, 'g');

/** @param {string} text with `:names:` */
export const withEmoji = (text) => text.replace(EVERY_NAME, (whole, name) => emojiCharacter(name) ?? whole);
