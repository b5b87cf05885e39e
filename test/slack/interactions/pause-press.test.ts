/** The button that answers whether to pause all changes. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createButtonActions } from '../../../src/slack/interactions/button-actions.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/render.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { renderedButtons } from '../../views/rendered-text.ts';
import { dispatchAnswering, noCopies, noWindows } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const NOTHING: View = { kind: 'pause', what: 'none' };

/** How the answer to the press is shown. */
async function answered(container: Readonly<Record<string, unknown>>, channel: string): Promise<unknown> {
  const taken: unknown[] = [];
  const web = createFakeSlackWeb(() => START);
  const answer = async () => NOTHING;
  const { press } = createButtonActions({
    registry,
    dispatch: dispatchAnswering(NOTHING),
    requests: { ...noWindows, addReason: async () => ({ kind: 'absent' }) },
    pressed: noCopies,
    ports: { records: createFakeRecords({}) },
    inbox: {
      store: async (_press, _trigger, _reply, options) => void taken.push(options),
      handleWork: async () => ({ kind: 'done' }),
    },
    replies: createPrivateReplies({ web, log: silentLog }),
    readersOf: noExternalChannels,
    refreshNote: answer,
    openForm: async () => null,
    wakeWorker: () => {},
    log: silentLog,
    web,
  });
  const requests = renderedButtons(renderView({ kind: 'pause', what: 'ask' }));
  const actions = requests
    .filter(({ action }) => action === 'pause')
    .map(({ action, value }) => ({ action_id: action, value }));
  await press(
    { user: { id: 'U0ANN' }, channel: { id: channel }, container, trigger_id: 't1', actions },
    async () => {},
    async () => new Response('ok'),
  );
  return taken[0];
}

describe('the answer to a press that pauses all changes', () => {
  it.each([
    ['a private message', { is_ephemeral: true, message_ts: '1.000001' }, 'C0OPS'],
    ['a direct message', { message_ts: '1.000001' }, 'D0ANN'],
  ])('takes the place of the question in %s', async (_where, container, channel) => {
    expect(await answered(container, channel)).toEqual({ replace: true });
  });
});
