/** Each person's entered values, and the options that the bot offered them, per message or view. */

import {
  type ElementState,
  elementStateOf,
  type StateValues,
  withElementState,
} from '../blocks/element-state.ts';
import { type ElementInBlocks, interactiveElements } from '../blocks/find-elements.ts';
import type { JsonObject } from '../core/json-object.ts';

/** A view's id, or a message's channel and ts. */
export type InputSurface = string;
export const messageSurface = (channel: string, ts: string): InputSurface => `${channel}/${ts}`;

export type EnteredValueStore = {
  readonly entered: (user: string, surface: InputSurface) => StateValues;
  readonly enter: (user: string, surface: InputSurface, found: ElementInBlocks, entry: ElementState) => void;
  /**
   * Keeps only the values of elements in these blocks: a value survives an update if its block_id and action_id stay
   * the same (docs.slack.dev/reference/views/modal-views).
   */
  readonly keep: (user: string, surface: InputSurface, blocks: readonly JsonObject[]) => void;
  readonly offered: (user: string, surface: InputSurface, found: ElementInBlocks) => readonly JsonObject[];
  readonly offer: (
    user: string,
    surface: InputSurface,
    found: ElementInBlocks,
    options: readonly JsonObject[],
  ) => void;
  /** Drops all values of a surface that is gone. */
  readonly forget: (user: string, surface: InputSurface) => void;
  readonly reset: () => void;
};
type Offers = Map<string, readonly JsonObject[]>;

export function createEnteredValueStore(): EnteredValueStore {
  const entries = new Map<string, StateValues>();
  const offers = new Map<string, Offers>();
  const key = (...parts: readonly string[]) => JSON.stringify(parts);
  const element = ({ blockId, actionId }: ElementInBlocks) => key(blockId, actionId);
  const entered = (user: string, surface: InputSurface) => entries.get(key(user, surface)) ?? {};
  const enter: EnteredValueStore['enter'] = (user, surface, found, entry) => {
    entries.set(key(user, surface), withElementState(entered(user, surface), found, entry));
  };
  return {
    entered,
    enter,
    keep(user, surface, blocks) {
      const before = entered(user, surface);
      let stored: StateValues = {};
      for (const found of interactiveElements(blocks)) {
        const entry = elementStateOf(before, found);
        if (entry) stored = withElementState(stored, found, entry);
      }
      entries.set(key(user, surface), stored);
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
