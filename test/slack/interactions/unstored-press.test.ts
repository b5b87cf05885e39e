/** Presses that the database does not store. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { createButtonActions } from '../../../src/slack/interactions/button-actions.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { writeButtonValue } from '../../../src/views/kit/button-value.ts';
import type { View } from '../../../src/views/model.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { dispatchAnswering, noCopies, noWindows } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const NOTHING: View = { kind: 'decided', outcome: { kind: 'absent' } };

/** The messages to the person who pressed. */
async function messagesAfter(thrown: Error): Promise<readonly string[]> {
  const said: string[] = [];
  const web = createFakeSlackWeb(() => START);
  const answer = async () => NOTHING;
  const { press } = createButtonActions({
    registry,
    dispatch: dispatchAnswering(NOTHING),
    requests: { ...noWindows, addReason: async () => ({ kind: 'absent' }) },
    pressed: noCopies,
    ports: { records: createFakeRecords({}) },
    inbox: { store: () => Promise.reject(thrown), handleWork: async () => ({ kind: 'done' }) },
    replies: createPrivateReplies({ web, log: silentLog }),
    readersOf: noExternalChannels,
    refreshNote: answer,
    openForm: async () => null,
    wakeWorker: () => said.push('kicked'),
    log: silentLog,
    web,
  });
  const value = writeButtonValue({ do: 'decide', approval: requestId('a_1'), seal: 's' });
  const payload = {
    user: { id: 'U0ANN' },
    channel: { id: 'C0APPROVALS' },
    container: { message_ts: '1.000001' },
    trigger_id: 't1',
    actions: [{ action_id: 'deny', value }],
  };
  await press(
    payload,
    async () => void said.push('acknowledged'),
    async (message) => {
      said.push(typeof message === 'string' ? message : (message.text ?? ''));
      return new Response('ok');
    },
  );
  return said;
}

describe('a press that could not be stored', () => {
  it('is answered so where the disk is full', async () => {
    const cause = new Error('full');
    expect(await messagesAfter(new NotStored('disk-full', 'DATABASE_URL', cause))).toEqual([
      'acknowledged',
      expect.stringMatching(
        /^The disk is full, so Patchbay couldn’t save this\. Nothing was changed\.\nTell whoever runs Patchbay\./,
      ),
    ]);
  });

  it('may have done something where the database did not answer', async () => {
    const [acknowledged, words] = await messagesAfter(new Error('no answer'));
    expect(acknowledged).toBe('acknowledged');
    expect(words).not.toContain('Nothing was changed');
    expect(words).not.toBe('');
  });
});
