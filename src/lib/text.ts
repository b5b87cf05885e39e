/**
 * Makes text comparable (changes by a phone's keyboard, a paste or a console must not hide a device), sorts names,
 * and fits text into sentences, where none of it can be taken for ours.
 */
import names from 'emoji-name-map/lib/datasource.json' with { type: 'json' };
import { distance } from 'fastest-levenshtein';

const CURLY_DOUBLE = /[\u201C\u201D\u201E\u201F\u00AB\u00BB\u2033\u301D\u301E]/g;
const CURLY_SINGLE = /[\u2018\u2019\u201A\u201B\u2032]/g;
const SHORT_DASH = /[\u2010-\u2013\u2212]/g;
/** Phones join two hyphens into one long dash. */
const LONG_DASH = /[\u2014\u2015]/g;
/** `\s` matches the byte order mark, but it is drawn as nothing. */
const SPACE = /[^\S\uFEFF]/g;
/** Control characters, and those that are invisible or change the direction; the joiners of scripts and emoji stay. */
const INVISIBLE = /[[\p{Cc}\p{Default_Ignorable_Code_Point}]--[\u200C\u200D\uFE0F]]/gv;
/** Nothing of it goes. Most text is so, and lists of thousands of rows take a third less time with this look at it. */
const ON_ONE_LINE = /^[!-~]+(?: [!-~]+)*$/;

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
  return ON_ONE_LINE.test(text) ? text : stripControls(text).replace(/ +/g, ' ').trim();
}

/** Only spaces and joiners. */
const BLANK = /^(?:\s|\u200C|\u200D|\uFE0F)*$/;

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

/**
 * Everything but letters, digits, ASCII and a few signs that are common in names: so our separators, dashes, arrows, marks of
 * a cut, quotation marks and signs of states, and also all that resembles them (bullets and dots in the middle such as `•`,
 * `‧`, `⋅`, `・`; dashes such as `–` and `―`; other arrows, emoji and spaces that show something).
 */
const FOREIGN_TO_NAMES = /[^\p{L}\p{N}\p{Mn}\p{Mc}\x20-\x7E‘’×€£§°]/v;
/** Letters that are drawn as a dot in the middle or as a bar wherever they stand. */
const LETTERS_LIKE_SIGNS =
  /[\uA78F\u1427\u318D\u119E\u02D1\u01C0-\u01C2\u1C7C\uA4F8\uA4FA\u2D48\u2D4F\u09F9]/;
/** Letters and digits that are drawn as a dash or a dot where they stand alone: of Japanese, Chinese, Korean and Arabic. */
const ALONE_LIKE_SIGNS = /(?<![\p{L}\p{N}])[\u30FC\uFF70\u4E00\u3161\u1173\u0660\u06F0]+(?![\p{L}\p{N}])/u;
/** A mark on no letter can be a dash or a dot. Three dots read as a cut, two hyphens at a word's edge as a dash. */
const COMBINED_LIKE_SIGNS = /(?<![\p{L}\p{N}\p{M}])\p{M}|\.{3}|(?<!\S)--|--(?!\S)|->/u;
/** The name of an emoji, unless it could be a part of an address in hexadecimal digits. */
const EMOJI_NAME = /:[\w+'-]*[g-z_+][\w+'-]*:/i;
/** Between two letters or digits it joins them, as in a range. */
const JOINING_DASH = /(?<=[\p{L}\p{N}])[\u2010-\u2013](?=[\p{L}\p{N}])/gu;

const STRUCTURE = [FOREIGN_TO_NAMES, LETTERS_LIKE_SIGNS, ALONE_LIKE_SIGNS, COMBINED_LIKE_SIGNS, EMOJI_NAME];

/**
 * Whether text from outside has something that could be taken for a part of our own lines: `12 · Hostname: lab-07 · #4999`
 * must not read as facts that we state. Markup shows such text as code (`src/views/kit/escape.ts`); plain text has no code,
 * so there it stands in quotation marks. Search and commands take the text as it is.
 */
export function hasStructure(text: string): boolean {
  const bare = text.replaceAll(JOINING_DASH, '-');
  return STRUCTURE.some((part) => part.test(bare));
}

/** What joins values, surrounds what stands beside one, or stands for one. */
const JOINS_VALUES =
  /[,;()"]|#\d|\d more\b|(?:^| )(?:and|or)(?: |$)|(?:^| )(?:to|add|remove|keeps) |^\s*(?:none|unknown|no name|not set|on|off|yes|no)\s*$/i;

/**
 * Whether it shows itself as one value, and as none of our words. A value within a line of ours, such as one of a list, is
 * otherwise marked, so that none looks like several.
 */
export function isPlainValue(text: string): boolean {
  return !JOINS_VALUES.test(text) && !hasStructure(text);
}

/** A value within a line of plain text, as JSON quotes it, so that no two values become alike. */
export function quoteValue(text: string): string {
  return isPlainValue(text) ? text : JSON.stringify(text);
}

const INNER_QUOTES = /["“”„‟]/g;
/** Marked already, such as a name within a phrase. */
const QUOTED = /“[^“”]*”/g;

/** Text from outside within plain text of ours: as it is where it cannot be taken for ours, else in quotation marks. */
export function quoteStructure(text: string): string {
  return hasStructure(text.replaceAll(QUOTED, '')) ? `“${text.replaceAll(INNER_QUOTES, "'")}”` : text;
}

/**
 * Emoji in place of the names that Slack gives them: it "will convert the emoji into their common colon format"
 * (docs.slack.dev/messaging/formatting-message-text), also in a slash command, where nothing tells such a name from one that
 * was typed as it is.
 */
const NAMED = /:([\w+'-]+):(?::skin-tone-([2-6]):)?/g;
/** Also a part of a hardware or network address. */
const HEXADECIMAL = /^[\da-f]+$/i;
/** The key of a filter, whose colon is its own. */
const KEY = /(?:^|\s)-?[a-z][a-z_-]*$/i;
/** Of skin tones as Slack counts them, from 2. */
const MODIFIERS = ['🏻', '🏼', '🏽', '🏾', '🏿'];

const EMOJI: Readonly<Record<string, string>> = names;

/** The text with emoji in place of their names; all else stays as it is, also an emoji of the workspace. */
export function withEmoji(text: string): string {
  return text.replace(NAMED, (whole: string, name: string, tone: string | undefined, at: number) => {
    const before = text.slice(0, at);
    const isOther = KEY.test(before) || (HEXADECIMAL.test(name) && /[\w:]$/.test(before));
    const emoji = !isOther && Object.hasOwn(EMOJI, name) ? EMOJI[name] : undefined;
    return emoji === undefined ? whole : `${emoji}${MODIFIERS[Number(tone) - 2] ?? ''}`;
  });
}
