/**
 * The text forms of an event's `data.patches`: quoted names split by spaces (older); `name|version|display
 * name|repo|0 or 1`, quoted or not, split by commas (newer); bare names split by commas or spaces.
 *
 * Each patch is added to the list as it is found: of all fields of an event this one takes longest, and lists of
 * pieces in between took most of that.
 */
import type { PatchMention } from '../model/resources.ts';

const SPACE = 32;
const COMMA = 44;

/** Every patch that `patches` names, in its order. */
export function parsePatches(patches: string | readonly string[] | null): readonly PatchMention[] {
  const found: PatchMention[] = [];
  if (typeof patches === 'string') addText(found, patches);
  else if (patches !== null) for (const token of patches) addPatch(found, token);
  return found;
}

/** Quoted tokens, and between them bare ones; a quote left open holds the rest. */
function addText(found: PatchMention[], text: string): void {
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    addBare(found, text, at, open === -1 ? text.length : open);
    if (open === -1) return;
    const close = text.indexOf('"', open + 1);
    addPatch(found, text.slice(open + 1, close === -1 ? text.length : close));
    if (close === -1) return;
    at = close + 1;
  }
}

/** What stands unquoted from `start` to `end`, nearly always no more than what splits two quoted tokens. */
function addBare(found: PatchMention[], text: string, start: number, end: number): void {
  let at = start;
  while (at < end && isSeparator(text.charCodeAt(at))) at += 1;
  if (at < end) for (const token of bareTokens(text.slice(at, end))) addPatch(found, token);
}

function isSeparator(code: number): boolean {
  return code === SPACE || code === COMMA;
}

function bareTokens(text: string): readonly string[] {
  const inner = text.replace(/^[\s,]+/, '');
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

/** The patch of one token; none where it has no name. */
function addPatch(found: PatchMention[], token: string): void {
  const nameEnd = token.indexOf('|');
  if (nameEnd === -1) {
    const name = token.trim();
    if (name !== '') found.push({ name, version: null, displayName: null });
    return;
  }
  const name = token.slice(0, nameEnd).trim();
  if (name === '') return;
  const versionEnd = token.indexOf('|', nameEnd + 1);
  const version = fieldBetween(token, nameEnd, versionEnd);
  const displayName =
    versionEnd === -1 ? null : fieldBetween(token, versionEnd, token.indexOf('|', versionEnd + 1));
  found.push({ name, version, displayName });
}

/** What stands between the pipe at `pipe` and the one at `end`, which is -1 where there is none; an empty one is null. */
function fieldBetween(token: string, pipe: number, end: number): string | null {
  const value = token.slice(pipe + 1, end === -1 ? token.length : end).trim();
  return value === '' ? null : value;
}
