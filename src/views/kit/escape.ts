/**
 * The only way from somebody's text to Slack's markup. {@link Mrkdwn} is a type of its own, so that text
 * which was not made safe does not compile into a message.
 */
import type { Brand } from '../../ids.ts';
import { withoutControls } from '../../text.ts';
import { SHOWN } from './limits.ts';

/** Markup that is safe to send: no mention, link or formatting in it but our own. */
export type Mrkdwn = Brand<string, 'Mrkdwn'>;

/** Our own wording, or text whose every character was checked: the one place that makes the brand. */
export function trusted(text: string): Mrkdwn {
  return text as Mrkdwn;
}

/** Our own wording joined with safe parts; a plain string among the values does not compile. */
export function md(strings: TemplateStringsArray, ...values: readonly (Mrkdwn | number)[]): Mrkdwn {
  return trusted(String.raw({ raw: strings }, ...values));
}

/** Safe parts joined by our own separator. */
export function joined(parts: readonly Mrkdwn[], separator: string): Mrkdwn {
  return trusted(parts.join(separator));
}

/** Cut to `max` UTF-16 units with a visible mark, never through a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, Math.max(max - 1, 0));
  const torn = /[\uD800-\uDBFF]$/.test(kept);
  return `${torn ? kept.slice(0, -1) : kept}…`;
}

/** Spaces and joiners alone show nothing. */
const NOTHING = /^(?:\s|\u200C|\u200D|\uFE0F)*$/;

/** One line without control, direction or invisible characters; something is always there to be seen. */
export function oneLine(text: string): string {
  const line = withoutControls(text).replace(/ +/g, ' ').trim();
  return NOTHING.test(line) ? '(blank)' : line;
}

/**
 * Text without any character that markup could give a meaning, at places where it could. `_` is formatting
 * only at the edge of a word, and two colons could make an emoji.
 */
const TAME =
  /^(?:[\p{L}\p{N}\p{M} .,;!?'"()[\]{}/+%#=$^€£§°…–—“”‘’·×-]|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|:(?!.*:))+$/u;

/** Somebody's text on one line, shown letter for letter: as it is where it is harmless, else as code. */
export function literal(text: string, max: number = SHOWN.name): Mrkdwn {
  const line = oneLine(text);
  const shown = cut(line, max);
  return TAME.test(shown) ? trusted(shown) : code(line, max);
}

/** The same in bold where it is harmless. */
export function strong(text: string, max: number = SHOWN.name): Mrkdwn {
  const line = oneLine(text);
  const shown = cut(line, max - 2);
  return TAME.test(shown) ? trusted(`*${shown}*`) : code(line, max);
}

/** Somebody's text as a code span of at most `max` characters, escapes and marks included. */
export function code(text: string, max: number = SHOWN.name): Mrkdwn {
  return trusted(`\`${escaped(oneLine(text), max - 2)}\``);
}

/** The first line of a card: what it is about, and a name. */
export function heading(words: string, name: string): Mrkdwn {
  const whole = `${words} ${oneLine(name)}`;
  return whole.length <= SHOWN.name && TAME.test(whole)
    ? strong(whole)
    : md`${strong(words)} ${literal(name)}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // A code span cannot hold what ends it.
  '`': '\u02CB',
};

/** Escaped and cut so that neither an escape nor a character is torn. */
function escaped(text: string, max: number): string {
  const whole = text.replace(/[&<>`]/g, (char) => ESCAPES[char] ?? char);
  if (whole.length <= max) return whole;
  let kept = '';
  for (const char of text) {
    const piece = ESCAPES[char] ?? char;
    if (kept.length + piece.length > max - 1) break;
    kept += piece;
  }
  return `${kept}…`;
}

/**
 * Somebody's text for an element that knows no markup, such as a button. The joiner after `<` shows nothing;
 * it keeps clients that resolve mentions anyway from seeing one.
 */
export function plain(text: string, max: number): string {
  return cut(oneLine(text).replace(/<(?=[!@#])/g, '<\u2060'), max);
}
