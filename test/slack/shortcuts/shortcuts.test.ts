import { describe, expect, it } from 'vitest';
import type { ResolvedRole } from '../../../src/lib/access.ts';
import { channelId, deviceId, newReference, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { type CommandRequest, createInFlight } from '../../../src/slack/dispatch/dispatch-port.ts';
import type { FormPlacement, FormRequest } from '../../../src/slack/forms/open-form.ts';
import { createShortcuts } from '../../../src/slack/shortcuts/shortcuts.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView } from '../../../src/slack/web-api/slack-web.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import { writeButtonValue } from '../../../src/views/kit/buttons.ts';
import { type ButtonValue, renderView, type View } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice } from '../../harness/builders.ts';
import { aReadyTarget, someFacts } from '../../harness/records.ts';
import { aFillIn, withoutRecording } from '../harness/open-access.ts';

const CARD_REQUEST = requestId('a_1');
const DIRECT = channelId('D0ANN');
const SHOWN: SlackResult<ShownView> = { kind: 'ok', value: { id: 'V1', hash: 'h' } };
const CARD: View = { kind: 'device', device: aDevice({ name: 'the card' }), groupName: null };

type Parts = {
  readonly role?: ResolvedRole;
  readonly opened?: SlackResult<ShownView>;
  readonly updates?: readonly SlackResult<ShownView>[];
  /** The form's message where no window shows it. */
  readonly instead?: View;
};

function aPhone({
  role = { role: 'viewer', maybe: null },
  opened = SHOWN,
  updates = [],
  instead,
}: Parts = {}) {
  const ends = [...updates];
  const ran: CommandRequest[] = [];
  const shown: Modal[] = [];
  const notified: { readonly channel: string; readonly words: string }[] = [];
  const forms: { readonly where: FormPlacement; readonly asked: FormRequest }[] = [];
  const { ports } = testPorts({
    devices: [aDevice({ id: deviceId(1), name: 'web-01' }), aDevice({ id: deviceId(2), name: 'web-02' })],
  });
  const target = aReadyTarget(someFacts({ deviceId: deviceId(2) }));
  const use = createShortcuts({
    recordRefusal: withoutRecording,
    dispatch: {
      runCommand: async (order) => {
        ran.push(order);
        return CARD;
      },
    },
    inFlight: createInFlight(),
    people: { roleOf: async () => role },
    admins: () => [],
    ports,
    store: { targets: { of: async (request) => (request === CARD_REQUEST ? [target] : []) } },
    web: {
      showView: async ({ kind }, window) => {
        if (kind !== 'replace') return opened;
        shown.push(window);
        return ends.shift() ?? SHOWN;
      },
    },
    directs: { channelOf: async () => DIRECT, remember: () => undefined },
    openForm: async (where, requests) => {
      forms.push({ where, asked: requests });
      return instead ?? null;
    },
    reply:
      ({ channel }) =>
      async (view) => {
        notified.push({ channel, words: renderView(view).text });
      },
    log: silentLog,
  });
  const press = { user: { id: 'U0ANN' }, callback_id: 'act_on_device', trigger_id: 't1' };
  const on = (message: object) => use({ ...press, channel: { id: 'C1' }, message });
  return { ran, shown, told: notified, forms, use, on };
}

const withButton = (value: ButtonValue) => ({
  text: 'web-01 is mentioned',
  blocks: [{ type: 'actions', elements: [{ type: 'button', value: writeButtonValue(value) }] }],
});

describe('a shortcut on a message', () => {
  it.each<[string, object, number]>([
    ['a button about the device', withButton({ do: 'device', device: deviceId(2) }), 2],
    ['a button that runs something', withButton({ do: 'run', command: 'scan', input: { device: 2 } }), 2],
    ['buttons of a decision', withButton({ do: 'decide', approval: CARD_REQUEST, seal: 's' }), 2],
    ['a name in its text', { text: 'is web-01 slow?' }, 1],
    ['a name in its blocks', { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'web-02!' } }] }, 2],
    ['a number in an attachment of another app', { attachments: [{ text: 'device #1 down' }] }, 1],
  ])('shows the device of %s', async (_what, message, device) => {
    const { ran, shown, on } = aPhone();
    await on(message);
    expect(ran).toMatchObject([
      { name: 'device', input: { device }, caller: { person: 'U0ANN', channel: DIRECT } },
    ]);
    expect(JSON.stringify(shown)).toContain('the card');
  });

  it('lets one of several be chosen', async () => {
    const { ran, shown, on } = aPhone();
    await on({ text: 'web-01 and web-02' });
    expect(ran).toEqual([]);
    expect(JSON.stringify(shown)).toContain('This message mentions 2 devices. Which one?');
  });

  it('asks which one is meant where it finds none', async () => {
    const { forms, on } = aPhone();
    await on({ text: 'lunch?' });
    const prefill = { note: expect.stringContaining('names no device of the fleet') };
    const asked = { command: 'devices', prefill, inWindow: true };
    expect(forms).toMatchObject([{ where: { kind: 'replace', viewId: 'V1' }, asked }]);
  });

  it('says in words what Slack does not understand otherwise', async () => {
    const { shown, on } = aPhone({ updates: [{ kind: 'refused', error: 'invalid_arguments' }] });
    await on({ text: 'is web-01 slow?' });
    expect(shown).toHaveLength(2);
    expect(shown[1]?.blocks).toMatchObject([
      { type: 'section', text: { text: expect.stringContaining('the card') } },
    ]);
  });

  it('says in its window why there is no form', async () => {
    const reference = newReference();
    const problem = { kind: 'unexpected', changed: 'nothing', reference } as const;
    const { shown, on } = aPhone({ instead: { kind: 'problem', problem } });
    await on({ text: 'lunch?' });
    expect(JSON.stringify(shown)).toContain(reference);
  });

  it('tells nothing to somebody without a role', async () => {
    const { ran, shown, on } = aPhone({ role: { role: null, maybe: null } });
    await on(withButton({ do: 'device', device: deviceId(1) }));
    expect(ran).toEqual([]);
    expect(JSON.stringify(shown)).toContain('You need the');
  });

  it.each<[string, Parts]>([
    ['no window opens', { opened: { kind: 'refused', error: 'expired_trigger_id' } }],
    ['Slack is too busy to show it', { updates: [{ kind: 'throttled', retryAfterMs: 1_000 }] }],
    ['Slack does not say', { updates: [{ kind: 'uncertain', detail: 'HTTP 500', inFlight: false }] }],
  ])('is answered by a message where %s', async (_what, parts) => {
    const { told, on } = aPhone(parts);
    await on({ text: 'web-01' });
    expect(told).toEqual([{ channel: DIRECT, words: expect.stringContaining('the card') }]);
  });

  it('is not answered once its window was closed', async () => {
    const { told, on } = aPhone({ updates: [{ kind: 'refused', error: 'not_found' }] });
    await on({ text: 'web-01' });
    expect(told).toEqual([]);
  });

  it('that finds none and has no window is told how to go on', async () => {
    const instead = aFillIn('devices');
    const opened = { kind: 'refused', error: 'expired_trigger_id' } as const;
    const { told, forms, shown, on } = aPhone({ opened, instead });
    await on({ text: 'lunch?' });
    expect(forms).toMatchObject([{ where: { kind: 'open', triggerId: 't1' } }]);
    expect(shown).toEqual([]);
    expect(told).toEqual([
      { channel: DIRECT, words: expect.stringContaining('Couldn’t open the form for `devices`.') },
    ]);
  });
});

it('a shortcut from anywhere opens the form that finds a device, and answers in its window', async () => {
  const { forms, use } = aPhone();
  await use({ user: { id: 'U0ANN' }, callback_id: 'find_device', trigger_id: 't1' });
  const caller = { person: personId('U0ANN'), channel: DIRECT };
  expect(forms).toEqual([
    {
      where: { kind: 'replace', viewId: 'V1', depth: 1 },
      asked: { command: 'devices', prefill: {}, caller, inWindow: true },
    },
  ]);
});
