/**
 * Requests once more what an operation did not send: exactly those targets, by their original commands, as if typed
 * now. All presses for one operation share a key, so they make one request, whoever presses and where.
 */

import { planAgain, type UnsentOrder, unsentOf } from '../../commands/changes/request-again.ts';
import type {
  Planned,
  ReadPorts,
  RequestedChange,
  SharedPorts,
  WriteCommand,
} from '../../commands/core/command.ts';
import type { Registry } from '../../commands/core/registry.ts';
import { ageOf, type Instant } from '../../lib/clock.ts';
import { type ChannelId, cardKey, type OperationId } from '../../lib/ids.ts';
import type { OperationRecord } from '../../store/port/records.ts';
import type { View } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { CommandSource } from '../replies/private-replies.ts';

export type RequestAgainInput = {
  readonly operation: OperationId;
  readonly caller: CommandSource;
  /** When the person pressed; absent: just now. */
  readonly askedAt?: Instant;
};

/** The caller, who may use the command, and the key of their delivery. */
type RequestAgainSource = { readonly caller: CommandSource; readonly key: string; readonly askedAt: Instant };

export type RequestAgainOptions = {
  readonly registry: Pick<Registry, 'find'>;
  readonly ports: Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
    readonly records: Pick<SharedPorts['records'], 'operation' | 'byRequestKey' | 'cardLink'>;
  };
  readonly approvalsChannel: ChannelId;
  readonly root: string;
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
  const { registry, ports, root, withPermission, request } = options;
  const { clock, maxAgeMs, records } = ports;

  const ask = async (
    command: WriteCommand,
    order: UnsentOrder,
    source: RequestAgainSource,
  ): Promise<View> => {
    let unrequested: readonly UnrequestedTarget[] = [];
    const view = await request(async (fresh) => {
      const { planned, ...rest } = await planAgain(command, order, fresh);
      unrequested = rest.leftOut;
      return planned ?? { kind: 'view', view: { kind: 'requested-again', view: null, unrequested } };
    }, source);
    return unrequested.length > 0 && isNewRequest(view)
      ? { kind: 'requested-again', view, unrequested }
      : view;
  };

  const again = async (
    command: WriteCommand,
    operation: OperationRecord,
    { caller, askedAt }: Omit<RequestAgainSource, 'key'>,
  ): Promise<View> => {
    const { key, before } = await currentUnsent(operation.id, askedAt, records.byRequestKey);
    if (before !== null) return earlierRequestView(before, caller, options);
    const order = unsentOf(operation);
    if (ageOf(askedAt, clock.now()) < maxAgeMs) return ask(command, order, { caller, key, askedAt });
    const names = order.unsent.map(({ name }) => name);
    return {
      kind: 'too-late',
      command: command.name,
      again: { operation: operation.id, order: order.order, names },
      subject: null,
      askedAt,
      maxAgeMs,
      root,
    };
  };

  return async ({ operation: id, caller, askedAt = clock.now() }) => {
    const operation = await records.operation(id);
    if (operation === null) return { kind: 'decided', outcome: { kind: 'absent' } };
    const { command: name } = unsentOf(operation);
    const command = registry.find(name);
    if (command?.kind !== 'write') throw new Error(`${name} is no command that changes anything`);
    return withPermission(command, caller, () => again(command, operation, { caller, askedAt }));
  };
}

type OperationRecords = RequestAgainOptions['ports']['records'];

/**
 * The request that this press belongs to, or the key of a new one. A request that ended before the press without
 * sending anything may be made again; a press from before that end belongs to it.
 */
async function currentUnsent(
  id: OperationId,
  pressedAt: Instant,
  requested: OperationRecords['byRequestKey'],
): Promise<{ readonly key: string; readonly before: RequestedChange | null }> {
  let key = `again:${id}`;
  for (;;) {
    const before = await requested(key);
    if (before === null || before.kind === 'operation') return { key, before };
    const { id: approval, state, decidedAt, expiresAt } = before.approval;
    const isOpen = state === 'approved' || (state === 'waiting' && pressedAt < expiresAt);
    if (isOpen || pressedAt <= (decidedAt ?? expiresAt)) return { key, before };
    key = `again:${approval}`;
  }
}

async function earlierRequestView(
  before: RequestedChange,
  { person }: CommandSource,
  { ports: { records }, approvalsChannel: channel }: RequestAgainOptions,
): Promise<View> {
  if (before.kind === 'operation') {
    const { id: operationId, command, targets, requesterId } = before.operation;
    const names = targets.map(({ displayName }) => displayName);
    const link = await records.cardLink(cardKey('operation', operationId));
    const by = requesterId === person ? {} : { by: requesterId };
    return { kind: 'started', operationId, command, names, link, already: true, ...by };
  }
  const { approval } = before;
  const { id, state, requesterId, decidedBy: by, decidedAt: at } = approval;
  if (state !== 'waiting') return { kind: 'decided', outcome: { kind: 'already', approval, state, by, at } };
  const link = await records.cardLink(cardKey('approval', id));
  const mine = requesterId === person;
  return { kind: 'asked', approval, channel, link, already: true, mine, reasonUnused: false };
}

/** Whether this press made the request: an earlier one may be about other devices. */
function isNewRequest(view: View): boolean {
  return (view.kind === 'asked' && !view.already) || (view.kind === 'started' && view.already !== true);
}
