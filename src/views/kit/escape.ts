/**
 * The only way from somebody's text to Slack's markup. {@link Mrkdwn} is a type of its own, so that text
 * which was not made safe does not compile into a message.
 */
import type { Brand } from '../../lib/ids.ts';
import { stripControls } from '../../lib/text.ts';
import { DISPLAY_LIMIT } from './limits.ts';

/** Markup that is safe to send: no mention, link or formatting in it but our own. */
export type Mrkdwn = Brand<string, 'Mrkdwn'>;

/** Our own wording, or text whose every character was checked: the one place that makes the brand. */
export function trustedMrkdwn(text: string): Mrkdwn {
  return text as Mrkdwn;
}

/** Our own wording joined with safe parts; a plain string among the values does not compile. */
export function md(strings: TemplateStringsArray, ...values: readonly (Mrkdwn | number)[]): Mrkdwn {
  return trustedMrkdwn(String.raw({ raw: strings }, ...values));
}

/** Safe parts joined by our own separator. */
export function joinMrkdwn(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  return trustedMrkdwn(parts.join(separator));
}

/** Cut to `max` UTF-16 units with a visible mark, never through a character. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const shortened = text.slice(0, Math.max(max - 1, 0));
  const torn = /[\uD800-\uDBFF]$/.test(shortened);
  return `${torn ? shortened.slice(0, -1) : shortened}…`;
}

/** Spaces and joiners alone show nothing. */
const BLANK_TEXT = /^(?:\s|\u200C|\u200D|\uFE0F)*$/;

/** One line without control, direction or invisible characters; something is always there to be seen. */
export function singleLine(text: string): string {
  const line = stripControls(text).replace(/ +/g, ' ').trim();
  return BLANK_TEXT.test(line) ? '(blank)' : line;
}

/**
 * Text without any character that markup could give a meaning, at places where it could. `_` is formatting
 * only at the edge of a word, and two colons could make an emoji.
 */
const NEUTRALIZED =
  /^(?:[\p{L}\p{N}\p{M} .,;!?'"()[\]{}/+%#=$^€£§°…–—“”‘’·×-]|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|:(?!.*:))+$/u;

/** Somebody's text on one line, shown letter for letter: as it is where it is harmless, else as code. */
export function escapeMrkdwn(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  const line = singleLine(text);
  const shortened = truncate(line, max);
  return NEUTRALIZED.test(shortened) ? trustedMrkdwn(shortened) : inlineCode(line, max);
}

/** The same in bold where it is harmless. */
export function bold(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  const line = singleLine(text);
  const shortened = truncate(line, max - 2);
  return NEUTRALIZED.test(shortened) ? trustedMrkdwn(`*${shortened}*`) : inlineCode(line, max);
}

/** Somebody's text as a code span of at most `max` characters, escapes and marks included. */
export function inlineCode(text: string, max: number = DISPLAY_LIMIT.name): Mrkdwn {
  return trustedMrkdwn(`\`${escapeAndCut(singleLine(text), max - 2)}\``);
}

/** The first line of a card: what it is about, and a name. */
export function boldHeading(words: string, name: string): Mrkdwn {
  const fullText = `${words} ${singleLine(name)}`;
  return fullText.length <= DISPLAY_LIMIT.name && NEUTRALIZED.test(fullText)
    ? bold(fullText)
    : md`${bold(words)} ${escapeMrkdwn(name)}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // A code span cannot hold what ends it.
  '`': '\u02CB',
};

/** Escaped and cut so that neither an escape nor a character is torn. */
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

/**
 * Somebody's text for an element that knows no markup, such as a button. The joiner after `<` shows nothing;
 * it keeps clients that resolve mentions anyway from seeing one.
 */
export function plainText(text: string, max: number): string {
  return truncate(singleLine(text).replace(/<(?=[!@#])/g, '<\u2060'), max);
}
