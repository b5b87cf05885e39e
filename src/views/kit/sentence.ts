/** Stored sentences with times in them, drawn in the reader's own zone. Pure. */
import { type Instant, instant } from '../../clock.ts';
import { literal, type Mrkdwn, md, oneLine, trusted } from './escape.ts';
import { SHOWN } from './limits.ts';
import { when } from './when.ts';

/** A time as evidence holds it: milliseconds since 1970. */
const TOKEN = /@\{(-?\d{1,15})\}/g;
/** Nobody means a later time, nor an earlier one than as long before 1970. */
const FURTHEST = Date.UTC(9999, 11, 31);
/** What is left of the length is too little for anything but a mark. */
const TOO_LITTLE = 10;
const MARK = md`…`;

/**
 * Stored words as markup of at most `max` characters: times drawn, everything else escaped, a number that is no time
 * shown as it is. Cut with a visible mark, never through a time. Somebody else's words that look like a time are drawn
 * as one; that changes how they look, and nothing else.
 */
export function sentence(stored: string, max: number = SHOWN.sentence): Mrkdwn {
  let shown = md``;
  for (const part of parts(oneLine(stored))) {
    const room = max - shown.length - MARK.length;
    if (room < TOO_LITTLE) return md`${shown}${MARK}`;
    const drawn = typeof part === 'string' ? words(part, room) : when(part);
    if (drawn.length > room) return md`${shown}${MARK}`;
    shown = md`${shown}${drawn}`;
  }
  return shown;
}

/** Text and times in their order. */
function parts(line: string): readonly (string | Instant)[] {
  const found: (string | Instant)[] = [];
  let from = 0;
  for (const { 0: token, 1: number, index } of line.matchAll(TOKEN)) {
    const time = Number(number);
    if (Math.abs(time) > FURTHEST) continue;
    if (index > from) found.push(line.slice(from, index));
    found.push(instant(time));
    from = index + token.length;
  }
  return from < line.length ? [...found, line.slice(from)] : found;
}

/** Escaped, with the one space on either side that parts it from a time. */
function words(text: string, room: number): Mrkdwn {
  const before = text.startsWith(' ') ? ' ' : '';
  const core = text.trim();
  if (core === '') return trusted(before);
  const after = text.endsWith(' ') ? ' ' : '';
  return md`${trusted(before)}${literal(core, room - before.length - after.length)}${trusted(after)}`;
}
