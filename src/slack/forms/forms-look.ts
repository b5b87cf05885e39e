/** A submitted form of a command that only looks: answered in its window where it stands in no conversation, else told. */
import type { Command } from '../../commands/command.ts';
import { onlyFound } from '../../commands/forms/find-form.ts';
import type { Log } from '../../log.ts';
import { lookingWindow } from '../../views/kit/answer-window.ts';
import type { View } from '../../views/model.ts';
import type { FormAck } from '../actions.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Caller } from '../replies.ts';
import { createFormAnswer, type FormAnswerOptions } from './forms-answer.ts';
import type { FormUsed } from './forms-payloads.ts';

export type FormOrdered = {
  readonly command: Command;
  readonly input: unknown;
  readonly used: FormUsed;
  readonly caller: Caller;
  /** The same for every delivery of one window in one state. */
  readonly key: string;
};

export type FormLookOptions = FormAnswerOptions & {
  readonly dispatch: Pick<Dispatch, 'command'>;
  readonly log: Log;
};

/** More than can be under way. */
const REMEMBERED = 1_000;

/** Takes a form whose fields are read. Looking twice changes nothing, so other values are looked for anew. */
export function createFormLook(options: FormLookOptions) {
  const { dispatch, tell, log } = options;
  const answer = createFormAnswer(options);
  /** By the window: what it was sent with last, and what comes of that. */
  const under = new Map<string, { readonly asked: string; readonly answered: Promise<View> }>();

  const look = async ({ command, input, used, caller, key }: FormOrdered): Promise<View> => {
    const run = (name: string, asked: unknown) =>
      dispatch.command({ name, input: asked, page: 0, caller, requestKey: key });
    const view = await run(command.name, input);
    const only = used.order?.inWindow === true ? onlyFound(view) : null;
    return only === null ? view : run('device', { device: only });
  };

  /** What is under way for these very values, or a new look. */
  const looking = (order: FormOrdered, asked: string) => {
    const before = under.get(order.key);
    if (before?.asked === asked) return { looked: before, isFirst: false };
    const looked = { asked, answered: look(order) };
    under.delete(order.key);
    under.set(order.key, looked);
    const [oldest] = under.keys();
    if (under.size > REMEMBERED && oldest !== undefined) under.delete(oldest);
    return { looked, isFirst: true };
  };

  return async (order: FormOrdered, ack: FormAck): Promise<void> => {
    const { command, input, used, caller, key } = order;
    const { looked, isFirst } = looking(order, JSON.stringify(input ?? null));
    const inWindow = used.order?.inWindow === true;
    await ack(inWindow ? { kind: 'window', window: lookingWindow(used.depth) } : undefined).catch(
      (error: unknown) => {
        // It is under way all the same, and its answer takes the place of the form.
        log.warn({ event: 'form.unacknowledged', err: error }, 'could not acknowledge a form');
      },
    );
    const view = await looked.answered;
    if (!inWindow) return isFirst ? tell(caller)(view) : undefined;
    // The window shows the answer to what was looked for last.
    if (under.get(key) !== looked) return;
    await answer({ used, caller, back: { command: command.name, input } }, view);
  };
}
