/** Stored records in memory; every card is posted except those of `unposted`. */
import type { RecordsReader } from '../../../src/commands/core/command.ts';
import type { CardKey, DeviceId } from '../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import type { PauseRecord } from '../../../src/store/port/settings-records.ts';
import type { AuditRecord } from '../../../src/store/port/store.ts';
import type { HealthReport } from '../../../src/views/models/health-model.ts';
import { START } from '../../harness/builders.ts';

export type FakeRecordsContent = {
  /** Newest first. */
  readonly requests?: readonly RequestWithTargets[];
  /** Newest first. */
  readonly audit?: readonly AuditRecord[];
  readonly unposted?: readonly CardKey[];
  readonly pause?: PauseRecord;
  /** Devices that the person asked to change lately. */
  readonly asked?: number;
};

export function createFakeRecords(kept: FakeRecordsContent): RecordsReader {
  const { requests = [], audit = [], unposted = [], pause = null, asked = 0 } = kept;
  return {
    requests: async ({ states, requesterId, needsApproval, inWaves, device, oldestFirst }, limit) =>
      requests
        .filter(({ state }) => states === undefined || states.includes(state))
        .filter((one) => requesterId === undefined || one.requesterId === requesterId)
        .filter(({ expiresAt }) => needsApproval === undefined || expiresAt !== null)
        .filter(({ rollout }) => inWaves === undefined || rollout !== null)
        .map((one) => (device === undefined ? one : { ...one, targets: targetsOn(one, device) }))
        .filter(({ targets }) => device === undefined || targets.length > 0)
        .toSorted((a, b) => (oldestFirst === true ? a.createdAt - b.createdAt : 0))
        .slice(0, limit),
    request: async (id) => requests.find((one) => one.id === id) ?? null,
    shownRequest: async (id) => requests.find((one) => one.id === id) ?? null,
    targets: async (id, { states, limit, after = -1, before, skip = 0 } = {}) =>
      (requests.find((one) => one.id === id)?.targets ?? [])
        .filter(({ state }) => states === undefined || states.includes(state))
        .filter(({ position }) => position > after && (before === undefined || position < before))
        .slice(skip, limit === undefined ? undefined : skip + limit),
    byRequestKey: async (key) => requests.find(({ requestKey }) => requestKey === key) ?? null,
    requestedSince: async () => asked,
    audit: async (since, limit) => audit.filter(({ at }) => at >= since).slice(0, limit),
    pause: async () => pause,
    cardLink: async (key) => (unposted.includes(key) ? null : `https://example.slack.com/${key}`),
  };
}

function targetsOn({ targets }: RequestWithTargets, device: DeviceId): RequestWithTargets['targets'] {
  return targets.filter(({ deviceId }) => deviceId === device);
}

export const HEALTHY: HealthReport = {
  slack: true,
  database: true,
  events: { lastSuccess: START, failures: 0 },
  calls: {
    running: 1,
    waiting: { person: 0, write: 0, background: 2 },
    tokens: { lists: 28, window: 95 },
    capacities: { lists: 29, window: 100 },
    pausedForMs: 0,
    breaker: { state: 'closed', retryInMs: 0, failing: null },
    outcomes: { answered: 12 },
  },
  version: '0.1.0',
  troubles: [],
  silences: [],
  outbox: { waiting: 0, waitingAlerts: 0, oldestAt: null, givenUp: 0 },
  wroteAt: { slack: START, database: START },
};
