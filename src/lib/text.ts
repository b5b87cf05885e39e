/**
 * Makes text comparable (changes by a phone's keyboard, a paste or a console must not hide a device), sorts names,
 * and fits text into sentences.
 */
import { distance } from 'fastest-levenshtein';
import { withEmoji } from './emoji-names.ts';

const CURLY_DOUBLE = /[\u201C\u201D\u201E\u201F\u00AB\u00BB\u2033\u301D\u301E]/g;
const CURLY_SINGLE = /[\u2018\u2019\u201A\u201B\u2032]/g;
const SHORT_DASH = /[\u2010-\u2013\u2212]/g;
/** Phones join two hyphens into one long dash. */
const LONG_DASH = /[\u2014\u2015]/g;
/** `\s` matches the byte order mark, but it is drawn as nothing. */
const SPACE = /[^\S\uFEFF]/g;
/** Control characters, and those that are invisible or change the direction; the joiners of scripts and emoji stay. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}]--[\u200C\u200D\uFE0F]]/gv;

/** Replaces curly quotes and long dashes with those of a keyboard. */
export function straightenQuotes(text: string): string {
  return text
    .replace(CURLY_DOUBLE, '"')
    .replace(CURLY_SINGLE, "'")
    .replace(SHORT_DASH, '-')
    .replace(LONG_DASH, '--');
}

/** Removes control and invisible characters; every kind of space, line ends included, becomes one plain space. */
export function stripControls(text: string): string {
  return text.toWellFormed().replace(SPACE, ' ').replace(INVISIBLE, '');
}

/** Text on one line, without what is invisible and without spaces around it or twice. */
export function onOneLine(text: string): string {
  return stripControls(text).replace(/ +/g, ' ').trim();
}

/** Only spaces and joiners. */
const BLANK = /^(?:\s|\u200C|\u200D|\uFE0F)*$/;

/** Whether the text shows nothing. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** The form in which names are compared. */
export function fold(text: string): string {
  // Typed in a slash command, an emoji comes as its name; text and emoji forms of one sign are one.
  const signs = text.includes(':') ? withEmoji(text) : text;
  return straightenQuotes(stripControls(signs))
    .replaceAll('\uFE0F', '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim()
    .toLowerCase();
}

/** The text, or its first characters and a mark that it was cut: `length` characters at the most. */
export function cut(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

export function upperFirst(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export function lowerFirst(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}

/** Such as `a, b and c`. */
export function joinWithAnd(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Compares names in the order in which people look for them: `web-2` before `web-10`. */
export const { compare: compareNames } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares versions by their segments. What `~` or a word such as `rc` begins comes before the version itself. */
export function compareVersions(a: string, b: string): number {
  const comparable = (text: string) => `${text.replace(/~|[-.]?(?=(?:alpha|beta|pre|rc)\d*\b)/gi, ' ')}_`;
  return compareNames(comparable(a), comparable(b));
}

/** Maximum characters of a reason in a form: a sentence, not a report. Our own limit. */
export const REASON_LENGTH = 300;

/** A duration in milliseconds, in its largest whole unit: `15 minutes`, `1 hour`, `90 seconds`. */
export function durationText(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each && ms % each === 0) ?? ['second', 1_000];
  const count = Math.round(ms / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Two swapped letters, or a separator and one more letter. */
const MAX_EDITS = 2;

/** The word of `known` that `typed` was probably meant to be; null when none is close. */
export function closestWord(typed: string, known: readonly string[]): string | null {
  const near = known
    .map((word) => ({ word, edits: distance(typed, word) }))
    .filter(({ edits }) => edits <= MAX_EDITS);
  return near.toSorted((a, b) => a.edits - b.edits)[0]?.word ?? null;
}
