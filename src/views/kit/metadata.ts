/** What a card's message says about itself to programs: found again by it, and checked from outside. */
import type { CardKey } from '../../store/records.ts';
import type { CardState } from '../model.ts';

const CARD_EVENT = 'patchbay_card';

export type CardMetadata = {
  readonly event_type: typeof CARD_EVENT;
  readonly event_payload: { readonly key: CardKey; readonly state: MessageState };
};

/** An alert has no states: it is posted, and a storm once others of its like stand on the card. */
export type MessageState = CardState | 'posted' | 'storm';

/** Message metadata of the card `key`. */
export function cardMetadata(key: CardKey, state: MessageState): CardMetadata {
  return { event_type: CARD_EVENT, event_payload: { key, state } };
}
