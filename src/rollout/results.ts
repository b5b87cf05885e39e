/** In which groups the devices of a request are listed by their states. Pure. */

/** In the order of the list: first those on which it did not work. */
export const RESULT_GROUPS = ['failed', 'unknown', 'not-sent', 'open', 'waiting', 'verified'] as const;
export type ResultGroup = (typeof RESULT_GROUPS)[number];

/** Each state is in one group. */
export const RESULT_STATES = {
  failed: ['not_verified', 'refused'],
  unknown: ['unknown'],
  'not-sent': ['not_sent'],
  open: ['issuing', 'accepted', 'queued', 'answered'],
  waiting: ['ready'],
  verified: ['verified'],
} as const satisfies Readonly<Record<ResultGroup, readonly string[]>>;
