/** Stored sentences with times in them, drawn in the reader's own zone. Pure. */
import { type Instant, instant } from '../../lib/clock.ts';
import { escapeMrkdwn, type Mrkdwn, md, singleLine, trustedMrkdwn } from './escape.ts';
import { DISPLAY_LIMIT } from './limits.ts';
import { relativeDate } from './timestamps.ts';

/** A time as evidence holds it: milliseconds since 1970. */
const TOKEN = /@\{(-?\d{1,15})\}/g;
/** Nobody means a later time, nor an earlier one than as long before 1970. */
const MAX_TIME = Date.UTC(9999, 11, 31);
/** What is left of the length is too little for anything but a mark. */
const TOO_LITTLE = 10;
const CUT_MARK = md`…`;

/**
 * Stored words as markup of at most `max` characters: times drawn, everything else escaped, a number that is no time
 * shown as it is. Cut with a visible mark, never through a time. Somebody else's words that look like a time are drawn
 * as one; that changes how they look, and nothing else.
 */
export function renderSentence(stored: string, max: number = DISPLAY_LIMIT.sentence): Mrkdwn {
  let rendered = md``;
  for (const part of sentenceParts(singleLine(stored))) {
    const room = max - rendered.length - CUT_MARK.length;
    if (room < TOO_LITTLE) return md`${rendered}${CUT_MARK}`;
    const drawn = typeof part === 'string' ? literalText(part, room) : relativeDate(part);
    if (drawn.length > room) return md`${rendered}${CUT_MARK}`;
    rendered = md`${rendered}${drawn}`;
  }
  return rendered;
}

/** Text and times in their order. */
function sentenceParts(line: string): readonly (string | Instant)[] {
  const found: (string | Instant)[] = [];
  let from = 0;
  for (const { 0: token, 1: number, index } of line.matchAll(TOKEN)) {
    const time = Number(number);
    if (Math.abs(time) > MAX_TIME) continue;
    if (index > from) found.push(line.slice(from, index));
    found.push(instant(time));
    from = index + token.length;
  }
  return from < line.length ? [...found, line.slice(from)] : found;
}

/** Escaped, with the one space on either side that parts it from a time. */
function literalText(text: string, room: number): Mrkdwn {
  const before = text.startsWith(' ') ? ' ' : '';
  const core = text.trim();
  if (core === '') return trustedMrkdwn(before);
  const after = text.endsWith(' ') ? ' ' : '';
  return md`${trustedMrkdwn(before)}${escapeMrkdwn(core, room - before.length - after.length)}${trustedMrkdwn(after)}`;
}
