/**
 * A submitted form: its fields are read from memory within the acknowledgement, so that errors stand on the fields
 * and the input survives. What changes something is stored before it is acknowledged, as a press is; its window says that
 * it looks meanwhile, and becomes the answer, or the form again.
 */
import { mayDo } from '../../access.ts';
import type { Command, SharedPorts } from '../../commands/command.ts';
import { onlyFound } from '../../commands/forms/find-form.ts';
import type { FormRead } from '../../commands/forms/form.ts';
import { needOf } from '../../commands/needs.ts';
import type { Registry } from '../../commands/registry.ts';
import { newReference } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { formFailed } from '../../views/forms/form-words.ts';
import { keptWindow, lookingWindow } from '../../views/kit/answer-window.ts';
import { plain } from '../../views/kit/escape.ts';
import type { View } from '../../views/model.ts';
import type { FormAck, FormAnswer } from '../actions.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Inbox } from '../inbox.ts';
import type { KnownPeople } from '../people.ts';
import type { Caller, Reply } from '../replies.ts';
import type { Modal, SlackWeb } from '../web.ts';
import { createFormAnswer, placeOf, type Submitted } from './forms-answer.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';

export type FormSubmitOptions = {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly people: KnownPeople;
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly inbox: Pick<Inbox, 'take'>;
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly tell: (caller: Caller) => Reply;
  /** Looks for due work now. */
  readonly kick: () => void;
  readonly log: Log;
};

const ERROR_LENGTH = 300;
/** More than can be under way. */
const REMEMBERED = 1_000;

export function createFormSubmit(options: FormSubmitOptions) {
  const { registry, ports, people, dispatch, inbox, tell, kick, log } = options;
  /** What was submitted lately, and what comes of it. */
  const under = new Map<string, Promise<Sent>>();
  const answer = createFormAnswer(options);

  const read = (command: Command, used: FormUsed): FormRead => {
    const role = people.knownRoleOf(used.person);
    // The answer says so; what the fields hold is nothing that this person may hear about.
    if (role.kind === 'role' && !mayDo(role.role, needOf(command)).allowed)
      return { kind: 'input', input: {} };
    if (command.form === undefined) throw new Error(`${command.name} has no form`);
    return command.form.read(used.values, used.order?.context, { ...ports, asker: used.person });
  };

  const remember = (key: string, sending: Promise<Sent>): Promise<Sent> => {
    under.set(key, sending);
    const [oldest] = under.keys();
    if (under.size > REMEMBERED && oldest !== undefined) under.delete(oldest);
    return sending;
  };

  /** Words on the first field: whatever was entered stays. */
  const failed = (used: FormUsed, thrown: unknown): FormAnswer => {
    const reference = newReference();
    log.error({ event: 'form.failed', person: used.person, reference, err: thrown }, 'a form failed');
    return { kind: 'errors', errors: onFirst(used, formFailed(reference)) };
  };

  const look = async ({ command, input, submitted, key }: Order): Promise<Sent> => {
    const { used, caller } = submitted;
    const inWindow = used.order?.inWindow === true;
    const run = (name: string, asked: unknown) =>
      dispatch.command({ name, input: asked, page: 0, caller, requestKey: key });
    const looked = async (): Promise<View> => {
      const view = await run(command.name, input);
      const only = inWindow ? onlyFound(view) : null;
      return only === null ? view : run('device', { device: only });
    };
    const shows = inWindow ? lookingWindow(used.depth) : null;
    return { shows, answered: looked() };
  };

  const change = async ({ command, input, submitted, key }: Order): Promise<Sent> => {
    const { promise: answered, resolve } = Promise.withResolvers<View>();
    const stored = { kind: 'request', caller: submitted.caller, command: command.name, input } as const;
    await inbox.take(stored, key, async (view) => resolve(view), {});
    return { shows: keptWindow(placeOf(submitted)), answered };
  };

  /** Where the window shows the answer, that comes after what the acknowledgement shows. */
  const send = async (order: Order, ack: FormAck): Promise<void> => {
    const { command, submitted, key } = order;
    const before = under.get(key);
    let sent: Sent;
    try {
      sent = await (before ?? remember(key, command.kind === 'read' ? look(order) : change(order)));
    } catch (error) {
      under.delete(key);
      return ack(failed(submitted.used, error));
    }
    const { shows, answered } = sent;
    await ack(shows === null ? undefined : { kind: 'window', window: shows }).catch((error: unknown) => {
      // It is under way all the same, and its answer takes the place of the form.
      log.warn({ event: 'form.unacknowledged', err: error }, 'a form was not acknowledged');
    });
    if (before === undefined && command.kind !== 'read') kick();
    const view = await answered;
    if (shows !== null) return answer(submitted, view);
    if (before === undefined) await tell(submitted.caller)(view);
  };

  return async (payload: unknown, ack: FormAck): Promise<void> => {
    const used = readFormUsed(payload);
    const { order, person, viewId, hash } = used;
    const command = order === null ? null : registry.find(order.command);
    if (order === null || command === null) return ack(failed(used, new Error('a form of no command')));
    let result: FormRead;
    try {
      result = read(command, used);
    } catch (error) {
      return ack(failed(used, error));
    }
    if (result.kind === 'errors') return ack({ kind: 'errors', errors: errorsOn(used, result.errors) });
    const { input } = result;
    const caller: Caller = { person, channel: order.channel, thread: order.thread };
    const back = command.kind === 'read' ? { command: command.name, input } : null;
    // The same window in the same state is the same submission, however often it is sent.
    const key = `form:${viewId}:${hash}`;
    await send({ command, input, submitted: { used, caller, back }, key }, ack);
  };
}

type Order = {
  readonly command: Command;
  readonly input: unknown;
  readonly submitted: Submitted;
  readonly key: string;
};
/** `shows`: the window meanwhile; null where it closes and the answer is told. */
type Sent = { readonly shows: Modal | null; readonly answered: Promise<View> };

/** Slack shows no error at all where one of them is on no field of the window. */
function errorsOn(
  used: FormUsed,
  errors: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const given = Object.entries(errors).map(([field, words]) => [field, plain(words, ERROR_LENGTH)] as const);
  const shown = given.filter(([field]) => used.values.has(field));
  if (shown.length === given.length && shown.length > 0) return Object.fromEntries(shown);
  return onFirst(used, given.map(([, words]) => words).join(' '));
}

function onFirst({ values }: FormUsed, words: string): Readonly<Record<string, string>> {
  const [first] = values.keys();
  return first === undefined ? {} : { [first]: plain(words, ERROR_LENGTH) };
}
