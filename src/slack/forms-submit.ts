/**
 * A submitted form: its fields are read from memory within the acknowledgement, so that errors stand on the fields
 * and the input survives. What changes something is stored before it is acknowledged, as a press is.
 */
import { mayDo } from '../access.ts';
import type { Command, SharedPorts } from '../commands/command.ts';
import type { FormRead } from '../commands/form.ts';
import { needOf } from '../commands/needs.ts';
import type { Registry } from '../commands/registry.ts';
import { newReference } from '../ids.ts';
import type { Log } from '../log.ts';
import { plain } from '../views/escape.ts';
import type { FormAck } from './actions.ts';
import type { Dispatch } from './dispatch.ts';
import { type FormUsed, readFormUsed } from './forms-payloads.ts';
import type { Inbox } from './inbox.ts';
import type { KnownPeople } from './people.ts';
import { createRecentNames } from './recent-names.ts';
import type { Caller, Reply } from './replies.ts';

export type FormSubmitOptions = {
  readonly registry: Registry;
  readonly ports: SharedPorts;
  readonly people: KnownPeople;
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly inbox: Pick<Inbox, 'take'>;
  readonly tell: (caller: Caller) => Reply;
  /** Looks for due work now. */
  readonly kick: () => void;
  readonly log: Log;
};

const ERROR_LENGTH = 300;

export function createFormSubmit(options: FormSubmitOptions) {
  const { registry, ports, people, dispatch, inbox, tell, kick, log } = options;
  const isFirst = createRecentNames();

  const read = (command: Command, used: FormUsed): FormRead => {
    const role = people.knownRoleOf(used.person);
    // The answer says so; what the fields hold is nothing that this person may hear about.
    if (role.kind === 'role' && !mayDo(role.role, needOf(command)).allowed)
      return { kind: 'input', input: {} };
    if (command.form === undefined) throw new Error(`${command.name} has no form`);
    return command.form.read(used.values, used.order?.context, { ...ports, asker: used.person });
  };

  /** Words on the first field: whatever was entered stays. */
  const failed = (used: FormUsed, thrown: unknown): Readonly<Record<string, string>> => {
    const reference = newReference();
    log.error({ event: 'form.failed', person: used.person, reference, err: thrown }, 'a form failed');
    return onFirst(used, `This failed by a fault of ours (${reference}). Nothing was changed.`);
  };

  return async (payload: unknown, ack: FormAck): Promise<void> => {
    const used = readFormUsed(payload);
    const { order, person, viewId, hash } = used;
    const command = order === null ? null : registry.find(order.command);
    if (order === null || command === null) return ack(failed(used, new Error('a form of no command')));
    const caller: Caller = { person, channel: order.channel, thread: order.thread };
    let input: unknown;
    try {
      const result = read(command, used);
      if (result.kind === 'errors') return ack(errorsOn(used, result.errors));
      ({ input } = result);
    } catch (error) {
      return ack(failed(used, error));
    }
    // The same window in the same state is the same submission, however often it is sent.
    const key = `form:${viewId}:${hash}`;
    if (!isFirst(key)) return ack();
    if (command.kind === 'read') {
      await ack();
      const view = await dispatch.command({ name: command.name, input, page: 0, caller, requestKey: key });
      return tell(caller)(view);
    }
    const stored = { kind: 'request', caller, command: command.name, input } as const;
    try {
      await inbox.take(stored, key, tell(caller), {});
    } catch (error) {
      isFirst.forget(key);
      return ack(failed(used, error));
    }
    await ack();
    kick();
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
