/** Each person's stack of modals, and their Home. */

import {
  type ElementInBlocks,
  type ElementState,
  elementStateOf,
  interactiveElements,
  type StateValues,
  withElementState,
} from '../blocks/elements.ts';
import type { Ids } from '../core/ids.ts';
import type { JsonObject } from '../core/json-object.ts';

/** docs.slack.dev/surfaces/modals */
export const MAX_VIEWS = 3;

export type SlackView = {
  readonly id: string;
  readonly user: string;
  readonly type: 'modal' | 'home';
  /** Changes with every update of the view. */
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** As the bot sent it, with generated ids for blocks and elements. */
  readonly content: JsonObject;
  readonly blocks: readonly JsonObject[];
};
export type SlackViewContent = Pick<SlackView, 'content' | 'blocks'>;

type NewView = Pick<SlackView, 'id' | 'user' | 'hash'>;
const newHome = ({ id, ...rest }: NewView, content: SlackViewContent): SlackView => ({
  ...rest,
  id,
  type: 'home',
  rootId: id,
  previousId: null,
  ...content,
});
function newModal(
  { id, ...rest }: NewView,
  content: SlackViewContent,
  below: readonly SlackView[],
): SlackView {
  return {
    ...rest,
    id,
    type: 'modal',
    rootId: below[0]?.id ?? id,
    previousId: below.at(-1)?.id ?? null,
    ...content,
  };
}

export type ViewStore = Readonly<ReturnType<typeof createViewStore>>;

export function createViewStore(ids: Ids, inputs: Pick<EnteredValueStore, 'keep' | 'forget'>) {
  const stacks = new Map<string, readonly SlackView[]>();
  const homes = new Map<string, SlackView>();
  /** A person's modals, lowest first. */
  const stack = (user: string) => stacks.get(user) ?? [];
  const all = () => [...stacks.values()].flat().concat([...homes.values()]);
  // Seconds and eight characters (slackapi/bolt-python, tests/scenario_tests/test_view_submission.py).
  const hash = () => `${ids.ts().slice(0, -'.000000'.length)}.${ids.next('').slice(-8)}`;

  const started = (user: string): NewView => ({ id: ids.next('V'), user, hash: hash() });

  /** Keeps the lowest `count` views; the entered values of the others are dropped. */
  const cut = (user: string, count: number) => {
    for (const { id } of stack(user).slice(count)) inputs.forget(user, id);
    stacks.set(user, stack(user).slice(0, count));
  };
  /** Puts a modal on top of the person's others. */
  const push = (user: string, content: SlackViewContent): SlackView => {
    const below = stack(user);
    const view = newModal(started(user), content, below);
    stacks.set(user, [...below, view]);
    return view;
  };
  const update = (view: SlackView, content: SlackViewContent): SlackView => {
    const updated: SlackView = { ...view, ...content, hash: hash() };
    inputs.keep(view.user, view.id, content.blocks);
    if (view.type === 'home') homes.set(view.user, updated);
    else
      stacks.set(
        view.user,
        stack(view.user).map((each) => (each.id === view.id ? updated : each)),
      );
    return updated;
  };

  return {
    get: (id: string) => all().find((view) => view.id === id),
    stack,
    home: (user: string) => homes.get(user),
    /** Opens a modal in place of all open ones. */
    open(user: string, content: SlackViewContent) {
      cut(user, 0);
      return push(user, content);
    },
    push,
    update,
    publish(user: string, content: SlackViewContent) {
      const known = homes.get(user);
      if (known) return update(known, content);
      const view = newHome(started(user), content);
      homes.set(user, view);
      return view;
    },
    /** Closes the view and those above it. */
    close(view: SlackView) {
      const at = stack(view.user).findIndex(({ id }) => id === view.id);
      if (at >= 0) cut(view.user, at);
    },
    clear: (user: string) => cut(user, 0),
    reset() {
      stacks.clear();
      homes.clear();
    },
  };
}

/** A view's id, or a message's channel and ts. */
type InputSurface = string;
export const messageSurface = (channel: string, ts: string): InputSurface => `${channel}/${ts}`;

export type EnteredValueStore = Readonly<ReturnType<typeof createEnteredValueStore>>;
type Offers = Map<string, readonly JsonObject[]>;

/** Each person's entered values, and the options that the bot offered them, per message or view. */
export function createEnteredValueStore() {
  const entries = new Map<string, StateValues>();
  const offers = new Map<string, Offers>();
  const key = (...parts: readonly string[]) => JSON.stringify(parts);
  const element = ({ blockId, actionId }: ElementInBlocks) => key(blockId, actionId);
  const entered = (user: string, surface: InputSurface) => entries.get(key(user, surface)) ?? {};
  const enter = (user: string, surface: InputSurface, found: ElementInBlocks, entry: ElementState) => {
    entries.set(key(user, surface), withElementState(entered(user, surface), found, entry));
  };
  return {
    entered,
    enter,
    /**
     * Keeps only the values of elements in these blocks: a value survives an update if its block_id and action_id stay
     * the same (docs.slack.dev/reference/views/modal-views).
     */
    keep(user: string, surface: InputSurface, blocks: readonly JsonObject[]) {
      const before = entered(user, surface);
      let stored: StateValues = {};
      for (const found of interactiveElements(blocks)) {
        const entry = elementStateOf(before, found);
        if (entry) stored = withElementState(stored, found, entry);
      }
      entries.set(key(user, surface), stored);
    },
    offered: (user: string, surface: InputSurface, found: ElementInBlocks) =>
      offers.get(key(user, surface))?.get(element(found)) ?? [],
    offer(user: string, surface: InputSurface, found: ElementInBlocks, options: readonly JsonObject[]) {
      const known: Offers = offers.get(key(user, surface)) ?? new Map();
      offers.set(key(user, surface), known.set(element(found), options));
    },
    forget(user: string, surface: InputSurface) {
      entries.delete(key(user, surface));
      offers.delete(key(user, surface));
    },
    reset() {
      entries.clear();
      offers.clear();
    },
  };
}
