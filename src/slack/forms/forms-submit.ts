/**
 * A submitted form: its fields are read from memory within the acknowledgement, so that errors stand on the fields
 * and the input survives. What changes something is stored before it is acknowledged, as a press is; its window says that
 * it looks meanwhile, and becomes the answer, or the form again.
 */
import { judge } from '../../access.ts';
import type { Command, SharedPorts } from '../../commands/command.ts';
import type { FormRead } from '../../commands/forms/form.ts';
import { needOf } from '../../commands/needs.ts';
import type { Registry } from '../../commands/registry.ts';
import { newReference } from '../../ids.ts';
import { sentBeforeWindow } from '../../views/forms/form-sent-before.ts';
import { formFailed } from '../../views/forms/form-words.ts';
import { keptWindow } from '../../views/kit/answer-window.ts';
import { plain } from '../../views/kit/escape.ts';
import type { FormAck, FormAnswer } from '../actions.ts';
import type { KnownPeople } from '../people.ts';
import type { Caller } from '../replies.ts';
import { placeOf } from './forms-answer.ts';
import type { KeptForms, Taken } from './forms-kept.ts';
import { createFormLook, type FormLookOptions, type FormOrdered } from './forms-look.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';

export type FormSubmitOptions = FormLookOptions & {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly people: KnownPeople;
  readonly kept: Pick<KeptForms, 'take' | 'release'>;
  /** Told of a form that was taken, before its window changes. */
  readonly onSent: (used: FormUsed) => void;
  /** Looks for due work now. */
  readonly kick: () => void;
};

const ERROR_LENGTH = 300;

export function createFormSubmit(options: FormSubmitOptions) {
  const { registry, ports, people, kept, onSent, kick, log } = options;
  const look = createFormLook(options);

  const read = (command: Command, used: FormUsed): FormRead => {
    const role = people.knownRoleOf(used.person);
    // The answer says so; what the fields hold is nothing that this person may hear about.
    if (judge(role, needOf(command)) === 'refused') return { kind: 'input', input: {} };
    if (command.form === undefined) throw new Error(`${command.name} has no form`);
    return command.form.read(used.values, used.order?.context, { ...ports, asker: used.person });
  };

  /** Words on the first field: whatever was entered stays. */
  const failed = (used: FormUsed, thrown: unknown): FormAnswer => {
    const reference = newReference();
    log.error({ event: 'form.failed', person: used.person, reference, err: thrown }, 'form failed');
    return { kind: 'errors', errors: onFirst(used, formFailed(reference)) };
  };

  const change = async (order: FormOrdered, ack: FormAck): Promise<void> => {
    const { command, input, used, caller } = order;
    let taken: Taken;
    try {
      taken = await kept.take(order.key, { caller, command: command.name, input, used });
    } catch (error) {
      return ack(failed(used, error));
    }
    onSent(used);
    const place = placeOf({ used, caller });
    const window = taken.before === 'others' ? sentBeforeWindow(place) : keptWindow(place);
    await ack({ kind: 'window', window }).catch((error: unknown) => {
      // It is stored all the same, and its answer takes the place of the form.
      log.warn({ event: 'form.unacknowledged', err: error }, 'could not acknowledge a form');
    });
    await kept.release(taken.key).catch((error: unknown) => {
      // It falls due by itself.
      log.warn({ event: 'form.unreleased', err: error }, 'a submitted form was not started early');
    });
    kick();
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
    // The same window in the same state is the same submission, however often it is sent and whatever it says by then.
    const key = `form:${viewId}:${hash}`;
    const asked = { command, input, used, caller, key };
    if (command.kind !== 'read') return change(asked, ack);
    onSent(used);
    await look(asked, ack);
  };
}

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
