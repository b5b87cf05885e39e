/** Draws stored sentences that contain times, in each reader's time zone. Pure. */
import { type Instant, instant } from '../../lib/clock.ts';
import { escapeMrkdwn, type Mrkdwn, md, singleLine, trustedMrkdwn } from './escape.ts';
import { DISPLAY_LIMIT } from './limits.ts';
import { relativeDate } from './timestamps.ts';

/** A time in stored evidence: milliseconds since 1970. */
const TOKEN = /@\{(-?\d{1,15})\}/g;
/** Larger numbers, positive or negative, are not times. */
const MAX_TIME = Date.UTC(9999, 11, 31);
/** With fewer characters left, only the mark is added. */
const TOO_LITTLE = 10;
const CUT_MARK = md`…`;

/**
 * A stored sentence as markup of at most `max` characters. Times are drawn, all else is escaped. Cut with a visible mark,
 * never in the middle of a time. Other people's text that looks like a time token is drawn as one, which is harmless.
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

/** The text and times of a line, in order. */
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

/** Escapes the text but keeps the space that separates it from a time on either side. */
function literalText(text: string, room: number): Mrkdwn {
  const before = text.startsWith(' ') ? ' ' : '';
  const core = text.trim();
  if (core === '') return trustedMrkdwn(before);
  const after = text.endsWith(' ') ? ' ' : '';
  return md`${trustedMrkdwn(before)}${escapeMrkdwn(core, room - before.length - after.length)}${trustedMrkdwn(after)}`;
}
