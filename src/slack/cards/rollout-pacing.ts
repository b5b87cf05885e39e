/**
 * When the card of a rollout may be edited. Each change of a device wants an edit, and Slack takes about 50 a minute for
 * all channels together (`chat.update` is in tier 3, docs.slack.dev/apis/web-api/rate-limits), which other cards need, too.
 */
import { type Clock, type Instant, later, MINUTE, SECOND, wallNow } from '../../lib/clock.ts';
import { setNewest } from '../../lib/newest.ts';
import type { CardKey } from '../../store/port/records.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';

/** Between two edits of one card. */
export const EDIT_INTERVAL_MS = 3 * SECOND;
/** Edits of all rollouts in a minute: for progress, and beside that for decisions. */
export const PROGRESS_EDITS = 20;
export const DECISION_EDITS = 5;

export type EditKind = 'progress' | 'decision';

/** The content that an edit would show. */
export type PacedContent = {
  readonly card: CardKey;
  readonly revision: number;
  /** Equal for contents that look the same. */
  readonly content: string;
  /** Changes with decisions and holds, which people wait for. */
  readonly stage: string;
};

export type EditTurn =
  | { readonly kind: 'shown' }
  | {
      readonly kind: 'now';
      readonly edit: EditKind;
      /** Other replicas have made so many that it comes then. */
      readonly putOff: (until: Instant) => void;
    }
  | { readonly kind: 'at'; readonly at: Instant };

export type RolloutPacing = {
  /** `shown`: the card shows this already. `at`: its turn has come, or comes then, whatever is wanted until then. */
  readonly turnOf: (wanted: PacedContent, shownRevision: number) => EditTurn;
  readonly edited: (shown: PacedContent) => void;
};

type LastEdit = { readonly at: Instant; readonly shown: PacedContent };

/** Cards that are remembered: more than run at once. */
const MAX_REMEMBERED = 1_000;

export function createRolloutPacing(clock: Pick<Clock, 'now'>): RolloutPacing {
  const last = new Map<CardKey, LastEdit>();
  const turns = new Map<CardKey, Instant>();
  const progress = createBudget(PROGRESS_EDITS);
  const decisions = createBudget(DECISION_EDITS);

  const turnIn = (card: CardKey, now: Instant): Instant => {
    const before = last.get(card);
    const apart = before === undefined ? now : later(before.at, EDIT_INTERVAL_MS);
    const at = turns.get(card) ?? progress.reserve(apart > now ? apart : now);
    turns.set(card, at);
    return at;
  };

  /** The card is edited now: a turn that came sooner than its next interval would be too early. */
  const giveUpTurn = (card: CardKey): void => {
    const at = turns.get(card);
    if (at === undefined) return;
    turns.delete(card);
    progress.release(at);
  };

  const made = (edit: EditKind, card: CardKey, now: Instant): EditTurn => ({
    kind: 'now',
    edit,
    putOff(until) {
      (edit === 'decision' ? decisions : progress).giveBack(now);
      turns.set(card, until);
    },
  });

  return {
    turnOf({ card, content, stage }, shownRevision) {
      const now = clock.now();
      const before = last.get(card);
      // Another replica, or a late call, may have drawn it since.
      const isOurs = before !== undefined && before.shown.revision === shownRevision;
      if (isOurs && before.shown.content === content) return { kind: 'shown' };
      const isApart = before === undefined || now >= later(before.at, EDIT_INTERVAL_MS);
      if (before?.shown.stage !== stage && isApart && decisions.use(now)) {
        giveUpTurn(card);
        return made('decision', card, now);
      }
      const at = turnIn(card, now);
      if (at > now) return { kind: 'at', at };
      giveUpTurn(card);
      // Others may have come later than their turns.
      return progress.use(now) ? made('progress', card, now) : { kind: 'at', at: turnIn(card, now) };
    },
    edited(shown) {
      setNewest(last, shown.card, { at: clock.now(), shown }, MAX_REMEMBERED);
    },
  };
}

/** So many edits in any minute. */
function createBudget(perMinute: number) {
  /** The latest ones, in order, then those to come. */
  let used: readonly Instant[] = [];
  let reserved: readonly Instant[] = [];
  const freeAt = (taken: readonly Instant[], from: Instant): Instant => {
    const first = taken.length < perMinute ? undefined : taken[taken.length - perMinute];
    const free = first === undefined ? from : later(first, MINUTE);
    return free > from ? free : from;
  };
  return {
    /** The time at which one more may be made; it is kept for it. */
    reserve: (from: Instant): Instant => {
      const at = freeAt([...used, ...reserved], from);
      reserved = [...reserved, at].toSorted((a, b) => a - b);
      return at;
    },
    release: (at: Instant): void => {
      const index = reserved.indexOf(at);
      reserved = reserved.filter((_, other) => other !== index);
    },
    giveBack: (at: Instant): void => {
      const index = used.lastIndexOf(at);
      used = used.filter((_, other) => other !== index);
    },
    /** False: too many were made in the last minute. */
    use: (now: Instant): boolean => {
      if (freeAt(used, now) > now) return false;
      used = [...used, now].slice(-perMinute);
      return true;
    },
  };
}

const EDITS = 'rollout-edits';

type RolloutTurns = Pick<RolloutPacing, 'edited'> & {
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
