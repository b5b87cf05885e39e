/** What a card needs next, by what is recorded of it and of its calls: pure. */
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardRecord } from '../../store/port/records.ts';

export type NextCardStep =
  /** It stands nowhere, and no call of it is expected to make it appear. */
  | { readonly kind: 'post' }
  /** These posts may have made messages: the channel's history tells. */
  | { readonly kind: 'look'; readonly posts: readonly CardCall[] }
  /** It shows something old, or an edit that settled may have put something old back: those are `settled`. */
  | { readonly kind: 'edit'; readonly settled: readonly CardCall[] }
  /** Nothing can be done before a call under way has settled; in milliseconds of real time. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'done' };

type CardRevisions = Pick<CardRecord, 'ts' | 'wantedRevision' | 'shownRevision'>;

/** An edit that people wait for comes before anything else; what stands nowhere is looked for before it is posted. */
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
