/** Several requests in one window, a page at a time: which of them it offers. */
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import { type SeveralDecisions, whyAlone } from '../../store/port/decision-windows.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';

/** Rows of a window: Slack takes 100 blocks, and a row has two. */
const PAGE_SIZE = 20;
/** As long as a window for one request is open. */
const OPEN_MS = 15 * MINUTE;

type PageOptions = { readonly person: PersonId; readonly page: number; readonly now: Instant };

/** What a page of the window shows of those that wait, and what its submission may decide; pure. */
export function severalPage<R extends RequestRecord>(
  waiting: readonly R[],
  { person, page: wanted, now }: PageOptions,
) {
  // One whose time is over waits no more, whether or not its work has run.
  const open = waiting.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
  // Fewer may wait than when the button was shown.
  const page = Math.max(Math.min(wanted, Math.ceil(open.length / PAGE_SIZE) - 1), 0);
  const end = (page + 1) * PAGE_SIZE;
  const rows = open.slice(end - PAGE_SIZE, end).map((request) => ({
    request,
    alone: request.requesterId === person ? ('own-request' as const) : whyAlone(request),
  }));
  const requests = rows.flatMap(({ request: { id: requestId, seal }, alone }) =>
    alone === null && seal !== null ? [{ requestId, seal }] : [],
  );
  const decides = { kind: 'several', requests } as const satisfies SeveralDecisions;
  return { rows, decides, devices: null, page, more: open.length > end, endsAt: later(now, OPEN_MS) };
}
