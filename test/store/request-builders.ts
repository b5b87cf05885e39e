/** Requests and their targets as a test needs them: valid, with what matters to it given. */
import { instant, MINUTE } from '../../src/lib/clock.ts';
import {
  type DeviceId,
  deviceId,
  personId,
  queueEntryId,
  type RequestId,
  requestId,
} from '../../src/lib/ids.ts';
import type { EvidenceList } from '../../src/store/port/evidence.ts';
import type {
  Baseline,
  CountKey,
  RequestRecord,
  RequestTarget,
  TargetCounts,
  TargetState,
} from '../../src/store/port/request-records.ts';
import type { Store, StoreTables } from '../../src/store/port/store.ts';
import * as ordinary from '../harness/records.ts';
import { fresh, ORGANIZATION, START, someFacts } from './builders.ts';

export type NewRequest = Omit<RequestRecord, 'counts'>;

/** One that waits for an approval. */
export function aRequest(given: Partial<NewRequest> = {}): NewRequest {
  const name = fresh();
  const { targets, counts, ...request } = ordinary.aRequest({
    organizationId: ORGANIZATION,
    id: requestId(`r_${name}`),
    seal: 'seal',
    fingerprint: `print-${name}`,
    requesterId: personId('U1'),
    requestKey: `request-${name}`,
    reason: null,
    createdAt: START,
    expiresAt: instant(START + 30 * MINUTE),
    ...given,
  });
  return request;
}

/** A device that no other test names. */
export const freshDevice = (): DeviceId => deviceId(1_000_000 + Number(fresh()));

const BEFORE: Baseline = {
  at: START,
  connected: true,
  lastRefreshTime: START,
  lastDisconnectTime: null,
  uptime: 12.5,
  needsReboot: false,
  queueIds: [queueEntryId(5)],
  missing: [],
  policy: null,
};

export function aRequestTarget(request: RequestId, given: Partial<RequestTarget> = {}): RequestTarget {
  const device = given.deviceId === undefined ? freshDevice() : given.deviceId;
  return ordinary.aTarget({
    requestId: request,
    deviceId: device,
    facts: someFacts(device === null ? {} : { deviceId: device }),
    state: 'ready',
    before: BEFORE,
    issuedAt: START,
    acceptedAt: null,
    deadlineAt: instant(START + 60 * MINUTE),
    ...given,
  });
}

/** One target for each state, on devices of their own, in this order. */
export function targetsIn(request: RequestId, states: readonly TargetState[]): readonly RequestTarget[] {
  return states.map((state, position) => aRequestTarget(request, { state, position }));
}

/** Evidence that a command failed, which is counted beside the state. */
export const FAILED: EvidenceList = [
  { kind: 'install-failed', packages: ['curl'], words: 'no space left', installed: 0, total: 1 },
];

const saysFailure = (evidence: EvidenceList[number] | undefined): boolean =>
  evidence?.kind === 'install-failed';

/** Of targets whose first evidence may say that they failed. */
export function countsOf(
  targets: readonly Pick<RequestTarget, 'state' | 'endedAt' | 'evidence'>[],
): TargetCounts {
  const counts: Partial<Record<CountKey, number>> = {};
  const add = (key: CountKey) => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const { state, endedAt, evidence } of targets) {
    add(state);
    if (endedAt === null) add('open');
    if (state === 'not_verified' && saysFailure(evidence[0])) add('failed');
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
