/** What the parts of the page share. */
import type { Actions } from './actions.ts';
import type { PageStore } from './state/store.ts';
import type { ViewerContext } from './types.ts';

export type Page = ViewerContext & {
  readonly store: PageStore;
  readonly actions: Actions;
  /** The message that a pane scrolls to as soon as it shows it. */
  readonly sought: { channel: string | null; thread: string | null };
  readonly announce: (words: string) => void;
  readonly go: (me: string, channel: string) => void;
  readonly openThread: (ts: string) => void;
  readonly readEarlier: () => Promise<void>;
  /** After something was done in the outside world. */
  readonly onOutside: (action: string) => void;
};
