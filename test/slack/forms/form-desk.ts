/** Forms of a command that looks and of one that changes something, over a Slack that remembers its calls. */

import type { Standing } from '../../../src/access.ts';
import { MINUTE } from '../../../src/clock.ts';
import type { ReadCommand, WriteCommand } from '../../../src/commands/command.ts';
import type { Form } from '../../../src/commands/forms/form.ts';
import { createRegistry } from '../../../src/commands/registry.ts';
import { channelId, operationId, personId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import type { CommandOrder } from '../../../src/slack/dispatch.ts';
import type { Asked } from '../../../src/slack/faults.ts';
import { createForms } from '../../../src/slack/forms/forms.ts';
import { createInFlight } from '../../../src/slack/in-flight.ts';
import type { Modal } from '../../../src/slack/web.ts';
import type { View } from '../../../src/views/model.ts';
import type { FormView } from '../../../src/views/models/form-model.ts';
import { createFakeSettings } from '../../commands/fake-settings.ts';
import { testPorts } from '../../commands/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { unnoted } from '../doors.ts';
import { createFakeWork } from './fake-work.ts';

export const ANN = personId('U0ANN');
export const caller = { person: ANN, channel: channelId('C0OPS') };
const OPERATOR: Standing = { role: 'operator', maybe: null };
export const NOBODY: Standing = { role: null, maybe: null };
export const UNKNOWN: Standing = { role: null, maybe: 'admin' };
export const ANSWER: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'web-01' } };

export const STARTED: View = {
  kind: 'started',
  operationId: operationId('o_1'),
  command: { kind: 'scan' },
  names: ['web-01'],
  link: null,
};

const HEAD = { usage: 'x', summary: 'x', examples: [], parse: () => ({ kind: 'input', input: {} }) as const };

export type Parts = {
  readonly role?: Standing;
  readonly form?: Partial<Form>;
  readonly opened?: Asked<string>;
  readonly redrawn?: readonly Asked<string>[];
  readonly stores?: () => Promise<void>;
  readonly answer?: View;
  readonly update?: Asked<null>;
};

/** `opened`, `redrawn` and `update` are how Slack takes those calls. */
export function aDesk({
  role = OPERATOR,
  form: given = {},
  opened,
  redrawn = [],
  stores,
  ...ends
}: Parts = {}) {
  const { answer = ANSWER, update = { kind: 'ok', value: null } } = ends;
  const calls: string[] = [];
  const windows: Modal[] = [];
  const handled: Promise<void>[] = [];
  const ran: CommandOrder[] = [];
  const told: View[] = [];
  const whispered: string[] = [];
  const kept = createFakeWork(stores);
  /** What comes of the next command. */
  let coming = answer;
  const view = (command: string, words: string): FormView => ({
    command,
    title: 'Title',
    submit: 'Go',
    fields: [
      { kind: 'words', text: words },
      { kind: 'text', id: 'name', label: 'Name', initial: '', most: 10, live: true },
    ],
    context: null,
  });
  const formOf = (command: string): Form => ({
    open: async (known) => ({ kind: 'form', form: view(command, `open ${JSON.stringify(known)}`) }),
    redraw: async (values) => ({ kind: 'form', form: view(command, `now ${values.get('name')}`) }),
    read: (values) =>
      values.get('name')?.length === 0
        ? { kind: 'errors', errors: { name: 'Give a name.' } }
        : { kind: 'input', input: { name: values.get('name') } },
    ...given,
  });
  const look: ReadCommand = {
    ...HEAD,
    name: 'look',
    kind: 'read',
    open: false,
    need: 'read',
    form: formOf('look'),
    run: async () => ANSWER,
  };
  const act: WriteCommand = {
    ...HEAD,
    name: 'act',
    kind: 'write',
    form: formOf('act'),
    plan: async () => ({ kind: 'view', view: ANSWER }),
  };
  const redraws = [...redrawn];
  const call = <T>(name: string, window: Modal, end: Asked<T>) => {
    calls.push(name);
    windows.push(window);
    return Promise.resolve(end);
  };
  const { ports, clock } = testPorts({
    devices: [aDevice({ name: 'web-01' })],
    groups: [aGroup({ name: 'x'.repeat(100) })],
  });
  const forms = createForms({
    noted: unnoted,
    registry: createRegistry([look, act]),
    ports,
    people: { roleOf: async () => role, knownRoleOf: () => role },
    settings: createFakeSettings(),
    admins: [],
    inFlight: createInFlight(),
    root: '/fleet',
    dispatch: {
      command: async (order) => {
        ran.push(order);
        return coming;
      },
    },
    store: { work: kept.work },
    whisper: async (_caller, { text }) => void whispered.push(text),
    direct: async () => true,
    tell: () => async (one) => void told.push(one),
    web: {
      openView: (id, window) => call(`open ${id}`, window, opened ?? { kind: 'ok', value: 'V1' }),
      pushView: (id, window) => call(`push ${id}`, window, opened ?? { kind: 'ok', value: 'V2' }),
      updateView: (id, window) => call(`update ${id}`, window, update),
      redrawView: (id, window, hash) =>
        call(`redraw ${id} at ${hash}`, window, redraws.shift() ?? { kind: 'ok', value: 'h9' }),
    },
    kick: () => void calls.push('kick'),
    log: silentLog,
  });
  /** The answers come: to what was stored, and to what only looks. */
  const answers = async (view?: View) => {
    coming = view ?? coming;
    // What is tried again falls due in that time, too.
    await kept.workOff(forms, { clock, ms: 10 * MINUTE });
    await Promise.all(handled);
  };
  return { forms, ports, calls, windows, kept, handled, ran, told, whispered, answers };
}

/** A press in the form, or its submission, with this name entered. */
export const at = (command: string, name: string, hash = 'h1', order: object = {}) => ({
  user: { id: ANN },
  trigger_id: 't2',
  view: {
    id: 'V1',
    hash,
    callback_id: 'form',
    private_metadata: JSON.stringify({ command, context: null, channel: caller.channel, ...order }),
    root_view_id: 'V1',
    previous_view_id: null,
    title: { type: 'plain_text', text: 'Title', emoji: false },
    submit: { type: 'plain_text', text: 'Go', emoji: false },
    close: { type: 'plain_text', text: 'Cancel', emoji: false },
    blocks: [
      {
        type: 'input',
        block_id: 'name',
        label: { type: 'plain_text', text: 'Name', emoji: false },
        element: { type: 'plain_text_input', action_id: 'field', initial_value: 'as drawn' },
      },
    ],
    state: { values: { name: { field: { type: 'plain_text_input', value: name === '' ? null : name } } } },
  },
});

/** Everything that stands in these windows. */
export const wordsOf = (windows: readonly Modal[]) => JSON.stringify(windows.map(({ blocks }) => blocks));
