/** Parts for tests in which no window lets anything run. */
import type { Dispatch } from '../../../src/slack/dispatch/dispatch-port.ts';
import type { DecisionWindowsOptions } from '../../../src/slack/interactions/decision-windows.ts';
import type { View } from '../../../src/views/model.ts';

export const noWindows: DecisionWindowsOptions['windows'] = {
  recordWindow: async () => undefined,
  window: async () => null,
};
/** Every card is the one that was pressed. */
export const noCopies: DecisionWindowsOptions['pressed'] = { answerForCopy: async () => null };

/** Answers everything with this view. */
export function dispatchAnswering(view: View): Dispatch {
  const answer = async () => view;
  return {
    ...{ runText: answer, runCommand: answer, requestAgain: answer },
    ...{ decide: answer, control: answer, openWindow: answer, submitWindow: answer },
  };
}
