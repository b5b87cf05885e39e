/** Parts for tests in which no window lets anything run. */
import { registry } from '../../../src/commands/index.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Dispatch } from '../../../src/slack/dispatch/dispatch-port.ts';
import {
  type ButtonActions,
  type ButtonActionsOptions,
  createButtonActions,
} from '../../../src/slack/interactions/button-actions.ts';
import type { DecisionWindowsOptions } from '../../../src/slack/interactions/decision-windows.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { View } from '../../../src/views/types.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb } from './fake-slack-web.ts';
import { noExternalChannels } from './open-access.ts';

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
    ...{ runText: answer, runCommand: answer, withdraw: answer, control: answer },
    ...{ openWindow: answer, submitWindow: answer },
  };
}

/** Buttons of which these parts are asked for; `answer` is what everything else comes to. */
export function buttonsWith(answer: View, given: Partial<ButtonActionsOptions>): ButtonActions {
  const { web = createFakeSlackWeb(() => START) } = given;
  return createButtonActions({
    registry,
    dispatch: dispatchAnswering(answer),
    requests: { ...noWindows, addReason: async () => ({ kind: 'absent' }) },
    pressed: noCopies,
    ports: { records: createFakeRecords({}) },
    inbox: { store: async () => undefined, handleWork: async () => ({ kind: 'done' }) },
    replies: createPrivateReplies({ web, log: silentLog }),
    readersOf: noExternalChannels,
    refreshNote: async () => answer,
    openForm: async () => null,
    wakeWorker: () => undefined,
    log: silentLog,
    web,
    ...given,
  });
}
