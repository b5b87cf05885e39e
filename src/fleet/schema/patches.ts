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

/** A token of the newer form ends with whether a reboot is needed. */
const TOKEN_END = /(?<=\|[01] *),/;

function bareTokens(text: string): readonly string[] {
  // A display name may hold commas and spaces, so where tokens have their end mark only that one counts.
  if (TOKEN_END.test(text)) return text.split(TOKEN_END);
  if (/\|[01]\s*$/.test(text)) return [text];
  return text.split(text.includes('|') || text.includes(',') ? ',' : /\s+/);
}

function mention(token: string): PatchMention {
  const [name = '', version = '', display = ''] = token.split('|').map((part) => part.trim());
  return { name, version: version === '' ? null : version, displayName: display === '' ? null : display };
}
