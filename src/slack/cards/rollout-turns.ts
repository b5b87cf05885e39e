/**
 * When the card of a rollout is edited: in its turn among those of this process, and within the minute that all replicas
 * share.
 */
import { type Clock, type Instant, later, MINUTE, wallNow } from '../../lib/clock.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';
import {
  createRolloutPacing,
  DECISION_EDITS,
  type EditKind,
  type PacedContent,
  PROGRESS_EDITS,
  type RolloutPacing,
} from './rollout-pacing.ts';

const EDITS = 'rollout-edits';

export type RolloutTurns = Pick<RolloutPacing, 'edited'> & {
  /** `shown`: nothing is to be sent. */
  readonly turnOf: (
    wanted: PacedContent,
    shownRevision: number,
  ) => Promise<
    { readonly kind: 'shown' } | { readonly kind: 'now' } | { readonly kind: 'at'; readonly at: Instant }
  >;
};

export function createRolloutTurns(
  clock: Pick<Clock, 'now'>,
  replicas: Pick<ReplicaStore, 'takeToken'>,
): RolloutTurns {
  const pacing = createRolloutPacing(clock);

  /** How long to wait where the replicas have made too many; null: it is taken. */
  const take = async (kind: EditKind): Promise<number | null> => {
    const reserve = kind === 'decision' ? 0 : DECISION_EDITS;
    const limit = { capacity: PROGRESS_EDITS + DECISION_EDITS, windowMs: MINUTE, reserve } as const;
    const grant = await replicas.takeToken(EDITS, { ...limit, ignoresPause: true }, clock.now() - wallNow());
    return grant.kind === 'wait' ? grant.ms : null;
  };

  return {
    edited: pacing.edited,
    async turnOf(wanted, shownRevision) {
      const turn = pacing.turnOf(wanted, shownRevision);
      if (turn.kind !== 'now') return turn;
      const waitMs = await take(turn.edit);
      if (waitMs === null) return { kind: 'now' };
      const at = later(clock.now(), waitMs);
      turn.putOff(at);
      return { kind: 'at', at };
    },
  };
}
