/**
 * Emoji: Slack's names for them, and pictures for those of states, as Slack's own client draws them, because not every
 * machine has a font. The character stays in the text for copying and searching; screen readers get it as the
 * picture's name.
 */
import { html } from '../preact.ts';
import type { Drawn } from '../types.ts';

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

/** The character of a name such as `tada`, `flag-de` or `wave::skin-tone-3`; `null` where the name is unknown. */
export function emojiCharacter(name: string): string | null {
  const [base = '', tone] = name.split('::skin-tone-');
  const emoji = known.get(base);
  // Slack counts the five tones from 2, the package from 1.
  const skin = emoji?.skins?.find((each) => each.tone === Number(tone) - 1);
  return (skin ?? emoji)?.emoji ?? null;
}

/** An emoji name between colons, with its skin tone. */
export const EMOJI_NAME = /:([a-z0-9_+-]{1,100}(?:::skin-tone-[2-6])?):/;
const EVERY_NAME = new RegExp(EMOJI_NAME, 'g');

export const withEmoji = (text: string) =>
  text.replace(EVERY_NAME, (whole, name) => emojiCharacter(name) ?? whole);

/** Own drawings on a 20 by 20 square, by character without its variation selector. */
const DRAWINGS: Readonly<Record<string, Drawn>> = {
  '⏳': html`
    <path d="M5 3h10v2.5L11.5 10 15 14.5V17H5v-2.5L8.5 10 5 5.5z" fill="#cfe8f7" />
    <path d="M6.3 6h7.4L10 10.2zM6 16.2v-1l4-2.6 4 2.6v1z" fill="#e0a030" />
    <path d="M4 1.5h12v2.2H4zM4 16.3h12v2.2H4z" fill="#8a5a2b" />`,
  '▶': html`
    <rect x="1.5" y="1.5" width="17" height="17" rx="3.5" fill="#3b88c3" />
    <path d="M7 5.5v9l7.5-4.5z" fill="#ffffff" />`,
  '✅': html`
    <rect x="1.5" y="1.5" width="17" height="17" rx="3.5" fill="#3f9b4f" />
    <path class="stroke" d="M5.5 10.5l3.2 3.2 6-7.2" stroke="#ffffff" stroke-width="2.4" />`,
  '⚠': html`
    <path d="M10 2.5L18.5 17h-17z" fill="#ffcc4d" stroke="#ffcc4d" stroke-linejoin="round" />
    <path d="M9 7.5h2l-.4 4.8H9.4z" fill="#231f20" />
    <circle cx="10" cy="14.4" r="1.1" fill="#231f20" />`,
  '⛔': html`
    <circle cx="10" cy="10" r="8.7" fill="#d72f3f" />
    <rect x="4.5" y="8.3" width="11" height="3.4" rx="0.8" fill="#ffffff" />`,
  '❓': html`
    <path
      class="stroke"
      d="M6.3 6.5C6.3 4.2 8 2.9 10.1 2.9s3.8 1.3 3.8 3.3c0 2.9-3.8 3-3.8 6.3"
      stroke="#d72f3f"
      stroke-width="2.8"
    />
    <circle cx="10.1" cy="16.7" r="1.7" fill="#d72f3f" />`,
  '▫': html`<rect x="5.5" y="5.5" width="9" height="9" rx="1" fill="#f2f4f5" stroke="#7b8288" />`,
};

/** Characters that browsers treat as letters count only with the variation selector that makes them emoji. */
const SIGN = /[⏳✅⛔❓]\u{fe0f}?|[▶⚠▫]\u{fe0f}/gu;

export function withSigns(text: string): Drawn {
  const out: Drawn[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(SIGN)) {
    out.push(text.slice(end, index), drawSign(character));
    end = index + character.length;
  }
  return end === 0 ? text : [...out, text.slice(end)];
}

const drawSign = (character: string) => html`
  <span class="emoji" role="img" aria-label=${character}>
    <svg viewBox="0 0 20 20" aria-hidden="true">${DRAWINGS[character.replace('\u{fe0f}', '')]}</svg>
    <span class="emoji-text">${character}</span>
  </span>`;
