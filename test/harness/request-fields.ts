/** The fields of requests and targets that are empty until something happens. */

/** Of a request that nobody decided and that did not run. */
export const UNDECIDED = {
  decidedBy: null,
  decidedAt: null,
  comment: null,
  approvedBy: null,
  approvedAt: null,
  note: null,
  startedAt: null,
  endedAt: null,
  askedLastHour: null,
  typedCount: false,
  reach: 1,
  rollout: null,
} as const;

/** Of a target of which nothing was seen. */
export const UNSEEN = {
  queueEntryId: null,
  queuedAt: null,
  missedAt: null,
  answeredAt: null,
  endedAt: null,
  nextAt: null,
  response: null,
  evidence: [],
} as const;
