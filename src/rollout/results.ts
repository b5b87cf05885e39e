/** In which groups the devices of a request are listed by their states. Pure. */

/** In the order of the list: first those on which it did not work. */
export const RESULT_GROUPS = [
  'failed',
  'unknown',
  'not-sent',
  'open',
  'waiting',
  'not-needed',
  'verified',
] as const;
export type ResultGroup = (typeof RESULT_GROUPS)[number];

/** Each state is in one group. */
export const RESULT_STATES = {
  failed: ['not_verified', 'refused'],
  unknown: ['unknown'],
  'not-sent': ['not_sent'],
  open: ['issuing', 'accepted', 'queued', 'answered'],
  waiting: ['ready'],
  'not-needed': ['not_needed'],
  verified: ['verified'],
} as const satisfies Readonly<Record<ResultGroup, readonly string[]>>;

/** How many targets are in one of these states. */
export function countIn<State extends string>(
  counts: { readonly [Each in State]?: number },
  states: readonly State[],
): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** The states of targets to which nothing was done, so that they may be requested once more: all, where nobody decided. */
export function undoneStates({
  state,
}: {
  readonly state: string;
}): readonly ('ready' | 'not_sent' | 'refused')[] {
  return state === 'expired' ? ['ready', 'not_sent', 'refused'] : ['not_sent', 'refused'];
}
