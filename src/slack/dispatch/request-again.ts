/**
 * Requests once more what a request did not send: exactly those targets, by their original commands, as if typed
 * now. All presses for one request share a key, so they make one request, whoever presses and where.
 */

import { commandOf, planAgain, unsentOf } from '../../commands/changes/request-again.ts';
import type { Planned, ReadPorts, SharedPorts, WriteCommand } from '../../commands/core/command.ts';
import type { Registry } from '../../commands/core/registry.ts';
import { ageOf, type Instant } from '../../lib/clock.ts';
import { type ChannelId, type RequestId, requestCardKey } from '../../lib/ids.ts';
import { decidedState } from '../../requests/decide/state-machine.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RetrySet, View } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { requestView } from './request-view.ts';
import type { RequestSource } from './submit-request.ts';

export type RequestAgainInput = {
  readonly request: RequestId;
  /** Which devices of a rollout; null: those to which nothing was done. */
  readonly of: RetrySet | null;
  readonly caller: CommandSource;
  /** When the person asked for it. */
  readonly askedAt: Instant;
};

/** Of a caller who may use the command. */
type RequestAgainSource = RequestSource & { readonly askedAt: Instant };

export type RequestAgainOptions = {
  readonly registry: Pick<Registry, 'find'>;
  readonly ports: Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
    readonly records: Pick<SharedPorts['records'], 'request' | 'byRequestKey' | 'cardLink'>;
  };
  readonly approvalsChannel: ChannelId;
  /** Runs `job` if the person may use the command; otherwise refuses and records that. */
  readonly withPermission: (
    command: WriteCommand,
    caller: CommandSource,
    job: () => Promise<View>,
  ) => Promise<View>;
  /** Plans from fresh facts, and requests what was planned. */
  readonly request: (
    plan: (ports: ReadPorts) => Promise<Planned>,
    source: RequestAgainSource,
  ) => Promise<View>;
};

export function createRequestAgain(
  options: RequestAgainOptions,
): (order: RequestAgainInput) => Promise<View> {
  const { registry, ports, withPermission, request } = options;
  const { records } = ports;

  const again = async (
    command: WriteCommand,
    unsent: RequestWithTargets,
    { caller, askedAt, of }: Pick<RequestAgainSource, 'caller' | 'askedAt'> & Pick<RequestAgainInput, 'of'>,
  ): Promise<View> => {
    const { key, before } = await currentUnsent({ id: unsent.id, of }, askedAt, records.byRequestKey);
    if (before !== null) return earlierRequestView(before, caller, options);
    // Handled long after it was submitted, because nothing ran meanwhile.
    if (ageOf(askedAt, ports.clock.now()) >= ports.maxAgeMs)
      return { kind: 'decided', outcome: { kind: 'window-refused', why: 'ended-window' } };
    const order = unsentOf(unsent, of);
    const asked = { name: command.name, input: order.input };
    return request((fresh) => planAgain(command, order, fresh), { caller, requestKey: key, askedAt, asked });
  };

  return async ({ request: id, of, caller, askedAt }) => {
    const unsent = await records.request(id);
    if (unsent === null) return { kind: 'decided', outcome: { kind: 'absent' } };
    const name = commandOf(unsent.action);
    const command = registry.find(name);
    if (command?.kind !== 'write') throw new Error(`${name} is no command that changes anything`);
    return withPermission(command, caller, () => again(command, unsent, { caller, askedAt, of }));
  };
}

/**
 * The request that this press belongs to, or the key of a new one. A request that ended before the press without
 * sending anything may be made again; a press from before that end belongs to it.
 */
async function currentUnsent(
  { id, of }: { readonly id: RequestId; readonly of: RetrySet | null },
  pressedAt: Instant,
  requested: RequestAgainOptions['ports']['records']['byRequestKey'],
): Promise<{ readonly key: string; readonly before: RequestWithTargets | null }> {
  // What failed is requested once more beside what was not sent.
  const verb = of === 'failed' ? 'retry' : 'again';
  let key = `${verb}:${id}`;
  for (;;) {
    const before = await requested(key);
    if (before === null || before.expiresAt === null) return { key, before };
    const { id: earlier, state, decidedAt, expiresAt } = before;
    const isOpen = decidedState(state) === 'approved' || (state === 'waiting' && pressedAt < expiresAt);
    if (isOpen || pressedAt <= (decidedAt ?? expiresAt)) return { key, before };
    key = `${verb}:${earlier}`;
  }
}

async function earlierRequestView(
  before: RequestWithTargets,
  { person }: CommandSource,
  { ports: { records }, approvalsChannel: channel }: RequestAgainOptions,
): Promise<View> {
  const link = await records.cardLink(requestCardKey(before));
  return requestView(before, { person, channel, link, already: true });
}

/** The answer to a new request, with the targets that it leaves out. */
export function withUnrequested(view: View, unrequested: readonly UnrequestedTarget[]): View {
  return isNewRequest(view) ? { kind: 'requested-again', view, unrequested } : view;
}

/** Whether this press made the request: an earlier one may be about other devices. */
function isNewRequest(view: View): boolean {
  return (view.kind === 'asked' && !view.already) || (view.kind === 'started' && view.already !== true);
}
