/** Parts for tests in which no window lets anything run. */
import { registry } from '../../../src/commands/index.ts';
import { instant } from '../../../src/lib/clock.ts';
import { requestId, windowId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Dispatch } from '../../../src/slack/dispatch/dispatch-port.ts';
import {
  type ButtonActions,
  type ButtonActionsOptions,
  createButtonActions,
} from '../../../src/slack/interactions/button-actions.ts';
import type { DecisionWindowsOptions } from '../../../src/slack/interactions/decision-windows.ts';
import type { Inbox, Interaction } from '../../../src/slack/interactions/inbox.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { DecisionOutcome, View } from '../../../src/views/views.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { createFakeSlackWeb } from './fake-slack-web.ts';
import { noExternalChannels } from './open-access.ts';

export const noWindows: DecisionWindowsOptions['windows'] = {
  recordWindow: async () => undefined,
  window: async () => null,
};
/** A window that approves many devices. */
export const OPENED: Extract<DecisionOutcome, { kind: 'window' }> = {
  kind: 'window',
  id: windowId('w_1'),
  decides: { kind: 'approve', requestId: requestId('r_1'), seal: 'seal-1' },
  devices: 212,
  endsAt: instant(Date.UTC(2026, 5, 5, 4, 15)),
  request: aRolloutRequest(),
};
/** An inbox that acknowledges everything; `taken` gets each interaction, and how its answer would be shown. */
export const acknowledging = (
  taken: (interaction: Interaction, reply: (view: View) => Promise<void>) => void = () => undefined,
): Pick<Inbox, 'take'> => ({
  take: async ({ interaction, accept }) => {
    const reply = await accept();
    taken(interaction, reply ?? (async () => undefined));
    return true;
  },
});
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
    inbox: acknowledging(),
    replies: createPrivateReplies({ web, log: silentLog }),
    readersOf: noExternalChannels,
    refreshNote: async () => answer,
    openForm: async () => null,
    log: silentLog,
    web,
    ...given,
  });
}
