/**
 * One line of the log for everything that a person asked for or decided: who, what, about which things, how it ended
 * and how long it took. Ids only: neither reasons nor names nor what was typed.
 */
import { wallNow } from '../clock.ts';
import type { PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { View } from '../views/model.ts';

export type Asked = {
  readonly event: 'command' | 'decision';
  /** The name of a command of ours, or the decision. */
  readonly what: string;
  readonly person: PersonId;
};

/** To be called when it begins; what it gives is called with the answer. */
export function createCommandLog(log: Log) {
  return (asked: Asked): ((view: View) => void) => {
    const began = wallNow();
    return (view) => {
      const shown = innermost(view);
      const line = { ...asked, outcome: outcomeOf(shown), ...subjectOf(shown), ms: wallNow() - began };
      log.info(line, asked.event === 'decision' ? 'decision handled' : 'command handled');
    };
  };
}

function innermost(view: View): View {
  const isAround = ['shareable', 'expanded', 'requested-again'].includes(view.kind);
  return isAround && 'view' in view && view.view !== null ? innermost(view.view) : view;
}

function outcomeOf(view: View): string {
  switch (view.kind) {
    case 'problem':
      return view.problem.kind;
    case 'decided':
      return view.outcome.kind;
    default:
      return view.kind;
  }
}

/** What it was about, as far as the answer has an id. */
function subjectOf(view: View): Readonly<Record<string, string | number>> {
  switch (view.kind) {
    case 'asked':
      return { approval: view.approval.id };
    case 'started':
      return { operation: view.operationId };
    case 'decided':
      return 'approval' in view.outcome ? { approval: view.outcome.approval.id } : {};
    case 'device':
      return { device: view.device.id };
    case 'problem':
      return 'reference' in view.problem ? { reference: view.problem.reference } : {};
    default:
      return {};
  }
}
