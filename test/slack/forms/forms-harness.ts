/** Forms of a read and a write command, with a Slack that records its calls. */
import {
  type CommandForm,
  createRegistry,
  type ReadCommand,
  type WriteCommand,
} from '../../../src/commands/core/command.ts';
import type { ResolvedRole } from '../../../src/lib/access.ts';
import { type Instant, later, MINUTE, type MovableClock } from '../../../src/lib/clock.ts';
import { channelId, organizationId, personId, requestId } from '../../../src/lib/ids.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import {
  type CommandRequest,
  createInFlight,
  type Dispatch,
} from '../../../src/slack/dispatch/dispatch-port.ts';
import { createFormMark } from '../../../src/slack/forms/form-payloads.ts';
import { createForms } from '../../../src/slack/forms/forms.ts';
import { createInbox, type Inbox, type InboxOptions } from '../../../src/slack/interactions/inbox.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { ClaimedWork } from '../../../src/store/port/work-records.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import type { FormView } from '../../../src/views/models/form-model.ts';
import type { View } from '../../../src/views/views.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { dispatchAnswering, noCopies } from '../harness/decision-windows.ts';
import { withoutRecording } from '../harness/open-access.ts';

export const ANN = personId('U0ANN');
export const caller = { person: ANN, channel: channelId('C0OPS') };
const OPERATOR: ResolvedRole = { role: 'operator', maybe: null };
export const NOBODY: ResolvedRole = { role: null, maybe: null };
export const UNKNOWN: ResolvedRole = { role: null, maybe: 'admin' };
export const ANSWER: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'web-01' } };

export const STARTED: View = {
  kind: 'started',
  requestId: requestId('r_1'),
  action: { kind: 'scan' },
  names: ['web-01'],
  link: null,
};

const HEAD = { usage: 'x', summary: 'x', examples: [], parse: () => ({ kind: 'input', input: {} }) as const };

export type Parts = {
  readonly role?: ResolvedRole;
  readonly form?: Partial<CommandForm>;
  readonly opened?: SlackResult<ShownView>;
  readonly redrawn?: readonly SlackResult<ShownView>[];
  readonly stores?: () => Promise<void>;
  readonly answer?: View;
  readonly update?: SlackResult<ShownView>;
};

const shownAs = (id: string, hash: string) => ({ kind: 'ok', value: { id, hash } }) as const;

/** `opened`, `redrawn` and `update` are Slack's answers to those calls. */
export function createFormsHarness({
  role = OPERATOR,
  form: given = {},
  opened,
  redrawn = [],
  stores,
  ...ends
}: Parts = {}) {
  const { answer = ANSWER, update = shownAs('V1', 'h') } = ends;
  const calls: string[] = [];
  const windows: Modal[] = [];
  const handled: Promise<void>[] = [];
  const ran: CommandRequest[] = [];
  const notified: View[] = [];
  const whispered: string[] = [];
  const kept = createFakeWorkStore(stores);
  /** The answer to the next command. */
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
  const formOf = (command: string): CommandForm => ({
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
    permission: 'read',
    form: formOf('look'),
    run: async () => ANSWER,
  };
  const act: WriteCommand = {
    ...HEAD,
    name: 'act',
    kind: 'write',
    inputOf: (input) => input,
    form: formOf('act'),
    plan: async () => ({ kind: 'view', view: ANSWER }),
  };
  const redraws = [...redrawn];
  const call = <T>(name: string, window: Modal, end: SlackResult<T>) => {
    calls.push(name);
    windows.push(window);
    return Promise.resolve(end);
  };
  const { ports, clock } = testPorts({
    devices: [aDevice({ name: 'web-01' })],
    groups: [aGroup({ name: 'x'.repeat(100) })],
  });
  const web: Pick<SlackWeb, 'showView'> = {
    showView: (where, window) => {
      if (where.kind === 'replace') {
        const { viewId: id, hash } = where;
        if (hash === undefined) return call(`update ${id}`, window, update);
        return call(`redraw ${id} at ${hash}`, window, redraws.shift() ?? shownAs(id, 'h9'));
      }
      const shown = shownAs(where.kind === 'push' ? 'V2' : 'V1', 'h');
      return call(`${where.kind} ${where.triggerId}`, window, opened ?? shown);
    },
  };
  const registry = createRegistry(() => [look, act]);
  const dispatch: Pick<Dispatch, 'runCommand'> = {
    runCommand: async (order) => {
      ran.push(order);
      return coming;
    },
  };
  const inbox = createInbox({
    ...{ registry, clock, web, store: { work: kept.work }, log: silentLog },
    dispatch: { ...dispatchAnswering(answer), ...dispatch },
    pressed: noCopies,
    replies: {
      sendEphemeral: async (_caller, { text }) => void whispered.push(text),
      sendDirect: async () => true,
    },
    wakeWorker: () => void calls.push('kick'),
  });
  const forms = createForms({
    recordRefusal: withoutRecording,
    formMark: FORM_MARK,
    registry,
    ports,
    people: { roleOf: async () => role, knownRoleOf: () => role, ...NO_GROUPS },
    settings: createFakeSettings(),
    admins: () => [],
    inFlight: createInFlight(),
    root: '/fleet',
    dispatch,
    inbox,
    reply: () => async (one) => void notified.push(one),
    web,
    log: silentLog,
  });
  /** Delivers the answers to stored and to read submissions. */
  const answers = async (view?: View) => {
    coming = view ?? coming;
    // Retries are due within that time, too.
    await kept.workOff(inbox, { clock, ms: 10 * MINUTE });
    await Promise.all(handled);
  };
  return { forms, ports, calls, windows, kept, handled, ran, told: notified, whispered, answers };
}

export const FORM_MARK = createFormMark(secret('xapp-1'));

/** A press in the form, or its submission, with this name entered. */
export const at = (command: string, name: string, hash = 'h1', order: object = {}) => ({
  user: { id: ANN },
  trigger_id: 't2',
  view: {
    id: 'V1',
    hash,
    callback_id: 'form',
    private_metadata: FORM_MARK.sign(
      JSON.stringify({ command, context: null, channel: caller.channel, ...order }),
      ANN,
    ),
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

export const wordsOf = (windows: readonly Modal[]) => JSON.stringify(windows.map(({ blocks }) => blocks));

/** Stored interactions in memory; the real store has its own tests. */
type Row = { readonly payload: string; dueAt: Instant; attempts: number };

/** `stores` rejects where nothing can be stored. */
function createFakeWorkStore(stores: () => Promise<void> = async () => undefined) {
  const rows = new Map<string, Row>();
  const read = (key: string): unknown => JSON.parse(rows.get(key)?.payload ?? 'null');
  const work: InboxOptions['store']['work'] = {
    async insert({ key, dueAt, payload }) {
      await stores();
      if (rows.has(key)) return 'exists';
      rows.set(key, { payload: JSON.stringify(payload), dueAt, attempts: 0 });
      return 'inserted';
    },
    async put({ key, dueAt, payload }) {
      rows.set(key, { payload: JSON.stringify(payload), dueAt, attempts: rows.get(key)?.attempts ?? 0 });
    },
    async hasten(_kind, key, dueAt) {
      const row = rows.get(key);
      if (row !== undefined && row.dueAt > dueAt) row.dueAt = dueAt;
    },
  };
  const claim = (key: string, row: Row): ClaimedWork => {
    row.attempts += 1;
    const payload: unknown = JSON.parse(row.payload);
    const { dueAt, attempts } = row;
    const organization = organizationId(1);
    return {
      organizationId: organization,
      kind: 'inbox',
      key,
      dueAt,
      payload,
      attempts: attempts - 1,
      token: 't',
    };
  };

  /** Handles, as the worker does, everything due within `ms`, each at its time: the clock moves along. */
  const workOff = async (
    { handleWork: handle }: Pick<Inbox, 'handleWork'>,
    { clock, ms }: { readonly clock: MovableClock; readonly ms: number },
  ): Promise<void> => {
    const until = later(clock.now(), ms);
    for (;;) {
      const [next] = [...rows].toSorted(([, one], [, other]) => one.dueAt - other.dueAt);
      if (next === undefined || next[1].dueAt > until) return;
      const [key, row] = next;
      await clock.advance(row.dueAt - clock.now());
      const result = await handle(claim(key, row));
      if (result.kind === 'again') row.dueAt = result.dueAt;
      // Work that was enqueued again meanwhile stays for its new time.
      else if (rows.get(key) === row) rows.delete(key);
    }
  };
  return { work, workOff, keys: () => [...rows.keys()], read };
}
