/**
 * Characters of which our own lines are built, in text from outside: `12 · Hostname: lab-07 · #4999` must not read as facts
 * that we state. Markup shows such text as code (`src/views/kit/escape.ts`); plain text has no code, so there it stands in
 * quotation marks. Search and commands take the text as it is. A value within a line of ours, such as one of a list, is marked
 * in the same way where it holds what we join values with: so none looks like several, or like our words.
 */

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

/** Whether the text has something that could be taken for a part of our own lines. */
export function hasStructure(text: string): boolean {
  const bare = text.replaceAll(JOINING_DASH, '-');
  return STRUCTURE.some((part) => part.test(bare));
}

/** What joins values, surrounds what stands beside one, or stands for one. */
const JOINS_VALUES =
  /[,;()"]|#\d|\d more\b|(?:^| )(?:and|or)(?: |$)|(?:^| )(?:to|add|remove|keeps) |^\s*(?:none|unknown|no name|not set|on|off|yes|no)\s*$/i;

/** Whether it shows itself as one value, and as none of our words. */
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
