/**
 * One log line per request or decision of a person: who, what, about which things, how it ended and how long it took.
 * Ids only: no reasons, no names, no typed text.
 */
import { wallNow } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { rowOf, type View } from '../../views/views.ts';

export type LoggedAction = {
  readonly event: 'command' | 'decision';
  /** The name of a command, or the decision. */
  readonly what: string;
  readonly person: PersonId;
};

/** Call it at the start, and the returned function with the answer. */
export function createCommandLog(log: Log) {
  return (action: LoggedAction): ((view: View) => void) => {
    const began = wallNow();
    return (view) => {
      const innerView = innermostView(view);
      const line = {
        ...action,
        outcome: innerView.kind,
        ...rowOf(innerView).log?.(innerView),
        ms: wallNow() - began,
      };
      log.info(line, action.event === 'decision' ? 'decision handled' : 'command handled');
    };
  };
}

function innermostView(view: View): View {
  return 'view' in view && view.view !== null ? innermostView(view.view) : view;
}
