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

/** States of targets to which nothing was done: not sent, or not accepted. */
export const UNDONE_STATES = ['not_sent', 'refused'] as const;

/** How many targets are in one of these states. */
export function countIn<State extends string>(
  counts: { readonly [Each in State]?: number },
  states: readonly State[],
): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}
