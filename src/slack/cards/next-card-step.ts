/** Decides a card's next step from its record and its calls. Pure. */
import type { CardCall, CardRecord } from '../../store/port/card-records.ts';

export type NextCardStep =
  /** The card has no message, and no call in flight will create one. */
  | { readonly kind: 'post' }
  /** These posts may have created messages: read the channel's history. */
  | { readonly kind: 'look'; readonly posts: readonly CardCall[] }
  /** The message is out of date, or a late edit (`settled`) may have restored an older state. */
  | { readonly kind: 'edit'; readonly settled: readonly CardCall[] }
  /** Wait for a call in flight; milliseconds of real time. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'done' };

type CardRevisions = Pick<CardRecord, 'ts' | 'wantedRevision' | 'shownRevision'>;

/** An edit that people wait for comes first; a card without a message is searched for before it is posted. */
export function nextCardStep(card: CardRevisions, calls: readonly CardCall[]): NextCardStep {
  const posts = calls.filter(({ kind }) => kind === 'post');
  if (card.ts === null) {
    const open = posts.filter(({ watched }) => !watched);
    return open.length === 0 ? { kind: 'post' } : { kind: 'look', posts: open };
  }
  const settled = calls.filter(isSettled).filter(({ kind }) => kind === 'edit');
  if (card.shownRevision < card.wantedRevision) return { kind: 'edit', settled };
  if (posts.length > 0 && posts.every(isSettled)) return { kind: 'look', posts };
  if (settled.length > 0) return { kind: 'edit', settled };
  const [soonest] = calls.map(({ settlesInMs }) => settlesInMs).toSorted((a, b) => a - b);
  return soonest === undefined ? { kind: 'done' } : { kind: 'wait', ms: soonest };
}

function isSettled({ settledAt }: CardCall): boolean {
  return settledAt !== null;
}
