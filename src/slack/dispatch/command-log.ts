/**
 * One log line per request or decision of a person: who, what, about which things, how it ended and how long it took.
 * Ids only: no reasons, no names, no typed text.
 */
import { wallNow } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { View } from '../../views/model.ts';

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
        outcome: loggedOutcome(innerView),
        ...loggedSubject(innerView),
        ms: wallNow() - began,
      };
      log.info(line, action.event === 'decision' ? 'decision handled' : 'command handled');
    };
  };
}

function innermostView(view: View): View {
  const isAround = ['shareable', 'expanded', 'requested-again'].includes(view.kind);
  return isAround && 'view' in view && view.view !== null ? innermostView(view.view) : view;
}

function loggedOutcome(view: View): string {
  switch (view.kind) {
    case 'problem':
      return view.problem.kind;
    case 'decided':
      return view.outcome.kind;
    default:
      return view.kind;
  }
}

/** What the command was about, as far as the answer carries an id. */
function loggedSubject(view: View): Readonly<Record<string, string | number>> {
  switch (view.kind) {
    case 'asked':
      return { request: view.request.id };
    case 'started':
      return { request: view.requestId };
    case 'decided':
      return 'request' in view.outcome ? { request: view.outcome.request.id } : {};
    case 'device':
      return { device: view.device.id };
    case 'problem':
      return 'reference' in view.problem ? { reference: view.problem.reference } : {};
    default:
      return {};
  }
}
