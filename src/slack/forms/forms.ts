/** Joins the parts of forms: opening, live changes, searching menus, submission. */
import { z } from 'zod';
import type { Command, FormValues, Registry, SharedPorts } from '../../commands/core/command.ts';
import { requiredPermission } from '../../commands/core/reader-rights.ts';
import type { SettingsPort } from '../../commands/core/settings-port.ts';
import { formOf } from '../../commands/forms/pressed-form.ts';
import { timeAtEnd } from '../../commands/parser/time-words.ts';
import type { Inventory, Suggestion } from '../../inventory/inventory.ts';
import { decideAccess, type Role } from '../../lib/access.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { quoteStructure } from '../../lib/text.ts';
import {
  ALREADY_SENT_TEXT,
  blocksWithError,
  formErrorText,
  plainProblem,
} from '../../views/forms/form-error-text.ts';
import type { FormMetadata } from '../../views/forms/form-window.ts';
import { acceptedWindow, type Modal, textWindow } from '../../views/kit/answer-window.ts';
import { carriedValue, type MenuOption } from '../../views/kit/blocks.ts';
import { plainText } from '../../views/kit/escape.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import type { FormOption, SearchedKind } from '../../views/models/form-model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { View } from '../../views/views.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import {
  createPermissions,
  createPersonalDataAccess,
  maySeePersonalCached,
  type PermissionsOptions,
} from '../access/permissions.ts';
import type { CachedRoleLookup, RoleLookup } from '../access/role-lookup.ts';
import type { InFlight } from '../dispatch/dispatch-port.ts';
import { createErrorReporter } from '../dispatch/unexpected-errors.ts';
import type { Inbox } from '../interactions/inbox.ts';
import {
  type AcknowledgeForm,
  type CommandSource,
  type FormAckResponse,
  isWindowClosed,
  type SendReply,
} from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import {
  type FormMark,
  type FormState,
  isFormPayload,
  readFormState,
  readOptionsQuery,
} from './form-payloads.ts';
import {
  answerWindowStateOf,
  createReadSubmissions,
  type ReadSubmission,
  type ReadSubmissionOptions,
} from './form-submissions.ts';
import { createFormWindows, type FormWindows } from './open-form.ts';

export type Forms = Readonly<ReturnType<typeof createForms>>;

export type FormsOptions = Omit<FormSubmitOptions, 'people' | 'onSubmitted'> &
  Pick<PermissionsOptions, 'admins'> & {
    readonly people: RoleLookup & CachedRoleLookup;
    readonly inFlight: Pick<InFlight, 'untilRestart'>;
    readonly ports: SharedPorts;
    /** The lowest role that sees personal data in private; absent: everybody who may read. */
    readonly personalFrom?: Role;
    readonly settings: SettingsPort;
    readonly recordRefusal: AccessRefusals['recordRefusal'];
    readonly formMark: FormMark;
    readonly web: Pick<SlackWeb, 'showView'>;
    readonly root: string;
    readonly log: Log;
  };

export function createForms(options: FormsOptions) {
  const { ports, dispatch, inFlight } = options;
  const windows = createFormWindows({
    ...options,
    rights: createPermissions(options),
    personal: createPersonalDataAccess(options),
  });
  const change = createFormRefresh({ ...options, windows });
  return {
    open: windows.open,
    isFormPayload: isFormPayload,
    onPress: change.onChange,
    onSubmit: createFormSubmit({
      ...options,
      dispatch: { runCommand: (order) => inFlight.untilRestart(() => dispatch.runCommand(order)) },
      onSubmitted: change.onSubmitted,
    }),
    onOptions: createMenuOptions({ ...options, inventory: ports.inventory }),
  };
}

type FormRefreshOptions = {
  readonly formMark: FormMark;
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly root: string;
  readonly windows: Pick<FormWindows, 'render'>;
  readonly web: Pick<SlackWeb, 'showView'>;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** Windows whose changes are remembered: more than people have open. */
const MAX_REMEMBERED = 1_000;

type WindowState = {
  changes: number;
  /** The hash that the person's client has, and the one after our last update. */
  rendered: { readonly from: string; readonly to: string } | null;
  submittedHash: string | null;
};

function createFormRefresh(options: FormRefreshOptions) {
  const { registry, ports, root, windows, web, reply, log } = options;
  const states = new Map<string, WindowState>();

  const stateOf = (viewId: string): WindowState => {
    const state = states.get(viewId) ?? { changes: 0, rendered: null, submittedHash: null };
    setNewest(states, viewId, state, MAX_REMEMBERED);
    return state;
  };

  const redraw = async ({ viewId, hash, person, metadata, values }: FormState): Promise<void> => {
    if (metadata === null) return;
    const state = stateOf(viewId);
    state.changes += 1;
    const ownChange = state.changes;
    const caller: CommandSource = { person, channel: metadata.channel, thread: metadata.thread };
    const drawn = await windows.render(
      metadata.command,
      { ...caller, inWindow: metadata.inWindow, pressed: metadata.pressed },
      async (form, ports) => {
        if (form.redraw === undefined) throw new Error(`the form of ${metadata.command} has no live fields`);
        return form.redraw(values, metadata.context, ports);
      },
    );
    // A newer change renders the newer form, and a submitted form gets its answer.
    const isOver = (): boolean => ownChange !== state.changes || state.submittedHash === hash;
    if (isOver()) return;
    if (drawn.kind === 'problem') {
      const view: View = { kind: 'problem', problem: drawn.problem };
      return reply(caller)(view);
    }
    // The person may have changed a field before seeing our last update.
    const from = state.rendered?.from === hash ? state.rendered.to : hash;
    const updated = await web.showView({ kind: 'replace', viewId, hash: from }, drawn.window);
    if (updated.kind === 'ok') {
      state.rendered = { from: hash, to: updated.value.hash };
      return;
    }
    log.warn({ event: 'form.undrawn', reason: slackErrorText(updated) }, 'form not redrawn');
    // The window shows something newer, or was closed.
    if (isOver() || isWindowClosed(updated)) return;
    await reply(caller)(newFormView(metadata, { person, values }));
  };

  /** Another replica may have updated the window meanwhile: builds the form again, with the entered values that can be read. */
  const newFormView = (
    order: FormMetadata,
    { person, values }: Pick<FormState, 'person' | 'values'>,
  ): View => {
    const command = registry.find(order.command);
    return {
      kind: 'fill-in',
      command: order.command,
      prefill: enteredInput(() => command?.form?.read(values, order.context, { ...ports, asker: person })),
      missing: 'The open form didn’t take your last change. Open a new one.',
      usage: command?.usage ?? '',
      root,
    };
  };

  return {
    /** The form was submitted: a pending update must not replace its answer. */
    onSubmitted: ({ viewId, hash }: Pick<FormState, 'viewId' | 'hash'>): void => {
      const state = stateOf(viewId);
      state.changes += 1;
      state.submittedHash = hash;
    },
    /** Renders the form after a press. Does not throw after the acknowledgement. */
    async onChange(payload: unknown, ack: () => Promise<void>): Promise<void> {
      await ack();
      await redraw(readFormState(payload, options.formMark));
    },
  };
}

/** Undefined where the fields cannot be read yet. */
function enteredInput(read: () => FormValues | undefined): unknown {
  try {
    const found = read();
    return found?.kind === 'input' ? found.input : {};
  } catch {
    return {};
  }
}

type MenuOptionsOptions = {
  readonly inventory: Pick<Inventory, 'suggest'>;
  readonly people: Pick<RoleLookup, 'roleOf'> & CachedRoleLookup;
  /** The lowest role that may find devices by personal data; absent: everybody who may read. */
  readonly personalFrom?: Role;
};

/** No options for people who may not read, nor while their role is unknown: it is read for the next keystroke. */
export function createMenuOptions({ inventory, people, personalFrom }: MenuOptionsOptions) {
  return async (payload: unknown, ack: (options: readonly MenuOption[]) => Promise<void>): Promise<void> => {
    const { person, of, query } = readOptionsQuery(payload);
    const known = people.knownRoleOf(person);
    const verdict = decideAccess(known, 'read');
    if (verdict === 'unknown') {
      await ack([]);
      await people.roleOf(person);
      return;
    }
    const allowed = of !== null && verdict === 'allowed';
    const how = maySeePersonalCached(people, person, personalFrom) ? {} : ({ namesOnly: true } as const);
    const found = allowed ? inventory.suggest(of, query, LIMIT.menuOptions, how) : [];
    const { options } = carriedValue(of === null ? [] : found.map((one) => toMenuOption(of, one)));
    await ack(withinAcknowledgement(options));
  };
}

/** Bytes of an acknowledgement beside its options. */
const ENVELOPE_BYTES = 512;

/** The best options, as many as one acknowledgement carries. */
function withinAcknowledgement(options: readonly MenuOption[]): readonly MenuOption[] {
  let left = LIMIT.acknowledgement - ENVELOPE_BYTES;
  const end = options.findIndex((option) => {
    left -= Buffer.byteLength(JSON.stringify(option)) + 1;
    return left < 0;
  });
  return end === -1 ? options : options.slice(0, end);
}

/** Options carry numbers, because names change; packages have only a name. */
function toMenuOption(of: SearchedKind, { id, label, detail }: Suggestion): FormOption {
  const value = id === null ? label : String(id);
  const option = { value, label: of === 'group' ? groupPath(label, detail) : label };
  return detail === null || of === 'group' ? option : { ...option, detail };
}

/** The group's own name must stay visible, so the path before it is cut. */
function groupPath(name: string, above: Suggestion['detail']): string {
  if (above === null) return quoteStructure(name);
  const path = [...[above].flat(), name].map(quoteStructure).join(' / ');
  return path.length <= LIMIT.optionText ? path : `.. / ${quoteStructure(name)}`;
}

type FormSubmitOptions = ReadSubmissionOptions & {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly people: CachedRoleLookup;
  readonly inbox: Pick<Inbox, 'take'>;
  readonly formMark: Pick<FormMark, 'verified'>;
  /** Called for a submitted form before its window changes. */
  readonly onSubmitted: (used: FormState) => void;
};

const MAX_ERROR_LENGTH = 300;

/** Fields are read within the acknowledgement, so that errors appear on them. A change goes to the inbox. */
function createFormSubmit(options: FormSubmitOptions) {
  const { registry, ports, people, inbox, onSubmitted, log } = options;
  const look = createReadSubmissions(options);
  const failure = createErrorReporter(log);

  const read = (command: Command, used: FormState): FormValues => {
    const role = people.knownRoleOf(used.person);
    // The answer says so; field values are nothing that this person may learn about.
    if (decideAccess(role, requiredPermission(command)) === 'refused') return { kind: 'input', input: {} };
    const form = formOf(command, used.metadata ?? {});
    if (form === null) throw new Error(`${command.name} has no form`);
    return form.read(used.values, used.metadata?.context, { ...ports, asker: used.person });
  };

  const failed = (used: FormState, thrown: unknown): FormAckResponse => {
    const problem = failure({ what: 'form', person: used.person, thrown });
    return errorOnFirstField(used, plainProblem(problem));
  };

  const change = async ({ key, command, input, used, caller }: ReadSubmission, ack: AcknowledgeForm) => {
    const { viewId, depth, filled, values } = used;
    const closes = used.metadata?.pressed === true && used.metadata.inWindow !== true;
    const form = { closes, viewId, depth, filled, values: [...values] };
    const isNew = await inbox.take({
      key,
      interaction: { kind: 'command', caller, name: command.name, input, form },
      accept: async () => {
        onSubmitted(used);
        const window = acceptedWindow(answerWindowStateOf({ used, caller }));
        await ack(closes ? undefined : { kind: 'window', window });
        return null;
      },
      refuse: (problem) => ack(errorOnFirstField(used, plainProblem(problem))),
    });
    if (!isNew) await ack(errorOnFirstField(used, ALREADY_SENT_TEXT));
  };

  return async (payload: unknown, ack: AcknowledgeForm): Promise<void> => {
    const used = readFormState(payload, options.formMark);
    const { metadata, person, viewId, hash } = used;
    const command = metadata === null ? null : registry.find(metadata.command);
    if (metadata === null || command === null) return ack(failed(used, new Error('a form of no command')));
    let result: FormValues;
    try {
      result = read(command, used);
    } catch (error) {
      return ack(failed(used, error));
    }
    if (result.kind === 'errors') return ack(errorsOnFields(used, result.errors));
    const { input } = result;
    const when =
      command.kind === 'write' && used.filled.submit?.text !== REQUEST_NOW.text
        ? timeTyped(input, metadata.context)
        : null;
    if (when !== null)
      return ack({ kind: 'window', window: timeQuestion(used, when, { command: command.name, input }) });
    const caller: CommandSource = { person, channel: metadata.channel, thread: metadata.thread };
    // One window in one state is one submission, however often it is sent and whatever its values are by then.
    const key = `form:${viewId}:${hash}`;
    const submission = { command, input, used, caller, key };
    if (command.kind !== 'read') return change(submission, ack);
    onSubmitted(used);
    await look(submission, ack);
  };
}

const withReason = z.object({ reason: z.string() });
const carriedInput = z.object({ input: withReason });

/** The time at the end of a reason that was not there when a button opened the form: that one was asked about. */
function timeTyped(input: unknown, context: unknown): string | null {
  const reason = withReason.safeParse(input).data?.reason;
  const isNew = reason !== undefined && reason !== carriedInput.safeParse(context).data?.input.reason;
  return isNew ? timeAtEnd(reason) : null;
}

const REQUEST_NOW = { type: 'plain_text', text: 'Request now' } as const;

/** The form again, whose button says that it does not wait for the time. */
function timeQuestion({ filled }: FormState, when: string, choice: CommandChoice): Modal {
  const words = formErrorText({ kind: 'no-schedules', when, does: 'set', choice, needsApproval: null });
  return { ...filled, submit: REQUEST_NOW, blocks: blocksWithError(filled.blocks, words, null) };
}

/** Slack shows no error at all if one of them names a field that the window does not have. */
function errorsOnFields(used: FormState, errors: Readonly<Record<string, string>>): FormAckResponse {
  const plainErrors = Object.entries(errors).map(
    ([field, words]) => [field, plainText(words, MAX_ERROR_LENGTH)] as const,
  );
  const visibleErrors = plainErrors.filter(([field]) => used.values.has(field));
  if (visibleErrors.length === plainErrors.length && visibleErrors.length > 0)
    return { kind: 'errors', errors: Object.fromEntries(visibleErrors) };
  return errorOnFirstField(used, plainErrors.map(([, words]) => words).join(' '));
}

function errorOnFirstField({ values, depth }: FormState, words: string): FormAckResponse {
  const [first] = values.keys();
  return first === undefined
    ? { kind: 'window', window: textWindow(words, { depth }) }
    : { kind: 'errors', errors: { [first]: plainText(words, MAX_ERROR_LENGTH) } };
}
