/** Modals, in a stack for each person, and the Home of each. */
import type { Ids } from '../ids.ts';
import type { Fields } from '../json.ts';
import type { Inputs } from './inputs.ts';

/** docs.slack.dev/surfaces/modals */
export const MOST_VIEWS = 3;

export type View = {
  readonly id: string;
  readonly user: string;
  readonly type: 'modal' | 'home';
  /** Changes with every change of the view. */
  readonly hash: string;
  readonly externalId: string | null;
  readonly rootId: string;
  readonly previousId: string | null;
  /** As the bot sent it, with ids on blocks and elements. */
  readonly content: Fields;
  readonly blocks: readonly Fields[];
};
export type ViewContent = Pick<View, 'content' | 'blocks' | 'externalId'>;

export type ViewStore = {
  readonly get: (id: string) => View | undefined;
  readonly byExternalId: (externalId: string) => View | undefined;
  /** A person's modals, lowest first. */
  readonly stack: (user: string) => readonly View[];
  readonly home: (user: string) => View | undefined;
  /** Opens a modal in place of whatever was open, for a person who looks at this conversation. */
  readonly open: (user: string, content: ViewContent, channel: string | null) => View;
  /** Puts a modal above the person's others. */
  readonly push: (user: string, content: ViewContent) => View;
  readonly update: (view: View, content: ViewContent) => View;
  readonly publish: (user: string, content: ViewContent) => View;
  /** Closes the view and those above it. */
  readonly close: (view: View) => void;
  readonly clear: (user: string) => void;
  readonly reset: () => void;
};

export function createViewStore(ids: Ids, inputs: Pick<Inputs, 'begin' | 'keep' | 'forget'>): ViewStore {
  const stacks = new Map<string, readonly View[]>();
  const homes = new Map<string, View>();
  const stack = (user: string) => stacks.get(user) ?? [];
  const all = () => [...stacks.values()].flat().concat([...homes.values()]);
  const hash = () => `${ids.ts()}.${ids.next('')}`;

  /** Leaves the lowest `count` open; what was entered into the others is gone with them. */
  const cut = (user: string, count: number) => {
    for (const { id } of stack(user).slice(count)) inputs.forget(user, id);
    stacks.set(user, stack(user).slice(0, count));
  };
  const push = (user: string, content: ViewContent): View => {
    const below = stack(user);
    const id = ids.next('V');
    const previousId = below.at(-1)?.id ?? null;
    const rootId = below[0]?.id ?? id;
    const view: View = { id, user, type: 'modal', hash: hash(), rootId, previousId, ...content };
    stacks.set(user, [...below, view]);
    return view;
  };
  const update = (view: View, content: ViewContent): View => {
    const updated: View = { ...view, ...content, hash: hash() };
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
    byExternalId: (externalId) => all().find((view) => view.externalId === externalId),
    stack,
    home: (user) => homes.get(user),
    open(user, content, channel) {
      cut(user, 0);
      const view = push(user, content);
      if (channel !== null) inputs.begin(user, view.id, view.blocks, channel);
      return view;
    },
    push,
    update,
    publish(user, content) {
      const known = homes.get(user);
      if (known) return update(known, content);
      const id = ids.next('V');
      const view: View = { id, user, type: 'home', hash: hash(), rootId: id, previousId: null, ...content };
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
