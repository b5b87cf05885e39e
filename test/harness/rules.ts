/** What the rules of a configuration file without rules ask for, and who agreed. */
import { instant } from '../../src/lib/clock.ts';
import type { UserGroupId } from '../../src/lib/ids.ts';
import type { RequestRules } from '../../src/rules/quorum.ts';
import { DEFAULT_ASKING, type Judgement } from '../../src/rules/rules.ts';
import type { RequestRecord } from '../../src/store/port/request-records.ts';

/** How long a request waits. */
export const EXPIRY_MS = DEFAULT_ASKING.expiresMs;

const DEMAND = {
  rule: null,
  devices: 1,
  quorums: [{ from: null, count: 1 }],
  remindMs: 900_000,
  escalate: null,
};

export const ASKS = {
  kind: 'asks',
  demands: [DEMAND],
  reasons: [],
  expiresMs: EXPIRY_MS,
} as const satisfies Judgement;
export const RUNS = { kind: 'runs', by: [] } as const satisfies Judgement;

/** What a returned request asks for anew. */
export const ASKS_ANEW = { digest: '', demands: [DEMAND], expiresMs: EXPIRY_MS };

/** One approver agrees; whoever decided the request did. */
export function rulesOf({
  state = 'waiting',
  expiresAt = instant(1),
  decidedBy = null,
  decidedAt = null,
}: Partial<RequestRecord>): RequestRules {
  const wasApproved = decidedBy !== null && ['approved', 'running', 'ended'].includes(state);
  const approvals = wasApproved ? [{ by: decidedBy, at: decidedAt ?? instant(0), groups: [] }] : [];
  const demands = expiresAt === null ? [] : [DEMAND];
  return {
    digest: '',
    requester: { in: [], out: [] },
    demands,
    approvals,
    since: instant(0),
    told: [],
    refusedBy: [],
    runs: [],
  };
}

/** Slack has no user groups that a rule names. */
export const NO_GROUPS = {
  membershipsOf: async (_person: unknown, groups: readonly UserGroupId[]) => ({ in: [], out: groups }),
};
