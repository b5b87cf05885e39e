/** Several messages of one card: which stays is decided here, purely; the others are removed or say where it is. */
import { type Instant, instant } from '../../clock.ts';
import type { CardKey } from '../../ids.ts';
import type { Tables } from '../../store/store.ts';
import { renderMoved } from '../../views/moved.ts';
import { messageGone, type SlackFault } from '../faults.ts';
import type { Place, SlackWeb } from '../web.ts';
import type { CardCopy } from './channel-reading.ts';

export type CopyPlan = {
  /** Null: there is none. */
  readonly keep: Place | null;
  /** Nobody talked about these. */
  readonly remove: readonly Place[];
  /** These stay, and say that the card moved. */
  readonly mark: readonly Place[];
};

/** The recorded message stays, whether or not it was found; else the oldest one. */
export function planCopies(recorded: Place | null, copies: readonly CardCopy[]): CopyPlan {
  const [oldest] = copies.toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const keep = recorded ?? oldest ?? null;
  const others = copies.filter(({ channel, ts }) => channel !== keep?.channel || ts !== keep.ts);
  return {
    keep: keep && { channel: keep.channel, ts: keep.ts },
    remove: others.filter(({ talkedAbout }) => !talkedAbout),
    mark: others.filter(({ talkedAbout }) => talkedAbout),
  };
}

/** There may be a copy, so it is looked for around Slack's own time of it. To be called in a transaction. */
export async function suspectCopy(
  { cardCalls, cards }: Pick<Tables, 'cardCalls' | 'cards'>,
  card: CardKey,
  { channel, ts }: Place,
  now: Instant,
): Promise<void> {
  const attemptedAt = instant(Math.round(Number(ts) * 1_000));
  await cardCalls.suspect({ id: `copy ${channel} ${ts}`, card, channel, attemptedAt });
  await cards.refresh(card, now);
}

type Web = Pick<SlackWeb, 'remove' | 'update' | 'permalink'>;

/** Makes the card stand once. What was changed can be asked for again; the fault is of the first that was not. */
export async function healCopies(web: Web, { keep, remove, mark }: CopyPlan): Promise<SlackFault | null> {
  for (const place of remove) {
    const fault = await removeCopy(web, place);
    if (fault !== null) return fault;
  }
  if (keep === null || mark.length === 0) return null;
  const moved = renderMoved(await web.permalink(keep));
  for (const place of mark) {
    const marked = await web.update(place, moved);
    if (marked.kind !== 'ok' && !isGone(marked)) return marked;
  }
  return null;
}

/** Removes a message of ours; one that is gone is as good. */
export async function removeCopy(web: Pick<SlackWeb, 'remove'>, place: Place): Promise<SlackFault | null> {
  const removed = await web.remove(place);
  return removed.kind === 'ok' || isGone(removed) ? null : removed;
}

function isGone(fault: SlackFault): boolean {
  return fault.kind === 'refused' && (messageGone(fault.error) || fault.error === 'cant_delete_message');
}
