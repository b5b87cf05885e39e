/** Each person's stack of modals, and their Home. */
import type { Ids } from '../core/ids.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { EnteredValueStore } from './entered-values.ts';

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
/** A modal on top of the others. */
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

export type ViewStore = {
  readonly get: (id: string) => SlackView | undefined;
  /** A person's modals, lowest first. */
  readonly stack: (user: string) => readonly SlackView[];
  readonly home: (user: string) => SlackView | undefined;
  /** Opens a modal in place of all open ones. */
  readonly open: (user: string, content: SlackViewContent) => SlackView;
  /** Puts a modal on top of the person's others. */
  readonly push: (user: string, content: SlackViewContent) => SlackView;
  readonly update: (view: SlackView, content: SlackViewContent) => SlackView;
  readonly publish: (user: string, content: SlackViewContent) => SlackView;
  /** Closes the view and those above it. */
  readonly close: (view: SlackView) => void;
  readonly clear: (user: string) => void;
  readonly reset: () => void;
};

export function createViewStore(ids: Ids, inputs: Pick<EnteredValueStore, 'keep' | 'forget'>): ViewStore {
  const stacks = new Map<string, readonly SlackView[]>();
  const homes = new Map<string, SlackView>();
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
    get: (id) => all().find((view) => view.id === id),
    stack,
    home: (user) => homes.get(user),
    open(user, content) {
      cut(user, 0);
      return push(user, content);
    },
    push,
    update,
    publish(user, content) {
      const known = homes.get(user);
      if (known) return update(known, content);
      const view = newHome(started(user), content);
      homes.set(user, view);
      return view;
    },
    close(view) {
      const at = stack(view.user).findIndex(({ id }) => id === view.id);
      if (at >= 0) cut(view.user, at);
    },
    clear: (user) => cut(user, 0),
    reset() {
      stacks.clear();
      homes.clear();
    },
  };
}
