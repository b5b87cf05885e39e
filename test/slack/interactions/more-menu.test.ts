/** The menu of a device's card: its pages replace the card, and its form opens on top. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createButtonActions } from '../../../src/slack/interactions/button-actions.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { writeButtonValue } from '../../../src/views/kit/button-value.ts';
import type { ButtonValue, View } from '../../../src/views/model.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { noCopies, noWindows } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const DEVICE = deviceId(4_001);
const CARD: View = { kind: 'device', device: aDevice(), groupName: null };
const PROBLEM: View = { kind: 'problem', problem: { kind: 'no-such-device', query: 'web-01', nearest: [] } };
const PRIVATE = { is_ephemeral: true, message_ts: '1.000001' };
const SHARED = { message_ts: '1.000001' };
const HARDWARE: ButtonValue = { do: 'device', device: DEVICE, page: 'hardware' };
const EDIT: ButtonValue = { do: 'form', command: 'device-edit', input: { device: DEVICE } };

/** The requests, the opened forms, and whether each answer replaces the message. */
async function pressed(element: object, container: object, view = CARD) {
  const asked: unknown[] = [];
  const forms: unknown[] = [];
  const answers: unknown[] = [];
  const web = createFakeSlackWeb(() => START);
  const none = async () => CARD;
  const { press } = createButtonActions({
    registry,
    dispatch: {
      runText: none,
      runCommand: async ({ name, input }) => {
        asked.push([name, input]);
        return view;
      },
      requestAgain: none,
      decide: none,
      control: none,
      openWindow: none,
      submitWindow: none,
    },
    requests: { ...noWindows, addReason: async () => ({ kind: 'absent' }) },
    pressed: noCopies,
    ports: { records: createFakeRecords({}) },
    inbox: { store: async () => undefined, handleWork: async () => ({ kind: 'done' }) },
    replies: createPrivateReplies({ web, log: silentLog }),
    readersOf: noExternalChannels,
    refreshNote: none,
    openForm: async (_where, { command, prefill }) => {
      forms.push([command, prefill]);
      return null;
    },
    wakeWorker: () => {},
    log: silentLog,
    web,
  });
  const payload = { user: { id: 'U0ANN' }, channel: { id: 'C0OPS' }, container, trigger_id: 't1' };
  await press(
    { ...payload, actions: [element] },
    async () => {},
    async (message) => {
      answers.push(typeof message === 'string' ? message : message.replace_original);
      return new Response('ok');
    },
  );
  return { asked, forms, answers };
}

const chosen = (value: ButtonValue) => ({
  action_id: 'more',
  selected_option: { value: writeButtonValue(value) ?? '' },
});

describe('an option of the menu', () => {
  it('that is a page takes the place of the card', async () => {
    expect(await pressed(chosen(HARDWARE), PRIVATE)).toEqual({
      asked: [['device', { device: 4_001, page: 'hardware' }]],
      forms: [],
      answers: [true],
    });
  });

  it('that is a page is answered beside a card that others see', async () => {
    expect((await pressed(chosen(HARDWARE), SHARED)).answers).toEqual([false]);
  });

  it('that is the form opens it, and leaves nothing chosen on the card', async () => {
    const opened = [['device-edit', { device: 4_001 }]];
    expect(await pressed(chosen(EDIT), PRIVATE)).toEqual({
      asked: [['device', { device: 4_001 }]],
      forms: opened,
      answers: [true],
    });
    expect(await pressed(chosen(EDIT), SHARED)).toEqual({ asked: [], forms: opened, answers: [] });
  });

  it('that is the form leaves the card as it is where it cannot be read again', async () => {
    expect((await pressed(chosen(EDIT), PRIVATE, PROBLEM)).answers).toEqual([]);
  });
});

describe('a button of a card that was posted before', () => {
  const run = (value: ButtonValue, action_id: string) => ({
    action_id,
    value: writeButtonValue(value) ?? '',
  });

  it('shows its page', async () => {
    const input = { device: DEVICE, page: 'volumes' };
    const button = run({ do: 'run', command: 'device', input }, 'page:volumes');
    expect(await pressed(button, PRIVATE)).toMatchObject({ asked: [['device', input]], answers: [true] });
  });

  it('opens the form', async () => {
    expect(await pressed(run(EDIT, 'form'), PRIVATE)).toMatchObject({
      forms: [['device-edit', { device: 4_001 }]],
      answers: [],
    });
  });
});
