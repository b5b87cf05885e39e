/** The state of a request as people read it: on its card, in lists and in messages. */
import { type ActionKind, changesRecord } from '../../fleet/model/actions.ts';
import { isHeld, type Rollout, type RolloutHold } from '../../rollout/progress.ts';
import { countIn, RESULT_STATES } from '../../rollout/results.ts';
import {
  hasFailed,
  type RequestRecord,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
  type TargetState,
  totalOf,
} from '../../store/port/request-records.ts';
import { section } from '../kit/blocks.ts';
import type { StateCounts } from '../kit/card-metadata.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../kit/limits.ts';
import { type Labelled, SIGN } from '../kit/message.ts';
import { bar } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { CardState, RolloutDetails, RolloutState } from '../models/request-model.ts';
import { countText, listTargets, STATE_LABELS } from '../text/common-text.ts';

/** It was approved earlier, or its note says why it is to be decided. */
export function wentBack({ approvedBy, note }: Pick<RequestRecord, 'approvedBy' | 'note'>): boolean {
  return approvedBy !== null || note !== null;
}

/** A request that waits once more, because what was approved changed before it was sent. */
export const NEEDS_APPROVAL_AGAIN: Labelled = { sign: SIGN.waiting, words: 'Needs approval again' };

export function requestLabel(request: RequestWithTargets): Labelled {
  if (isRollout(request) && hasOutcome(request)) return rolloutLabel(request);
  const [only] = request.targets;
  if (hasOutcome(request) && only !== undefined) return targetLabel(only);
  if (request.state === 'waiting' && wentBack(request)) return NEEDS_APPROVAL_AGAIN;
  if (request.state === 'approved') return { sign: SIGN.waiting, words: 'Approved' };
  return STATE_LABELS[cardState(request)];
}

/** Open states first, then those that a person should look at. */
const STATE_ORDER = [
  'waiting',
  'accepted',
  'queued',
  'answered',
  'unknown',
  'not_verified',
  'refused',
  'not_sent',
  'verified',
  'not_needed',
] as const;
type OutcomeState = (typeof STATE_ORDER)[number];

type Decided = Pick<RequestRecord, 'state' | 'counts'>;

/** State of a request: its decision until it runs, then the least advanced of its targets. */
export function cardState({ state, counts }: Decided): CardState {
  const isDecided = state === 'approved' || state === 'running' || state === 'ended';
  return isDecided ? outcomeState({ counts }) : state;
}

/** The least advanced state of the targets; approved and not yet sent counts as waiting. */
export function outcomeState({ counts }: Pick<Decided, 'counts'>): OutcomeState {
  return STATE_ORDER.find((state) => countIn(counts, statesOf(state)) > 0) ?? 'waiting';
}

function statesOf(state: OutcomeState): readonly TargetState[] {
  return state === 'waiting' ? ['ready', 'issuing'] : [state];
}

/** Whether its targets say more than its decision: something was sent, or ended unsent, or holds a rollout before its first device. */
export function hasOutcome(request: Pick<RequestRecord, 'state' | 'expiresAt' | 'rollout'>): boolean {
  const { state, expiresAt, rollout } = request;
  if (state === 'approved') return expiresAt === null || (rollout !== null && rollout.hold !== null);
  return state === 'running' || state === 'ended';
}

/** State of one device as a card shows it: a claim that is not sent yet counts as waiting. */
export function targetState(state: TargetState): OutcomeState {
  return state === 'ready' || state === 'issuing' ? 'waiting' : state;
}

/** The state of one device of several: one that waits for its turn, or for a person, is named as in the counts. */
export function memberLabel(target: RequestTarget): Labelled {
  return targetState(target.state) === 'waiting'
    ? { sign: SIGN.waiting, words: 'Waiting' }
    : targetLabel(target);
}

function targetLabel(target: RequestTarget): Labelled {
  if (hasFailed(target)) return { sign: SIGN.failed, words: 'Failed' };
  return { ...STATE_LABELS[targetState(target.state)], words: stateText(target) };
}

/** State of one device's command in words. A card may be read long after it was drawn: so it never denies that something was sent before that has ended. */
export function stateText({ state }: Pick<RequestTarget, 'state'>): Mrkdwn {
  switch (state) {
    case 'ready':
      return md`Requested`;
    case 'issuing':
      return md`Sending`;
    default:
      return trustedMrkdwn(STATE_LABELS[targetState(state)].words);
  }
}

type WithRollout<R> = R & { readonly rollout: Rollout };
export type RolloutRequest = WithRollout<RequestWithTargets>;

/** Whether it goes to several devices by a plan. One device is drawn as itself, unless somebody has to let it go on. */
export function isRollout<R extends Pick<RequestRecord, 'rollout' | 'counts' | 'state'>>(
  request: R,
): request is WithRollout<R> {
  const { rollout, counts } = request;
  return rollout !== null && (totalOf(counts) > 1 || isHeld(request));
}

/** The state once it was approved. A hold says most; after the end only the results count. */
function rolloutLabel(request: WithRollout<Pick<RequestRecord, 'rollout' | 'counts' | 'state'>>): Labelled {
  const { rollout, counts, state } = request;
  if (state === 'ended') return endedLabel(rollout, counts);
  const { hold } = rollout;
  if (hold === null) return { sign: SIGN.running, words: 'Running' };
  return hold.kind === 'gate' ? { sign: SIGN.waiting, words: 'Waiting to continue' } : HELD[heldAs(hold)];
}

const HELD = {
  paused: { sign: SIGN.warning, words: 'Paused' },
  braked: { sign: SIGN.warning, words: 'Stopped automatically' },
  stopped: { sign: SIGN.ended, words: 'Stopped' },
} as const;

/** Whatever waits for a person is paused; lost answers brake, too. */
function heldAs({ kind }: RolloutHold): keyof typeof HELD {
  if (kind === 'stopped') return kind;
  return kind === 'braked' || kind === 'unanswered' ? 'braked' : 'paused';
}

/** Whether it ended because it was stopped. One that was closed after all of it was sent has its results. */
function wasStopped({ hold }: Rollout, counts: TargetCounts): boolean {
  return hold?.kind === 'stopped' && (hold.why !== 'closed' || countIn(counts, ['not_sent']) > 0);
}

/** Where nothing is left to be done. */
const THERE = ['verified', 'not_needed'] as const;

function endedLabel(rollout: Rollout, counts: TargetCounts): Labelled {
  const total = totalOf(counts);
  const verified = countIn(counts, ['verified']);
  const notSent = countIn(counts, ['not_sent']);
  if (countIn(counts, ['not_needed']) === total) return { sign: SIGN.ended, words: 'No longer needed' };
  if (countIn(counts, THERE) === total) return { sign: SIGN.good, words: 'Verified' };
  if (wasStopped(rollout, counts)) return { sign: SIGN.ended, words: 'Stopped' };
  if (notSent === total) return { sign: SIGN.ended, words: 'Not sent' };
  if (verified > 0) return { sign: SIGN.warning, words: 'Partly verified' };
  if ((counts.failed ?? 0) > 0) return { sign: SIGN.failed, words: 'Failed' };
  if (countIn(counts, ['not_verified']) > 0) return { sign: SIGN.warning, words: 'Not verified' };
  return countIn(counts, ['unknown']) > 0
    ? { sign: SIGN.unknown, words: 'Outcome unknown' }
    : { sign: SIGN.failed, words: 'Not accepted' };
}

/** Results first, then what is under way, then what is left. A claim that is not sent yet counts as waiting. */
const COUNTED = [
  ['verified', 'verified'],
  ['failed', 'failed'],
  ['not_verified', 'not verified'],
  ['refused', 'not accepted'],
  ['unknown', 'outcome unknown'],
  ['not_sent', 'not sent'],
  ['not_needed', 'no longer needed'],
  ['answered', 'answered'],
  ['queued', 'queued'],
  ['accepted', 'accepted'],
  ['waiting', 'waiting'],
] as const;

/** How many devices are in each state, such as `40 verified, 3 failed, 12 waiting`. */
export function countsLine(counts: TargetCounts): Mrkdwn {
  const parts = COUNTED.flatMap(([key, words]) => {
    const devices = countOf(counts, key);
    return devices === 0 ? [] : [md`${devices} ${trustedMrkdwn(words)}`];
  });
  return joinMrkdwn(parts, ', ');
}

function countOf(counts: TargetCounts, key: (typeof COUNTED)[number][0]): number {
  switch (key) {
    case 'waiting':
      return countIn(counts, ['ready', 'issuing']);
    case 'not_verified':
      return countIn(counts, ['not_verified']) - (counts.failed ?? 0);
    default:
      return counts[key] ?? 0;
  }
}

/** How many devices have ended and got it, whatever came of it, or needed it no more. */
function doneCount(counts: TargetCounts): number {
  return totalOf(counts) - countIn(counts, ['open', 'not_sent']);
}

/** How far it, or a wave of it, came: `5 of 36 done, 31 skipped`. */
export function doneText(counts: TargetCounts): Mrkdwn {
  const skipped = countIn(counts, ['not_sent']);
  const rest = skipped === 0 ? md`` : md`, ${skipped} skipped`;
  return md`${doneCount(counts)} of ${totalOf(counts)} done${rest}`;
}

/** In one line: how far it came where something stopped it, and otherwise the results. */
export function resultLine(request: WithRollout<Pick<RequestRecord, 'rollout' | 'counts'>>): Mrkdwn {
  const { rollout, counts } = request;
  const isCutShort = rollout.hold !== null && countIn(counts, ['ready', 'not_sent']) > 0;
  return isCutShort ? doneText(counts) : countsLine(counts);
}

/** Devices whose cause is listed: it did not work there, is not known, or was not sent. */
export function problemCount(counts: TargetCounts): number {
  return countIn(counts, [...RESULT_STATES.failed, 'unknown', 'not_sent']);
}

/** On a phone the numbers of a thousand devices have room beside it. */
const BAR_WIDTH = 12;

/** The bar and the counts of a rollout that was approved; none while it waits. */
export function progressLines({
  counts,
  state,
  offline = 0,
  rollout = null,
}: Pick<RequestWithTargets, 'counts' | 'state' | 'offline'> & {
  readonly rollout?: Rollout | null;
}): readonly Mrkdwn[] {
  if (state !== 'running' && state !== 'ended') return [];
  const { are, back } = offlineWords(offline);
  return [
    md`${bar(doneCount(counts), totalOf(counts), BAR_WIDTH)} ${doneText(counts)}`,
    countsLine(counts),
    ...(rollout === null ? [] : waveWaits(rollout, counts)),
    ...(offline === 0 ? [] : [md`${are}. The command ${back}`]),
  ];
}

/** What the plan waits for between waves. A wave waits for its time as long as nothing of it was sent. */
export function waveWaits(
  { plan, wave, waveFrom, hold }: Rollout,
  { ready = 0 }: TargetCounts,
): readonly Mrkdwn[] {
  if (hold !== null || ready === 0 || plan.waves.length === 1) return [];
  const rest = plan.waves.slice(wave).reduce((sum, devices) => sum + devices, 0);
  return [
    ...(wave > 0 && plan.waitMs > 0 && ready === rest
      ? [md`Wave ${wave + 1} doesn’t start before ${relativeDate(waveFrom)}.`]
      : []),
    ...(plan.gate === 'manual' ? [md`An approver continues after each wave.`] : []),
  ];
}

/** Of a rollout that ended, why fewer devices are retried than did not work. */
export function mayRunLines({ may_run = 0 }: TargetCounts): readonly Mrkdwn[] {
  if (may_run === 0) return [];
  return [md`Left out of a retry: ${countText(may_run, 'device')} that may still run the command.`];
}

/** What halts a rollout holds none of the commands that the service took; null where it took none. */
export function alreadySentText(counts: TargetCounts): Mrkdwn | null {
  const sent = countIn(counts, ['accepted', 'queued', 'answered']);
  if (sent === 0) return null;
  return md`${countText(sent, 'command')} already with the management service can’t be canceled and can still run.`;
}

/** Who can let a held rollout go on; the other approvers than its requester. */
export const RESUMED_BY_OTHERS = md`An approver has to resume it, not its requester.`;
export const CONTINUED_BY_OTHERS = md`An approver has to continue it, not its requester.`;

/** Why a rollout is held whose last calls had no clear answer. */
export function unansweredText(action: ActionKind, sends: number): Mrkdwn {
  const [things, looking] = changesRecord(action) ? ['changes', 'checking'] : ['commands', 'looking'];
  return md`Stopped automatically: the last ${sends} ${trustedMrkdwn(things)} got no clear answer from the management service. They may or may not have arrived. Patchbay is ${trustedMrkdwn(looking)} for them and won’t send them again.`;
}

type Stated = Pick<RequestRecord, 'state' | 'counts' | 'rollout' | 'expiresAt'>;

/** One device has its own state; of several, whether they go on, and how many are in which state. */
export function requestCardState(request: Stated): {
  readonly state: CardState | RolloutState;
  readonly counts?: StateCounts;
} {
  if (!isRollout(request)) return { state: cardState(request) };
  return { state: rolloutState(request), counts: countsByState(request.counts) };
}

function rolloutState(request: Stated): CardState | RolloutState {
  const { state, rollout } = request;
  if (state === 'ended') return endedState(request);
  if (state !== 'approved' && state !== 'running') return state;
  if (rollout !== null && rollout.hold !== null) return heldAs(rollout.hold);
  return hasOutcome(request) ? 'running' : 'scheduled';
}

function endedState({ counts, rollout }: Pick<Stated, 'counts' | 'rollout'>): CardState | RolloutState {
  const verified = countIn(counts, ['verified']);
  if (countIn(counts, THERE) === totalOf(counts)) return outcomeState({ counts });
  if (rollout !== null && wasStopped(rollout, counts)) return 'stopped';
  return verified > 0 ? 'partly' : outcomeState({ counts });
}

function countsByState(counts: Stated['counts']): StateCounts {
  const all = STATE_ORDER.map((state) => [state, countIn(counts, statesOf(state))] as const);
  return Object.fromEntries(all.filter(([, devices]) => devices > 0));
}

/** How many devices are offline, and when a command runs on them: in a list, and on the card with names. */
function offlineWords(devices: number) {
  const [are, they] = devices === 1 ? ['is', 'it’s'] : ['are', 'they’re'];
  return {
    are: md`${trustedMrkdwn(SIGN.waiting)} ${countText(devices, 'device')} ${trustedMrkdwn(are)} offline`,
    back: md`runs once ${trustedMrkdwn(they)} back online.`,
  };
}

const MAX_NAMES = 5;

/** Which devices, and until when; where nothing else moves meanwhile, who can end the wait. */
export function offlineText({ offline, onlyOffline }: RolloutDetails): readonly Block[] {
  const [last] = offline.map(({ deadlineAt }) => deadlineAt).toSorted((a, b) => b - a);
  if (last === undefined) return [];
  const names = listTargets(offline, MAX_NAMES);
  const { are, back } = offlineWords(offline.length);
  const only = md`${trustedMrkdwn(SIGN.waiting)} Waiting only for ${countText(offline.length, 'offline device')}`;
  const what = onlyOffline ? only : are;
  const close = onlyOffline ? md` The requester or an approver can close it now.` : md``;
  return [
    section(md`${what}: ${names}. The command ${back} Patchbay checks until ${relativeDate(last)}.${close}`),
  ];
}
