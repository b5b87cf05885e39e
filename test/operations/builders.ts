/** Targets for tests of pure functions. */
import { instant, later, MINUTE } from '../../src/lib/clock.ts';
import { operationId, pauseId, personId } from '../../src/lib/ids.ts';
import type { Baseline, TargetRecord } from '../../src/store/port/records.ts';
import type { PauseRecord } from '../../src/store/port/settings-records.ts';
import { DEVICE } from './simulated-fleet.ts';

/** When the command was sent. */
export const SENT = instant(Date.UTC(2026, 5, 5, 4, 0));
/** A time before it. */
export const EARLIER = later(SENT, -60 * MINUTE);

export function aTarget(change: Partial<TargetRecord> = {}, before: Partial<Baseline> = {}): TargetRecord {
  return {
    operationId: operationId('o_1'),
    deviceId: DEVICE,
    displayName: 'web-01',
    state: 'accepted',
    before: {
      at: SENT,
      connected: true,
      lastRefreshTime: EARLIER,
      lastDisconnectTime: EARLIER,
      uptime: 5000,
      needsReboot: true,
      queueIds: [],
      missing: [],
      policy: null,
      ...before,
    },
    queueEntryId: null,
    issuedAt: SENT,
    acceptedAt: SENT,
    queuedAt: null,
    missedAt: null,
    answeredAt: null,
    endedAt: null,
    response: null,
    evidence: null,
    endCause: null,
    deadlineAt: later(SENT, 30 * MINUTE),
    ...change,
  };
}

/** A pause without an end. */
export function aPause(): PauseRecord {
  const by = personId('U_ADMIN');
  return { id: pauseId('p_1'), by, reason: 'an incident', since: SENT, endedBy: null, endedAt: null };
}
