/** The proof, before the first claim of a wave, that its people still have their rights; and what its card says meanwhile. */
import type { AccessVerdict, Permission } from '../../lib/access.ts';
import { type Clock, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import { type PersonId, requestCardKey } from '../../lib/ids.ts';
import { countIn } from '../../rollout/results.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import { type RequestRecord, totalOf, UNSENT_STATES } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';

/** `asOf`: when Slack gave the oldest answer that it stands on. */
export type RightReading = { readonly verdict: AccessVerdict; readonly asOf: Instant };

/** Whether somebody has a right, by answers of Slack that are at most {@link PROOF_AGE_MS} old. */
export type ReadRight = (person: PersonId, right: Permission) => Promise<RightReading>;

export const PROOF_AGE_MS = MINUTE;

type RightsProof =
  /** Until then something may be claimed; null: without an end. */
  | { readonly kind: 'proved'; readonly until: Instant | null }
  | { readonly kind: 'lost'; readonly who: 'requester' | 'approver' }
  /** Slack does not say. */
  | { readonly kind: 'unread' };

/** Whoever let go on what is to be sent now. */
function approversOf({ decidedBy, rollout, rules }: RequestRecord): readonly PersonId[] {
  const agreed = rules.approvals.map(({ by }) => by);
  return [...new Set([...agreed, decidedBy, rollout?.resumedBy ?? null])].filter((person) => person !== null);
}

function judgeRights(requester: RightReading, approvers: readonly RightReading[]): RightsProof {
  if (requester.verdict === 'refused') return { kind: 'lost', who: 'requester' };
  if (approvers.some(({ verdict }) => verdict === 'refused')) return { kind: 'lost', who: 'approver' };
  const all = [requester, ...approvers];
  if (all.some(({ verdict }) => verdict === 'unknown')) return { kind: 'unread' };
  const oldest = instant(Math.min(...all.map(({ asOf }) => asOf)));
  return { kind: 'proved', until: later(oldest, PROOF_AGE_MS) };
}

export type ProveRights = (request: RequestRecord) => Promise<RightsProof>;

type ProofOptions = {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly readRight: ReadRight;
};

export function createProveRights(options: ProofOptions): ProveRights {
  const { store, readRight } = options;
  return async (request) => {
    if (await isWaveBegun(store, request)) return { kind: 'proved', until: null };
    const approvers = approversOf(request).map((person) => readRight(person, 'approve'));
    const requester = readRight(request.requesterId, 'propose');
    const proof = judgeRights(await requester, await Promise.all(approvers));
    await noteUnread(options, request, proof.kind === 'unread' ? { kind: 'rights-unread' } : null);
    return proof;
  };
}

/** Whether something was sent, or may have been, since the wave began or went on: then its rights were proved before. */
async function isWaveBegun(store: Store, { id, rollout }: RequestRecord): Promise<boolean> {
  if (rollout === null) return false;
  const ofWave = (await store.requests.waveCounts(id))[rollout.wave] ?? {};
  if (totalOf(ofWave) <= countIn(ofWave, ['ready', ...UNSENT_STATES])) return false;
  return ((await store.targets.lastClaimAt(id)) ?? 0) > rollout.waveFrom;
}

/** The card says that it waits for Slack, as long as it does. */
async function noteUnread(
  { store, clock }: ProofOptions,
  { id, note: before }: RequestRecord,
  note: RequestNote | null,
): Promise<void> {
  if ((before?.kind === 'rights-unread') === (note !== null)) return;
  await store.transaction(async (tables) => {
    const request = await tables.requests.get(id);
    if (request === null) return;
    const isNoted = await tables.requests.replace({ ...request, note, version: request.version + 1 });
    if (isNoted) await tables.cards.enqueueUpdate(requestCardKey(request), clock.now());
  });
}
