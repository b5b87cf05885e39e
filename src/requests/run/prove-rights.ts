/** The proof, before the first claim of a wave, that its people still have their rights; and what its card says meanwhile. */
import type { Clock } from '../../lib/clock.ts';
import { requestCardKey } from '../../lib/ids.ts';
import type { RequestNote } from '../../store/port/evidence.ts';
import { type RequestRecord, totalOf } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { approversOf, judgeRights, type ReadRight, type RightsProof } from '../decide/rights.ts';

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

/** Whether something of the wave was sent, or may have been: then its rights were proved before. */
async function isWaveBegun({ requests }: Store, { id, counts, rollout }: RequestRecord): Promise<boolean> {
  const ofWave = rollout === null ? counts : ((await requests.waveCounts(id))[rollout.wave] ?? {});
  const { ready = 0, not_sent: notSent = 0 } = ofWave;
  return totalOf(ofWave) > ready + notSent;
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
    if (
      request === null ||
      !(await tables.requests.replace({ ...request, note, version: request.version + 1 }))
    )
      return;
    await tables.cards.enqueueUpdate(requestCardKey(request), clock.now());
  });
}
