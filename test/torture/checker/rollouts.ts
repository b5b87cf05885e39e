/**
 * Rollouts: nothing is claimed while one is held or beyond its wave, another approver lets it go on, its card counts what
 * the database does, and people are told of it once. The audit says in which order everything was committed.
 */
import {
  clockTime,
  type Evidence,
  type Fields,
  hasPressed,
  isFields,
  parseJsonField,
  type Rule,
  type TableRow,
  type TableRows,
  type Violation,
  type VisibleMessage,
} from './evidence.ts';
import { ANYBODY } from './rule-files.ts';

export type Rollout = {
  readonly id: string;
  readonly request: TableRow;
  /** Devices in each wave. */
  readonly waves: readonly number[];
  /** How long an approval of it lasts. */
  readonly lastsMs: number;
  readonly targets: readonly TableRow[];
  /** Audit entries of it, in order. */
  readonly entries: readonly TableRow[];
};

/** The progress of a rollout; null for a request that is none. */
export function progressOf({ rollout }: TableRow): Fields | null {
  return rollout === null || rollout === undefined ? null : parseJsonField(rollout);
}

/** Whether a person has to let it go on. */
export function isHeld(request: TableRow): boolean {
  return isFields(progressOf(request)?.['hold']);
}

export function rolloutsIn({ requests, request_targets: targets, audit }: TableRows): readonly Rollout[] {
  const inOrder = audit.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
  return requests.flatMap((request) => {
    const plan = progressOf(request)?.['plan'];
    if (!isFields(plan) || !Array.isArray(plan['waves'])) return [];
    const id = String(request['id']);
    return [
      {
        id,
        request,
        waves: plan['waves'].map(Number),
        lastsMs: Number(plan['lastsMs']),
        targets: targets.filter((row) => row['request_id'] === id),
        entries: inOrder.filter(({ subject }) => subject === id),
      },
    ];
  });
}

const RETURNED = 'approval.sent-back';
const STOPS = [
  'rollout.stopped',
  'rollout.closed',
  'rollout.unresumed',
  'approval.denied',
  'approval.expired',
  'approval.withdrawn',
];
export const HOLDS: ReadonlySet<string> = new Set([
  'rollout.paused',
  'rollout.braked',
  'rollout.unanswered',
  'rollout.drifted',
  'rollout.unproven',
  'rollout.expired',
  'rollout.away',
  RETURNED,
  ...STOPS,
]);
const WITHOUT = 'rollout.continued-without';
const RESUMES = new Set(['rollout.resumed', 'rollout.continued', WITHOUT]);
const WAVE_ENDED = 'rollout.wave-ended';
export const RELEASES: ReadonlySet<string> = new Set([...RESUMES, 'approval.approved']);
export const CLAIM = 'operation.issuing';

/** No claim comes between what holds the rollout and what lets it go on. */
export const heldClaimsNothing: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, entries }) => {
    let holds: string | null = null;
    return entries.flatMap((entry): readonly Violation[] => {
      const action = String(entry['action']);
      const isGate = action === WAVE_ENDED && parseJsonField(entry['detail'])['waits'] === true;
      if (isGate || HOLDS.has(action)) holds = action;
      if (RELEASES.has(action)) holds = null;
      if (action !== CLAIM || holds === null) return [];
      const what = `${deviceIn(entry)} was claimed at ${clockTime(entry['at'])} after ${holds} (${id})`;
      return [{ rule: 'a held rollout claims nothing', what }];
    });
  });

/** Calls in a row without a clear answer after which a rollout is held. */
const MOST_LOST_IN_ROW = 5;

/** No claim comes after so many results in a row that nobody knows, unless somebody let the rollout go on. */
export const lostAnswersHold: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, entries }) => {
    const awaited = new Set<unknown>();
    let lost = 0;
    return entries.flatMap((entry): readonly Violation[] => {
      const action = String(entry['action']);
      if (RESUMES.has(action) || action === WAVE_ENDED) lost = 0;
      if (action === CLAIM) {
        awaited.add(deviceIn(entry));
        if (lost < MOST_LOST_IN_ROW) return [];
        const what = `${deviceIn(entry)} was claimed at ${clockTime(entry['at'])} after ${lost} lost answers (${id})`;
        return [{ rule: 'lost answers hold a rollout', what }];
      }
      if (action.startsWith('operation.') && awaited.delete(deviceIn(entry))) lost = lostAfter(entry, lost);
      return [];
    });
  });

/** What was given back, or was interrupted, says nothing of the service. */
function lostAfter({ action, detail }: TableRow, lost: number): number {
  if (action === 'operation.unknown') return String(detail).includes('answer-lost') ? lost + 1 : lost;
  return /^operation\.(?:ready|not_sent|not_needed)$/.test(String(action)) ? lost : 0;
}

/** Each device is claimed in its wave, and a wave begins when the one before was over. */
export const claimsStayInWave: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, waves, targets, entries }) => {
    let current = 0;
    return entries.flatMap((entry): readonly Violation[] => {
      if (entry['action'] === WAVE_ENDED || entry['action'] === WITHOUT)
        current = Number(parseJsonField(entry['detail'])['wave']);
      if (entry['action'] !== CLAIM) return [];
      const device = deviceIn(entry);
      const target = targets.find((row) => row['device_id'] === device);
      const wave = target === undefined ? null : waveAt(waves, Number(target['position']));
      if (wave === current) return [];
      const what = `${device} of wave ${wave} was claimed in wave ${current} at ${clockTime(entry['at'])} (${id})`;
      return [{ rule: 'a rollout stays in its wave', what }];
    });
  });

/** Nothing is claimed once the approval is over, until an approver lets it go on, who gives it the same time again. */
export const approvalsEnd: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, lastsMs, entries }) => {
    let endsAt = Number.POSITIVE_INFINITY;
    return entries.flatMap((entry): readonly Violation[] => {
      const [action, at] = [String(entry['action']), Number(entry['at'])];
      if (BEGINS.has(action) || (RESUMES.has(action) && at >= endsAt)) endsAt = at + lastsMs;
      if (action !== CLAIM || at < endsAt) return [];
      const what = `${deviceIn(entry)} was claimed at ${clockTime(at)}, after the approval of ${id} ended`;
      return [{ rule: 'an approval ends', what }];
    });
  });

const BEGINS = new Set(['approval.approved', 'operation.requested']);

/** By itself a wave begins only after one of which a device is verified. */
export const wavesProve: Rule = ({ tables }) =>
  rolloutsIn(tables).flatMap(({ id, waves, targets, entries }) => {
    const verified = new Set<number>();
    return entries.flatMap((entry): readonly Violation[] => {
      const target = targets.find((row) => row['device_id'] === deviceIn(entry));
      if (entry['action'] === 'operation.verified' && target !== undefined)
        verified.add(waveAt(waves, Number(target['position'])));
      const isOwn = entry['action'] === WAVE_ENDED && entry['actor'] === 'patchbay';
      const wave = Number(parseJsonField(entry['detail'])['wave']);
      if (!isOwn || verified.has(wave - 1)) return [];
      return [{ rule: 'a wave proves something', what: `nothing of wave ${wave} of ${id} was verified` }];
    });
  });

export function deviceIn(entry: TableRow): unknown {
  return parseJsonField(entry['detail'])['device'];
}

export function waveAt(waves: readonly number[], position: number): number {
  let end = 0;
  return waves.findIndex((size) => {
    end += size;
    return position < end;
  });
}

/** To let a rollout go on takes an approver other than its requester, who pressed the button. */
export const releasedByAnother: Rule = (evidence) =>
  rolloutsIn(evidence.tables).flatMap((rollout) =>
    rollout.entries
      .filter(({ action }) => RESUMES.has(String(action)))
      .flatMap((entry): readonly Violation[] => {
        const what = lacks(entry, rollout, evidence);
        const rule = 'another approver lets a rollout go on';
        return what === null ? [] : [{ rule, what: `${what} at ${clockTime(entry['at'])} (${rollout.id})` }];
      }),
  );

const RELEASING_BUTTONS: Readonly<Record<string, string>> = {
  'rollout.resumed': 'control:resume',
  [WITHOUT]: 'control:continue-without',
};

function lacks(entry: TableRow, { request }: Rollout, evidence: Evidence): string | null {
  const { actor } = entry;
  if (actor === request['requester_id']) return 'its requester let it go on';
  if (!ANYBODY.some((name) => evidence.people[name] === actor)) return `${String(actor)} is no approver`;
  const button = RELEASING_BUTTONS[String(entry['action'])] ?? 'control:continue';
  return hasPressed(evidence, actor, button, Number(entry['at'])) ? null : `nobody pressed ${button}`;
}

/** The states of a target, by the words for them on a card. */
const STATES_OF: Readonly<Record<string, readonly string[]>> = {
  verified: ['verified'],
  failed: ['not_verified'],
  'not verified': ['not_verified'],
  'not accepted': ['refused'],
  'outcome unknown': ['unknown'],
  'not sent': ['not_sent'],
  'no longer needed': ['not_needed'],
  answered: ['answered'],
  queued: ['queued'],
  accepted: ['accepted'],
  waiting: ['ready', 'issuing'],
};
const COUNTED = new RegExp(`\\b(\\d+) (${Object.keys(STATES_OF).join('|')})\\b`, 'g');
const STARTED: readonly unknown[] = ['running', 'ended'];

/** The counts on a rollout's card are those of the database, and their sum is all of its devices. */
export const cardsCountRight: Rule = ({ tables, messages }) =>
  rolloutsIn(tables)
    .filter(({ request, targets }) => STARTED.includes(request['state']) && targets.length > 1)
    .flatMap(({ id, targets }): readonly Violation[] => {
      const card = messages.find(
        ({ key, ephemeral }) => !ephemeral && (key === `approval:${id}` || key === `operation:${id}`),
      );
      if (card === undefined) return [];
      const shown = [...countsIn(card).matchAll(COUNTED)].map(([, count, words = '']) => ({
        count: Number(count),
        states: STATES_OF[words] ?? [],
      }));
      const rule = 'a rollout’s card counts its devices';
      const sum = shown.reduce((all, { count }) => all + count, 0);
      if (sum !== targets.length)
        return [{ rule, what: `the card of ${id} counts ${sum} of ${targets.length} devices` }];
      return [...new Set(targets.map(({ state }) => String(state)))].flatMap((state) => {
        const like = shown.filter(({ states }) => states.includes(state));
        const all = new Set(like.flatMap(({ states }) => states));
        const recorded = targets.filter((row) => all.has(String(row['state']))).length;
        const said = like.reduce((total, { count }) => total + count, 0);
        return said === recorded && said > 0
          ? []
          : [{ rule, what: `the card of ${id} says ${said} are ${state}, the database ${recorded}` }];
      });
    });

/** The line below the bar. */
function countsIn({ blocks }: VisibleMessage): string {
  const lines = textsIn(blocks).flatMap((text) => text.split('\n'));
  return lines[lines.findIndex((line) => /\d+ of \d+ done(?:, \d+ skipped)?$/.test(line)) + 1] ?? '';
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isFields(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A part of it may have been returned, and stopped because nobody approved that. */
const INCIDENTS = new Set([...HOLDS, ...RESUMES, WAVE_ENDED]);
/** Of a request of which nothing ran: its end is no incident of a rollout, but that it was returned before is one. */
const DECISIONS: readonly unknown[] = ['denied', 'expired', 'withdrawn'];
const ENDS_BY_DECISION: readonly unknown[] = ['approval.denied', 'approval.expired', 'approval.withdrawn'];

/** One direct message when it ended, and one line in its thread for each wave that ended and each incident. */
export const toldOnce: Rule = ({ tables, messages }) =>
  rolloutsIn(tables).flatMap(({ id, request, entries }): readonly Violation[] => {
    const rule = 'people are told of a rollout once';
    const told = messages.filter(({ key }) => key === `told:approval:${id}`).length;
    const isOver = request['state'] === 'ended' && request['expires_at'] !== null;
    const lines = tables.cards.filter(({ key }) => String(key).startsWith(`line:${id}.`)).length;
    const nothingRan = DECISIONS.includes(request['state']);
    const incidents = entries.filter(
      ({ action }) => INCIDENTS.has(String(action)) && !(nothingRan && ENDS_BY_DECISION.includes(action)),
    ).length;
    return [
      ...(isOver && told !== 1 ? [{ rule, what: `${told} messages say that ${id} ended` }] : []),
      ...(lines === incidents ? [] : [{ rule, what: `${lines} lines for ${incidents} incidents of ${id}` }]),
    ];
  });
