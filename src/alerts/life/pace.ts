/** How often the card of an alert is drawn: an edit tells nobody, and Slack allows few of them. Pure. */
import { HOUR, type Instant, instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { AlertCardRecord, DrawnCount } from '../../store/port/alert-records.ts';

/** An alert with so few members is drawn at every change. */
const SMALL = 20;
const APART_MS = 15 * SECOND;
const SLOWEST_MS = 20 * MINUTE;
/** What is new on an older card is posted as a new one. */
const LIVELY_MS = 12 * HOUR;

/**
 * When the card is drawn next. A change that people would notice is drawn soon: a tenth more, a fifth less, or a
 * twentieth of all fixed. The first and the last change are drawn at once, all others within 20 minutes.
 */
export function nextDrawing(
  card: DrawnCount,
  { members, open }: { readonly members: number; readonly open: number },
  now: Instant,
): DrawnCount {
  const isDrawn = card.dueAt <= now;
  const drawn = isDrawn ? { open: card.open, at: card.dueAt } : { open: card.drawnOpen, at: card.drawnAt };
  const pending = isDrawn ? Number.POSITIVE_INFINITY : card.dueAt;
  const wanted = wantedAt(drawn, { members, open }, now);
  // A later drawing never puts off one that was promised.
  const dueAt = instant(Math.max(now, Math.min(wanted, pending)));
  return { open, drawnOpen: drawn.open, drawnAt: drawn.at, dueAt };
}

function wantedAt(
  drawn: { readonly open: number; readonly at: Instant },
  { members, open }: { readonly members: number; readonly open: number },
  now: Instant,
): Instant {
  if (members <= SMALL || open === 0 || drawn.open === 0) return now;
  const changed = Math.abs(open - drawn.open);
  const noticed = open > drawn.open ? growthNoticed(drawn.open) : Math.min(members / 20, open / 5);
  return later(drawn.at, changed >= noticed && changed > 0 ? APART_MS : SLOWEST_MS);
}

/** The larger an alert is, the less a few more devices tell. */
const growthNoticed = (open: number): number => open / (open <= 200 ? 10 : 4);

/** Whether new open members are worth a new message: nobody sees an edit of a card that is half a day old. */
export function isPostedAnew({ startedAt }: Pick<AlertCardRecord, 'startedAt'>, now: Instant): boolean {
  return now > later(startedAt, LIVELY_MS);
}
