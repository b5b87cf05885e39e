/** What the composer of Slack makes of signs around words while a person types (slack.com/help/articles/202288908). */
import type { JsonObject } from '../core/json-object.ts';

/** A name that stands between colons; digits alone are a time of day. */
const EMOJI = /:((?:[a-z][\w-]*|[+-]1)(?:::skin-tone-[2-6])?):/;
const STYLES = [
  { style: 'code', signs: /`([^`\n]+)`/ },
  { style: 'bold', signs: /\*([^\s*](?:[^*\n]*[^\s*])?)\*/ },
  { style: 'italic', signs: /_([^\s_](?:[^_\n]*[^\s_])?)_/ },
  { style: 'strike', signs: /~([^\s~](?:[^~\n]*[^\s~])?)~/ },
] as const;
/** Signs inside a word are letters of it, such as those of `a_b_c`. */
const TYPED = new RegExp(
  `(?<![\\w*~\`:])(?:${[...STYLES.map(({ signs }) => signs), EMOJI].map(({ source }) => source).join('|')})(?![\\w*~\`])`,
  'g',
);

/** The elements of a rich text for words without entities: plain ones, styled ones, and emoji by their names. */
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
    ? { type: 'emoji', name: text }
    : { type: 'text', text, style: { [style]: true } };
}
