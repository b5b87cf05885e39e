/**
 * The window in which an approver decides. It says what, on what, who asked and why, and what cannot be undone, all from
 * the stored request, and decides nothing before it is submitted.
 */
import { instant } from '../../lib/clock.ts';
import { REASON_LENGTH } from '../../lib/text.ts';
import { type Rollout, UNSENT } from '../../rollout/progress.ts';
import { countIn } from '../../rollout/results.ts';
import type { LetsGoOn, WindowDecision } from '../../store/port/decision-windows.ts';
import { type RequestWithTargets, totalOf, undecidedIn } from '../../store/port/request-records.ts';
import { choiceField, type Modal, smallForm, textField } from '../kit/answer-window.ts';
import { context, section } from '../kit/blocks.ts';
import { withoutRichBlocks } from '../kit/charts.ts';
import { bold, boldHeading, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import type { DecisionWindowFacts } from '../models/request-model.ts';
import { decisionNoteBlocks, lastHourText, requestedBy, requestTitle } from '../requests/request-card.ts';
import { approvalBlocks, holdText } from '../requests/rollout/rollout-card.ts';
import { isRollout, progressLines } from '../requests/rollout/rollout-label.ts';
import { commandPhrase, countText } from '../text/common-text.ts';

export const DECISION_WINDOW_CALLBACK = 'decision';
/** The block, and its input, of the number of devices. */
export const COUNT_BLOCK = 'approve_count';
/** More digits than any fleet has devices. */
const MAX_DIGITS = 12;
const COUNT_FIELD = textField({
  name: COUNT_BLOCK,
  label: 'How many devices does this request cover, offline ones included?',
  hint: 'Type the number to confirm it.',
  multiline: false,
  maxLength: MAX_DIGITS,
});
/** The block, and its input, of what the person says about the decision. */
export const COMMENT_BLOCK = 'decision_comment';
export const COMMENT_FIELD = textField({
  name: COMMENT_BLOCK,
  label: 'Comment',
  hint: 'The requester reads it with your decision.',
  multiline: true,
  maxLength: REASON_LENGTH,
  optional: true,
});
/** The block of what is often said of a denial: to be marked, since typing is slow on a phone. */
export const SUGGESTIONS_BLOCK = 'deny_because';
const SUGGESTIONS = ['Please say why this is needed.', 'Not now. Please request it later.', 'Wrong devices.'];
export const SUGGESTIONS_FIELD = choiceField({
  type: 'checkboxes',
  name: SUGGESTIONS_BLOCK,
  label: 'Reason to deny',
  options: SUGGESTIONS.map((label, at) => ({ label, value: String(at) })),
});

const VERBS: Readonly<Record<WindowDecision['kind'], string>> = {
  approve: 'Approve',
  deny: 'Deny',
  resume: 'Resume',
  continue: 'Continue',
  'continue-without': 'Continue',
};

export function decisionWindow({ id, decides, devices, endsAt, request }: DecisionWindowFacts): Modal {
  const verb = VERBS[decides.kind];
  const what = windowFacts(request, decides);
  const end = [
    ...(devices === null ? [] : [COUNT_FIELD]),
    ...(decides.kind === 'deny' ? [SUGGESTIONS_FIELD] : []),
    ...(decides.kind === 'approve' || decides.kind === 'deny' ? [COMMENT_FIELD] : []),
    context(
      md`Nothing is decided before you press ${bold(verb)}. This window expires ${relativeDate(endsAt)}.`,
    ),
  ];
  const blocks = withoutRichBlocks(what);
  return smallForm({
    name: DECISION_WINDOW_CALLBACK,
    // Nothing else of the window is read again.
    metadata: id,
    title: verb,
    submit: verb,
    blocks: [...blocks.slice(0, LIMIT.modalBlocks - end.length), ...end],
  });
}

function windowFacts(request: RequestWithTargets, decides: WindowDecision): readonly Block[] {
  switch (decides.kind) {
    case 'approve':
      return [
        section(md`${titleOf(request)}\n${requestedBy(request)}${lastHourText(request)}`),
        ...decisionNoteBlocks(request),
        // As on the card, which may stand in a channel: without personal data.
        ...approvalBlocks(request, true),
      ];
    case 'deny':
      return [
        section(md`${titleOf(request)}\n${requestedBy(request)}`),
        ...decisionNoteBlocks(request),
        section(md`Nothing will be sent.`),
      ];
    case 'resume':
    case 'continue':
    case 'continue-without':
      return goingOnFacts(request, decides.kind);
  }
}

/** What is to be decided: of several devices, about how many. */
function titleOf(request: RequestWithTargets, devices = undecidedIn(request.counts)): Mrkdwn {
  return totalOf(request.counts) === 1
    ? requestTitle(request)
    : boldHeading(commandPhrase(request.action), countText(devices, 'device'));
}

/** Why it does not go on, how far it is, and what follows. */
function goingOnFacts(request: RequestWithTargets, kind: LetsGoOn): readonly Block[] {
  const { counts, rollout } = request;
  const hold =
    isRollout(request) && rollout !== null && rollout.hold !== null ? holdText(rollout.hold, request) : null;
  const facts = [
    ...(hold === null ? [] : [hold]),
    ...progressLines({ counts, state: 'running' }),
    ...(kind === 'continue-without' && rollout !== null ? [missingText(request, rollout), WITHOUT] : []),
    ...(rollout === null ? [] : [nextText(rollout, countIn(counts, UNSENT))]),
  ];
  return [
    section(md`${requestTitle(request)}\n${requestedBy(request)}`),
    section(joinMrkdwn(facts, '\n')),
    context(
      md`*Each wave is re-checked before it’s sent. What was sent can’t be canceled.* Devices without an answer won’t get it again.`,
    ),
  ];
}

const WITHOUT = md`It no longer waits for them. Offline devices keep the command and run it once they’re back.`;

/** Which devices get it next: those before have ended, or are waited for. */
function nextText({ plan }: Rollout, left: number): Mrkdwn {
  const after = (wave: number) => plan.waves.slice(wave + 1).reduce((sum, devices) => sum + devices, 0);
  const wave = plan.waves.findIndex((_, at) => left > after(at));
  const next = md`Next is wave ${wave + 1} of ${plan.waves.length}:`;
  if (after(wave) <= 0) return md`${next} the ${countText(left, 'device')} left.`;
  const again = plan.gate === 'manual' ? md` Then an approver has to continue it.` : md``;
  return md`${next} ${countText(left - after(wave), 'device')} of the ${left} left.${again}`;
}

/**
 * While it waits only for offline devices, they are all that is open of what was sent. Whoever lets it go on moves the
 * beginning of its wave, so what was sent says itself when that was.
 */
function missingText(
  { counts: { open = 0, ready = 0, not_sent: _, not_needed: __, ...counts }, targets }: RequestWithTargets,
  { waveFrom }: Pick<Rollout, 'waveFrom'>,
): Mrkdwn {
  const [missing, sent] = [open - ready, totalOf(counts)];
  const waiting = targets.filter(({ state }) => state === 'accepted' || state === 'queued');
  const at = relativeDate(instant(Math.min(waveFrom, ...waiting.map(({ issuedAt }) => issuedAt))));
  return sent === 1
    ? md`1 of 1 has not come back since it was sent ${at}.`
    : md`${missing} of the ${sent} sent so far ${trustedMrkdwn(missing === 1 ? 'has' : 'have')} not come back since ${at}.`;
}

/** What was marked and typed; null where that is nothing. */
export function commentIn(typed = '', marked: readonly string[] = []): string | null {
  const said = [...SUGGESTIONS.filter((_, at) => marked.includes(String(at))), typed.trim()];
  const comment = said.filter((words) => words !== '').join(' ');
  return comment === '' ? null : comment;
}

/** The number that was typed; null: it is none. Groups of digits may be separated. */
export function typedCount(typed: string): number | null {
  const digits = typed.trim().replaceAll(/(?<=\d)[\s,.'’](?=\d{3}(?!\d))/g, '');
  return /^0*[1-9]\d{0,11}$/.test(digits) ? Number(digits) : null;
}

/** Why the typed number is not that of the request; null where it is. */
export function countError(typed: string, devices: number): string | null {
  const count = typedCount(typed);
  if (count === null) return 'Enter the number of devices in digits.';
  return count === devices
    ? null
    : 'That isn’t the number of devices of this request. Nothing was approved. Check it and type it again.';
}
