/**
 * The text forms of an event's `data.patches`: quoted names split by spaces (older); `name|version|display
 * name|repo|0 or 1`, quoted or not, split by commas (newer); bare names split by commas or spaces.
 */
import type { PatchMention } from '../model.ts';

/** Every patch that `patches` names, in its order. */
export function parsePatches(patches: string | readonly string[] | null): readonly PatchMention[] {
  if (patches === null) return [];
  const tokens = typeof patches === 'string' ? tokensOf(patches) : patches;
  return tokens.map(mention).filter((patch) => patch.name !== '');
}

function tokensOf(text: string): readonly string[] {
  // Split at the quotes, every second piece is a quoted token; a quote left open holds the rest.
  return text.split('"').flatMap((piece, index) => (index % 2 === 1 ? [piece] : bareTokens(piece)));
}

function bareTokens(text: string): readonly string[] {
  const inner = text.replace(/^[\s,]+/, '');
  // What stands between two quoted tokens.
  if (inner === '') return [];
  return fullTokens(inner) ?? inner.split(inner.includes('|') || inner.includes(',') ? ',' : /\s+/);
}

/**
 * Tokens of all five fields; null where the text is not made of them. A display name may hold commas, so
 * the pipes are counted: every fourth one is followed by the mark of its token and the name of the next.
 */
function fullTokens(text: string): readonly string[] | null {
  const [first = '', ...fields] = text.split('|');
  if (fields.length === 0 || fields.length % 4 !== 0) return null;
  const tokens: string[] = [];
  let name = first;
  for (let at = 0; at < fields.length; at += 4) {
    const joint = /^[01]\s*(?:,(.*))?$/s.exec(fields[at + 3] ?? '');
    const isLast = at + 4 === fields.length;
    if (joint === null || (joint[1] === undefined && !isLast)) return null;
    tokens.push([name, fields[at], fields[at + 1]].join('|'));
    name = joint[1] ?? '';
  }
  return [...tokens, name];
}

function mention(token: string): PatchMention {
  if (!token.includes('|')) return { name: token.trim(), version: null, displayName: null };
  const [name = '', version = '', display = ''] = token.split('|').map((part) => part.trim());
  return { name, version: version === '' ? null : version, displayName: display === '' ? null : display };
}
