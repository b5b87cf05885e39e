/**
 * Formats what a person types the way Slack's composer does: marks around words become styles
 * (slack.com/help/articles/202288908).
 */
import type { JsonObject } from '../core/json-object.ts';
import { emojiCharacter } from '../objects/emoji-names.ts';

/** An emoji name between colons; digits alone are a time of day. */
const EMOJI = /:((?:[a-z][\w-]*|[+-]1)(?:::skin-tone-[2-6])?):/;
const STYLES = [
  { style: 'code', signs: /`([^`\n]+)`/ },
  { style: 'bold', signs: /\*([^\s*](?:[^*\n]*[^\s*])?)\*/ },
  { style: 'italic', signs: /_([^\s_](?:[^_\n]*[^\s_])?)_/ },
  { style: 'strike', signs: /~([^\s~](?:[^~\n]*[^\s~])?)~/ },
] as const;
/** Marks inside a word are part of it, as in `a_b_c`. */
const TYPED = new RegExp(
  `(?<![\\w*~\`:])(?:${[...STYLES.map(({ signs }) => signs), EMOJI].map(({ source }) => source).join('|')})(?![\\w*~\`])`,
  'g',
);

/** Rich text elements for text without entities: plain, styled, and emoji by name. */
export function styledParts(text: string): readonly JsonObject[] {
  const parts: JsonObject[] = [];
  let end = 0;
  for (const found of text.matchAll(TYPED)) {
    if (found.index > end) parts.push(plain(text.slice(end, found.index)));
    parts.push(partOf(found));
    end = found.index + found[0].length;
  }
  return end < text.length ? [...parts, plain(text.slice(end))] : parts;
}

function plain(text: string): JsonObject {
  return { type: 'text', text };
}

function partOf([, ...groups]: RegExpExecArray): JsonObject {
  const at = groups.findIndex((group) => group !== undefined);
  const text = groups[at] ?? '';
  const style = STYLES[at]?.style;
  return style === undefined
    ? { type: 'emoji', name: text, ...emojiCharacter(text) }
    : { type: 'text', text, style: { [style]: true } };
}
