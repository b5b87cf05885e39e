/** Requests and their targets as a test needs them: valid, with what matters to it given. */
import { instant, MINUTE } from '../../src/lib/clock.ts';
import { type DeviceId, deviceId, personId, type RequestId, requestId } from '../../src/lib/ids.ts';
import type { TargetState } from '../../src/store/port/records.ts';
import type { RequestRecord, RequestTarget, TargetCounts } from '../../src/store/port/request-records.ts';
import type { Store, StoreTables } from '../../src/store/port/store.ts';
import { aTarget, fresh, ORGANIZATION, START, someFacts } from './builders.ts';

export type NewRequest = Omit<RequestRecord, 'counts'>;

/** One that waits for an approval. */
export function aRequest(given: Partial<NewRequest> = {}): NewRequest {
  const name = fresh();
  return {
    organizationId: ORGANIZATION,
    id: requestId(`r_${name}`),
    version: 1,
    state: 'waiting',
    action: { kind: 'reboot' },
    seal: 'seal',
    fingerprint: `print-${name}`,
    requesterId: personId('U1'),
    requestKey: `request-${name}`,
    reason: null,
    createdAt: START,
    expiresAt: instant(START + 30 * MINUTE),
    decidedBy: null,
    decidedAt: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    startedAt: null,
    endedAt: null,
    operationId: null,
    ...given,
  };
}

/** A device that no other test names. */
export const freshDevice = (): DeviceId => deviceId(1_000_000 + Number(fresh()));

export function aRequestTarget(request: RequestId, given: Partial<RequestTarget> = {}): RequestTarget {
  const { operationId: _none, ...target } = aTarget('o_1');
  const device = given.deviceId === undefined ? freshDevice() : given.deviceId;
  return {
    ...target,
    requestId: request,
    deviceId: device,
    position: 0,
    state: 'ready',
    facts: device === null ? null : someFacts({ deviceId: device }),
    nextAt: null,
    evidence: [],
    ...given,
  };
}

/** One target for each state, on devices of their own, in this order. */
export function targetsIn(request: RequestId, states: readonly TargetState[]): readonly RequestTarget[] {
  return states.map((state, position) => aRequestTarget(request, { state, position }));
}

export function countsOf(targets: readonly Pick<RequestTarget, 'state' | 'endedAt'>[]): TargetCounts {
  const counts: Partial<Record<TargetState | 'open', number>> = {};
  for (const { state, endedAt } of targets) {
    counts[state] = (counts[state] ?? 0) + 1;
    if (endedAt === null) counts.open = (counts.open ?? 0) + 1;
  }
  return counts;
}

/** Stores it with one target for each state. */
export async function storeRequest(
  store: Store | StoreTables,
  given: Partial<NewRequest> = {},
  states: readonly TargetState[] = ['ready'],
): Promise<{ readonly request: RequestRecord; readonly targets: readonly RequestTarget[] }> {
  const request = aRequest(given);
  const targets = targetsIn(request.id, states);
  const inserted = await store.requests.insert(request, targets);
  if (inserted.kind !== 'inserted') throw new Error(`request ${request.id} is not new`);
  return { request: { ...request, counts: countsOf(targets) }, targets };
}

/** What it becomes: in `state`, and whatever else is given. */
export function moveTo(target: RequestTarget, state: TargetState, given: Partial<RequestTarget> = {}) {
  return { from: target.state, next: { ...target, ...given, state } };
}
