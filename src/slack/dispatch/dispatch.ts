/**
 * Runs a person's command and returns one view: permission, command, approval service, and the only catch. It knows no
 * transport; the listener acknowledged before.
 */

import { decideAccess, roleForPermission } from '../../lib/access.ts';
import { newReference } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import type { View } from '../../views/model.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { createCommandLog } from './command-log.ts';
import { createControl } from './control.ts';
import { decisionOutcome } from './decision-outcome.ts';
import { createDecisionWindows, type DecisionWindowOptions } from './decision-windows.ts';
import type { DecisionRequest, Dispatch } from './dispatch-port.ts';
import { createCommandRunner, type RunCommandOptions } from './run-command.ts';
import { createRunLine } from './run-line.ts';
import { createErrorReporter, markMaybeChanged } from './unexpected-errors.ts';

export type DispatchOptions = RunCommandOptions & {
  readonly people: RoleLookup;
  readonly requests: Pick<RequestService, 'decide' | 'control'> & DecisionWindowOptions['requests'];
  readonly log: Log;
};

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, root, log } = options;
  const failure = createErrorReporter(log);
  const startLog = createCommandLog(log);
  const commands = createCommandRunner(options);
  const runLine = createRunLine(options, commands);
  const decide = createDecide(options);
  const control = createControl(options);
  const windows = createDecisionWindows(options);

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
    decide: (request) => answer(request.decision, request.caller, () => decide(request), 'decision'),
    control: (request) => answer(request.control, request.caller, () => control(request), 'decision'),
    openWindow: (request) =>
      answer(`window to ${request.wanted.kind}`, request.caller, () => windows.open(request), 'decision'),
    submitWindow: (submitted) =>
      answer('window', submitted.caller, () => windows.submit(submitted), 'decision'),
  };
}

function createDecide({ people, ports, requests }: DispatchOptions) {
  return async ({ requestId, seal, decision, caller }: DecisionRequest): Promise<View> => {
    const { person } = caller;
    // Everybody may withdraw their own request, whatever their role.
    const resolvedRole =
      decision === 'withdraw'
        ? { role: null, maybe: null }
        : await people.roleOf(person, { fresh: true, enough: roleForPermission('approve') });
    if (decideAccess(resolvedRole, 'approve') === 'unknown')
      return { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
    const { role } = resolvedRole;
    const result = await markMaybeChanged(() => requests.decide({ requestId, person, role, decision, seal }));
    const outcome = await decisionOutcome(result, decision, { records: ports.records, requestId });
    return { kind: 'decided', outcome };
  };
}
