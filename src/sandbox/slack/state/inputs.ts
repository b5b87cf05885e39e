/** What each person has entered, and what options the bot has offered them, per message or view. */
import { elementsOf, type Found } from '../blocks/elements.ts';
import { type Entries, type Entry, entryOf, withEntry } from '../blocks/entries.ts';
import type { Fields } from '../json.ts';

/** A view's id, or a message's channel and ts. */
export type Surface = string;
export const messageSurface = (channel: string, ts: string): Surface => `${channel}/${ts}`;

export type Inputs = {
  readonly entered: (user: string, surface: Surface) => Entries;
  readonly enter: (user: string, surface: Surface, found: Found, entry: Entry) => void;
  /** Enters the conversation into selects that begin with the one where their modal was opened. */
  readonly begin: (user: string, surface: Surface, blocks: readonly Fields[], channel: string) => void;
  /**
   * Keeps only what was entered into elements of these blocks: it survives an update where block_id and
   * action_id stay the same (docs.slack.dev/reference/views/modal-views).
   */
  readonly keep: (user: string, surface: Surface, blocks: readonly Fields[]) => void;
  readonly offered: (user: string, surface: Surface, found: Found) => readonly Fields[];
  readonly offer: (user: string, surface: Surface, found: Found, options: readonly Fields[]) => void;
  /** Forgets all of a surface that is gone. */
  readonly forget: (user: string, surface: Surface) => void;
  readonly reset: () => void;
};
type Offers = Map<string, readonly Fields[]>;

export function createInputs(): Inputs {
  const entries = new Map<string, Entries>();
  const offers = new Map<string, Offers>();
  const key = (...parts: readonly string[]) => JSON.stringify(parts);
  const element = ({ blockId, actionId }: Found) => key(blockId, actionId);
  const entered = (user: string, surface: Surface) => entries.get(key(user, surface)) ?? {};
  const enter: Inputs['enter'] = (user, surface, found, entry) => {
    entries.set(key(user, surface), withEntry(entered(user, surface), found, entry));
  };
  return {
    entered,
    enter,
    begin(user, surface, blocks, channel) {
      for (const found of elementsOf(blocks)) {
        const entry = currentConversation(found.element, channel);
        if (entry) enter(user, surface, found, entry);
      }
    },
    keep(user, surface, blocks) {
      const before = entered(user, surface);
      let kept: Entries = {};
      for (const found of elementsOf(blocks)) {
        const entry = entryOf(before, found);
        if (entry) kept = withEntry(kept, found, entry);
      }
      entries.set(key(user, surface), kept);
    },
    offered: (user, surface, found) => offers.get(key(user, surface))?.get(element(found)) ?? [],
    offer: (user, surface, found, options) => {
      const known: Offers = offers.get(key(user, surface)) ?? new Map();
      offers.set(key(user, surface), known.set(element(found), options));
    },
    forget(user, surface) {
      entries.delete(key(user, surface));
      offers.delete(key(user, surface));
    },
    reset() {
      entries.clear();
      offers.clear();
    },
  };
}

/** An `initial_conversation` takes precedence (docs.slack.dev/reference/block-kit/block-elements/select-menu-element). */
function currentConversation(element: Fields, channel: string): Entry | undefined {
  const {
    type,
    default_to_current_conversation: isDefault,
    initial_conversation,
    initial_conversations,
  } = element;
  if (isDefault !== true || (initial_conversation ?? initial_conversations) !== undefined) return undefined;
  if (type === 'conversations_select') return { type, selected_conversation: channel };
  return type === 'multi_conversations_select' ? { type, selected_conversations: [channel] } : undefined;
}
