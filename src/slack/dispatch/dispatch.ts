/**
 * Runs a person's command and returns one view: permission, command, approval service, and the only catch. It knows no
 * transport; the listener acknowledged before.
 */

import type { Log } from '../../lib/log.ts';
import type { View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { createCommandLog } from './command-log.ts';
import { createDecide, type DecideOptions } from './decide.ts';
import type { Dispatch } from './dispatch-port.ts';
import { createCommandRunner, type RunCommandOptions } from './run-command.ts';
import { createRunLine } from './run-line.ts';
import { createErrorReporter } from './unexpected-errors.ts';

export type DispatchOptions = RunCommandOptions & {
  readonly people: RoleLookup;
  readonly requests: DecideOptions['requests'];
  readonly log: Log;
};

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, root, log } = options;
  const failure = createErrorReporter(log);
  const startLog = createCommandLog(log);
  const commands = createCommandRunner(options);
  const runLine = createRunLine(options, commands);
  const decide = createDecide(options);

  /** The only catch: everything thrown below becomes a message for the person and a line in the log. */
  const answer = async (
    what: string,
    { person }: CommandSource,
    job: () => Promise<View>,
    event: 'command' | 'decision' = 'command',
  ): Promise<View> => {
    const ended = startLog({ event, what, person });
    const view = await job().catch(
      (thrown: unknown): View => ({ kind: 'problem', problem: failure({ what, person, thrown }) }),
    );
    ended(view);
    return view;
  };

  /** Only the command's name goes to the log, nothing else of the typed line. */
  const commandNameOf = (text: string): string =>
    registry.find(text.trim().split(/\s/, 1)[0] ?? '')?.name ?? 'other';

  return {
    runText: (text, caller, requestKey, askedAt) =>
      answer(commandNameOf(text), caller, () => runLine(text, { caller, requestKey, askedAt })),
    runCommand: ({ name, ...order }) =>
      answer(name, order.caller, async () => {
        const command = registry.find(name);
        if (command !== null) return commands.run(command, order);
        return { kind: 'problem', problem: { kind: 'unknown-command', word: name, nearest: [], root } };
      }),
    requestAgain: (order) => answer('again', order.caller, () => commands.requestAgain(order)),
    decide: (request) => answer(request.decision, request.caller, () => decide.decide(request), 'decision'),
    control: (request) => answer(request.control, request.caller, () => decide.control(request), 'decision'),
    openWindow: (request) =>
      answer(
        `window to ${request.wanted.kind}`,
        request.caller,
        () => decide.openWindow(request),
        'decision',
      ),
    submitWindow: (submitted) =>
      answer('window', submitted.caller, () => decide.submitWindow(submitted), 'decision'),
  };
}
