/** Several requests in one window: each is checked by its own seal and decided on its own. */
import { isRemoval } from '../../fleet/model/actions.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId, RequestId } from '../../lib/ids.ts';
import type { SeveralDecisions, WhyAlone, WindowRefusal } from '../../store/port/decision-windows.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { DecisionInput, DecisionResult } from './state-machine.ts';

/** Rows of a window: Slack takes 100 blocks, and a row has two. */
const PAGE_SIZE = 20;
/** As long as a window for one request is open. */
const OPEN_MS = 15 * MINUTE;

/** Why a request cannot be marked among others; null: it can. */
export function whyAlone(
  { requesterId, action, typedCount, seal }: RequestRecord,
  person: PersonId,
): WhyAlone | null {
  if (requesterId === person) return 'own-request';
  if (isRemoval(action)) return 'removal';
  return typedCount || seal === null ? 'count-to-type' : null;
}

type PageOptions = { readonly person: PersonId; readonly page: number; readonly now: Instant };

/** What a page of the window shows, the oldest first, and what its submission may decide; pure. */
export function severalPage<R extends RequestRecord>(
  waiting: readonly R[],
  { person, page: wanted, now }: PageOptions,
) {
  const open = waiting
    .filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const pages = Math.ceil(open.length / PAGE_SIZE);
  // Fewer may wait than when the button was shown.
  const page = Math.max(Math.min(wanted, pages - 1), 0);
  const rows = open
    .slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
    .map((request) => ({ request, alone: whyAlone(request, person) }));
  const requests = rows.flatMap(({ request: { id: requestId, seal }, alone }) =>
    alone === null && seal !== null ? [{ requestId, seal }] : [],
  );
  const decides = { kind: 'several', requests } as const satisfies SeveralDecisions;
  return { rows, decides, page, pages, total: open.length, endsAt: later(now, OPEN_MS) };
}

/** What is decided about the requests that were marked. */
export type Marks = {
  readonly decision: 'approve' | 'deny';
  readonly requests: readonly RequestId[];
};

/** What was submitted decides nothing. */
export type RefusedWindow = { readonly kind: 'window-refused'; readonly why: WindowRefusal };
export type SeveralResult = {
  readonly requestId: RequestId;
  readonly result: DecisionResult | RefusedWindow;
};

/**
 * One that fails stops none of the others. What failed unexpectedly is thrown at the end: the same submission is handled
 * again then, and what it decided before is a repetition.
 */
export async function decideMarked(
  { requests }: SeveralDecisions,
  marks: Marks,
  decide: (one: Pick<DecisionInput, 'requestId' | 'seal' | 'decision'>) => Promise<SeveralResult['result']>,
): Promise<readonly SeveralResult[]> {
  const results: SeveralResult[] = [];
  const failures: unknown[] = [];
  // What was not offered in the window is not decided, whatever the submission says.
  for (const { requestId, seal } of requests.filter((one) => marks.requests.includes(one.requestId))) {
    try {
      const result = await decide({ requestId, seal, decision: marks.decision });
      results.push({ requestId, result });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some of several requests were not decided');
  return results;
}
