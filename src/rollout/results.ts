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

export function countIn<State extends string>(
  counts: { readonly [Each in State]?: number },
  states: readonly State[],
): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** Evidence with which a command ends of which no end was seen. */
const NO_END_SEEN: readonly string[] = ['still-queued', 'unconfirmed', 'unread-to-the-end'];

type Ended = {
  readonly state: string;
  readonly answeredAt: number | null;
  readonly evidence: readonly { readonly kind: string }[];
};

/** Whether the device may run the command later: neither its answer was seen, nor that it left the queue. */
export function mayRun({ state, answeredAt, evidence }: Ended): boolean {
  const isEndSeen = state !== 'not_verified' || answeredAt !== null;
  return !isEndSeen && evidence.some(({ kind }) => NO_END_SEEN.includes(kind));
}

/** What is requested once more: one group, or null for that to which nothing was done: all, where nobody decided. */
export type AgainSet = 'failed' | 'not-sent' | null;
const UNDONE = ['not_sent', 'refused'] as const;

function statesAgain({ state }: { readonly state: string }, of: AgainSet) {
  if (of !== null) return RESULT_STATES[of];
  return state === 'expired' ? (['ready', ...UNDONE] as const) : UNDONE;
}

/** Whether this target is: never while its device may still run the command. */
export function isAgain(request: { readonly state: string }, of: AgainSet, target: Ended): boolean {
  return statesAgain(request, of).some((state) => state === target.state) && !mayRun(target);
}

type AgainCounts = {
  readonly [Key in 'ready' | 'not_sent' | 'refused' | 'not_verified' | 'may_run']?: number;
};

export function countAgain(
  { state, counts }: { readonly state: string; readonly counts: AgainCounts },
  of: AgainSet,
): number {
  const left = of === 'failed' ? countIn(counts, ['may_run']) : 0;
  return countIn(counts, statesAgain({ state }, of)) - left;
}
