/**
 * The only way from other people's text to Slack's markup. {@link Mrkdwn} is a type of its own, so that unescaped text does
 * not compile into a message.
 */
import type { Brand } from '../../lib/ids.ts';
import { hasStructure, isBlank, isPlainValue, onOneLine, quoteStructure } from '../../lib/text.ts';
import { DISPLAY_LIMIT } from './limits.ts';

/** Markup that is safe to send: its mentions, links and formatting are all our own. */
export type Mrkdwn = Brand<string, 'Mrkdwn'>;

/** Marks our own wording, or text that was checked character by character, as safe. */
export function trustedMrkdwn(text: string): Mrkdwn {
  return text as Mrkdwn;
}

/**
 * A template of our own wording with safe parts; a plain string among the values does not compile. Joined by hand: lists
 * make tens of thousands of these, and `String.raw` took a tenth of their time.
 */
export function md(strings: TemplateStringsArray, ...values: readonly (Mrkdwn | number)[]): Mrkdwn {
  return trustedMrkdwn(strings.reduce((text, part, at) => `${text}${values[at - 1]}${part}`));
}

export function joinMrkdwn(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  return trustedMrkdwn(parts.join(separator));
}

/** Cuts text to `max` UTF-16 units with a visible mark, never in the middle of a character. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const shortened = text.slice(0, Math.max(max - 1, 0));
  const torn = /[\uD800-\uDBFF]$/.test(shortened);
  return `${torn ? shortened.slice(0, -1) : shortened}…`;
}

/** The text on one line, without control, direction or invisible characters; `(blank)` where nothing visible is left. */
export function singleLine(text: string): string {
  const line = onOneLine(text);
  return isBlank(line) ? '(blank)' : line;
}

/**
 * Matches text that Slack's markup cannot change. `_` is formatting only at the edge of a word. Two colons could make an
 * emoji, and so could one with a colon of ours after it, unless the end, a time or a character follows that no emoji's name has.
 */
const NEUTRALIZED =
  /^(?:[\p{L}\p{N}\p{M} .,;!?'"()[\]{}/+%#=$^€£§°‘’×\u2010-\u2013-]|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|:(?=\d{0,2}$|[^:]*[^\p{L}\p{N}_'+:-][^:]*$))+$/u;

/** Whether neither Slack's markup nor our own lines are changed by it: all else is shown as code. */
export function isHarmless(text: string): boolean {
  return NEUTRALIZED.test(text) && !hasStructure(text);
}

/** The text as it is shown outside of code; null where it must be code. A mark at its end is our cut: its own would be code. */
function harmlessPart(line: string, max: number): string | null {
  const shortened = truncate(line, max);
  return isHarmless(shortened === line ? line : shortened.slice(0, -1)) ? shortened : null;
}

/** Other people's text on one line, shown unchanged: plain where it is harmless, else as code. */
export function escapeMrkdwn(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  const line = singleLine(text);
  const shown = harmlessPart(line, max);
  return shown === null ? inlineCode(line, max) : trustedMrkdwn(shown);
}

/** A value within a line of ours, such as one of a list: as code where it is not plain. */
export function escapeValue(text: string, max: number = DISPLAY_LIMIT.name, look = escapeMrkdwn): Mrkdwn {
  return (isPlainValue(singleLine(text)) ? look : inlineCode)(text, max);
}

/** Other people's text in bold where it is harmless. */
export function bold(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  const line = singleLine(text);
  const shown = harmlessPart(line, max - 2);
  return shown === null ? inlineCode(line, max) : trustedMrkdwn(`*${shown}*`);
}

/** Other people's text as a code span of at most `max` characters, including escapes and backticks. */
export function inlineCode(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  return trustedMrkdwn(`\`${escapeAndCut(singleLine(text), max - 2)}\``);
}

/** A bold heading of our own words and a name; a name that is not harmless follows as code. */
export function boldHeading(words: string, name: string): Mrkdwn {
  const fullText = `${words} ${singleLine(name)}`;
  return fullText.length <= DISPLAY_LIMIT.name && isHarmless(fullText) && isPlainValue(singleLine(name))
    ? bold(fullText)
    : md`${bold(words)} ${escapeValue(name)}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // A backtick would end the code span.
  '`': '\u02CB',
};

/** Escapes and cuts the text, never in the middle of an escape or a character. */
function escapeAndCut(text: string, max: number): string {
  const escapedText = text.replace(/[&<>`]/g, (char) => ESCAPES[char] ?? char);
  if (escapedText.length <= max) return escapedText;
  let fittingText = '';
  for (const char of text) {
    const piece = ESCAPES[char] ?? char;
    if (fittingText.length + piece.length > max - 1) break;
    fittingText += piece;
  }
  return `${fittingText}…`;
}

/** Other people's text within a sentence of ours without markup: in quotation marks where it is not plain. */
export function plainName(text: string, max: number = DISPLAY_LIMIT.label): string {
  const isMarked = isPlainValue(text) || /^“[^“”]*”$/.test(text);
  return plainAlone(isMarked ? text : `“${text.replaceAll(/["“”„‟]/g, "'")}”`, max);
}

/** The same alone, where nothing else marks it as theirs. */
export function plainAlone(text: string, max: number): string {
  const marked = quoteStructure(singleLine(text));
  const isCut = marked.startsWith('“') && marked.length > max;
  return plainText(isCut ? `${truncate(marked, max - 1)}”` : marked, max);
}

/**
 * Our sentences for elements without markup, such as buttons; names in them come from {@link plainName}. The invisible joiner
 * after `<` keeps clients from resolving mentions there.
 */
export function plainText(text: string, max: number): string {
  return truncate(singleLine(text).replace(/<(?=[!@#])/g, '<\u2060'), max);
}

export type PlainText = { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };

/** The same as the object that Slack takes. */
export function plainTextObject(text: string, max: number): PlainText {
  return { type: 'plain_text', text: plainText(text, max), emoji: false };
}

/** Markup of our own sentences as plain text: what {@link escapeMrkdwn} escaped is as it was. */
export function unescapeMrkdwn(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
