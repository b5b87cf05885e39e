/**
 * A request that waits is told of twice at most: those who can still agree are mentioned again in its thread, and then those
 * to whom it escalates, who can agree from then on. `nudge` work, put with the request and each time that it is asked anew.
 */
import { type Clock, type Instant, later } from '../../lib/clock.ts';
import { cardKey, type RequestId, requestCardKey } from '../../lib/ids.ts';
import { type Demand, escalated, type RequestRules, unmet } from '../../rules/quorum.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';

/** Why people are mentioned. */
export type Nudge = 'remind' | 'escalate';

/** When it is next to be told of; null: not again. Pure. */
export function nextNudgeAt({
  rules,
  expiresAt,
}: Pick<RequestRecord, 'rules' | 'expiresAt'>): Instant | null {
  const { since, told } = rules;
  const half = expiresAt === null ? [] : (expiresAt - since) / 2;
  const waits = unmet(rules).map(({ demand }) => demand);
  const reminders = told.includes('remind')
    ? []
    : waits.flatMap(({ remindMs }) => (remindMs === 'half' ? half : (remindMs ?? [])));
  const escalations = waits.flatMap(({ escalate }) => escalate?.afterMs ?? []);
  const first = Math.min(...reminders, ...escalations);
  return Number.isFinite(first) ? later(since, first) : null;
}

/** With the request, or with its return. */
export async function putNudge(
  { work }: Pick<StoreTables, 'work'>,
  request: Pick<RequestRecord, 'id' | 'rules' | 'expiresAt'>,
): Promise<void> {
  const dueAt = nextNudgeAt(request);
  if (dueAt !== null) await work.put({ kind: 'nudge', key: request.id, dueAt });
}

/** Handler of `nudge` work. */
export function createNudge({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, 'now'> }) {
  return async (id: RequestId): Promise<WorkResult> => {
    const request = await store.requests.get(id);
    const now = clock.now();
    if (request === null || request.state !== 'waiting') return { kind: 'done' };
    if (request.expiresAt !== null && now >= request.expiresAt) return { kind: 'done' };
    const dueAt = nextNudgeAt(request);
    if (dueAt === null) return { kind: 'done' };
    if (now < dueAt) return { kind: 'again', dueAt };
    const { nudge, rules } = nudged(request.rules, now);
    const next = { ...request, rules, version: request.version + 1 };
    const isTold = await store.transaction(async (tables) => {
      if (!(await tables.requests.replace(next))) return false;
      await tables.cards.enqueueUpdate(requestCardKey(request), now);
      const card = await tables.cards.get(requestCardKey(request));
      // In all its life it mentions people three times at most: when it is asked, and once for each of these.
      if (card === null || request.rules.told.includes(nudge)) return true;
      const { channel, fallbackPerson } = card;
      const key = cardKey('nudge', `${id}.${rules.since}.${nudge}`);
      await tables.cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
      return true;
    });
    const after = isTold ? nextNudgeAt(next) : now;
    return after === null ? { kind: 'done' } : { kind: 'again', dueAt: after };
  };
}

/** What is due: those to whom it escalates can agree from now on. Pure. */
export function nudged(rules: RequestRules, now: Instant) {
  const isDue = ({ escalate }: Demand) => escalate !== null && now >= later(rules.since, escalate.afterMs);
  if (!unmet(rules).some(({ demand }) => isDue(demand)))
    return { nudge: 'remind', rules: { ...rules, told: [...rules.told, 'remind'] } } as const;
  const demands = rules.demands.map((demand) => (isDue(demand) ? escalated(demand) : demand));
  // Who is told to decide now needs no reminder beside it.
  const told = [...new Set([...rules.told, 'remind', 'escalate'] as const)];
  return { nudge: 'escalate', rules: { ...rules, demands, told } } as const;
}
