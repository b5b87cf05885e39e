/** The window in which an approver decides, drawn from the stored request: it decides nothing before it is submitted. */
import { instant } from '../../lib/clock.ts';
import { type Reference, type RequestId, requestId } from '../../lib/ids.ts';
import { REASON_LENGTH } from '../../lib/text.ts';
import { type Rollout, UNSENT } from '../../rollout/progress.ts';
import { countIn } from '../../rollout/results.ts';
import type { LetsGoOn, WhyAlone, WindowDecision } from '../../store/port/decision-windows.ts';
import { type RequestWithTargets, totalOf, undecidedIn } from '../../store/port/request-records.ts';
import { answerWindow, choiceField, type Modal, smallForm, textField } from '../kit/answer-window.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { bold, boldHeading, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, LIMIT } from '../kit/limits.ts';
import { linkTo } from '../kit/mentions.ts';
import { withoutRichBlocks } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { DecisionWindowFacts, SeveralWindowFacts } from '../models/request-model.ts';
import { severalButton } from '../requests/request-buttons.ts';
import {
  decisionNoteBlocks,
  lastHourText,
  namesOf,
  reasonText,
  requestedBy,
  requestHeading,
  requestTitle,
} from '../requests/request-card.ts';
import { isRollout, progressLines } from '../requests/request-label.ts';
import { briefLines } from '../requests/request-lists.ts';
import { approvalBlocks, holdText } from '../requests/rollout-card.ts';
import { actionTitle, commandPhrase, countText } from '../text/common-text.ts';

export const DECISION_WINDOW_CALLBACK = 'decision';
/** Each names a block and its input. */
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
export const COMMENT_BLOCK = 'decision_comment';
const COMMENT_FIELD = textField({
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
const SUGGESTIONS_FIELD = choiceField({
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

/** While it waits only for offline devices, they are all that is open of what was sent; when it was sent is said with them. */
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

/** A block for each request, because Slack keeps what is marked in a block of the same name on the next page. */
const MARK = 'mark:';
/** The block of the decision about all that are marked. */
export const MARKED_BLOCK = 'marked';
const DECISION_FIELD = choiceField({
  type: 'radio_buttons',
  name: MARKED_BLOCK,
  label: 'Your decision about those that you marked',
  options: [
    { label: 'Approve', value: 'approve' },
    { label: 'Deny', value: 'deny' },
  ],
});

/** Several requests, the oldest first. Nothing is marked before the person does it. */
export function severalWindow({ id, decides, endsAt, rows, ...at }: SeveralWindowFacts): Modal {
  const canDecide = decides.requests.length > 0;
  return smallForm({
    name: DECISION_WINDOW_CALLBACK,
    // Nothing else of the window is read again.
    metadata: id,
    title: 'Decide several',
    submit: canDecide ? 'Decide' : null,
    blocks: [
      ...headBlocks(at),
      ...rows.flatMap(rowBlocks),
      ...(canDecide ? [DECISION_FIELD, SUGGESTIONS_FIELD, COMMENT_FIELD] : []),
      context(md`${canDecide ? SUBMITTED : md``}This window expires ${relativeDate(endsAt)}.`),
    ],
  });
}

const SUBMITTED = md`Each is checked on its own. Nothing is decided before you press *Decide*. `;

/** No total: as many are read as the store gives at once. */
function headBlocks({ page, more }: Pick<SeveralWindowFacts, 'page' | 'more'>): readonly Block[] {
  const head = md`*Waiting for approval*, the oldest first.`;
  const older = page === 0 ? null : severalButton(page - 1, 'Previous page');
  const newer = more ? severalButton(page + 1, 'Next page') : null;
  if (older === null && newer === null) return [section(head)];
  const note = md`${head} Page ${page + 1}. Decide a page before you open the next: its marks aren’t kept.`;
  return [section(note), ...actions(older, newer)];
}

function rowBlocks({ request, alone, link }: SeveralWindowFacts['rows'][number]): readonly Block[] {
  const words = joinMrkdwn([requestHeading(request), ...briefLines(request)], '\n');
  if (alone !== null) {
    const card = link === null ? md`` : md` ${linkTo(link, md`Open the request`)}`;
    return [section(md`${words}\n${ALONE[alone]}${card}`)];
  }
  const options = [{ label: 'Decide this one', value: request.id }];
  const name = `${MARK}${request.id}`;
  return [section(words), choiceField({ type: 'checkboxes', name, label: 'Mark to decide', options })];
}

const ALONE: Readonly<Record<WhyAlone, Mrkdwn>> = {
  'own-request': md`Your own request: another approver decides.`,
  'others-decide': md`You can’t approve this now: its card says who can.`,
  removal: md`Can’t be undone, so it’s decided on its own.`,
  'count-to-type': md`The number of devices has to be typed, so it’s decided on its own.`,
};

/** What was submitted, or what is missing: a sentence for its person. */
export function readMarks(chosen: ReadonlyMap<string, readonly string[]>) {
  const [decision] = chosen.get(MARKED_BLOCK) ?? [];
  const requests = [...chosen].flatMap(([block, values]) =>
    block.startsWith(MARK) ? values.map(requestId) : [],
  );
  if (decision !== 'approve' && decision !== 'deny') return { error: 'Choose Approve or Deny.' };
  if (decision === 'approve' && (chosen.get(SUGGESTIONS_BLOCK) ?? []).length > 0)
    return { error: 'You marked a reason to deny. Unmark it, or choose Deny.' };
  if (requests.length === 0) return { error: 'Mark at least one request. Nothing is decided yet.' };
  return { marks: { decision, requests } as const, error: null };
}

/** The form's `callback_id`, and the block of its one field. */
export const REASON_FORM_CALLBACK = 'reason';
export const REASON_BLOCK = REASON_FORM_CALLBACK;
export const EMPTY_REASON_ERROR = 'Enter a reason.';

/** Plain text for the field. The log has the details under the reference. */
export function reasonFailedText(reference: Reference): string {
  return `Unexpected error (reference ${reference}). The reason may or may not have been added: check the request.`;
}

export function reasonForm(request: RequestId): Modal {
  const field = textField({
    name: REASON_BLOCK,
    label: 'Reason for your request',
    hint: 'Approvers see it with the request.',
    multiline: true,
    maxLength: REASON_LENGTH,
  });
  const form = { name: REASON_FORM_CALLBACK, metadata: request, title: 'Add reason', submit: 'Save' };
  return smallForm({ ...form, blocks: [field] });
}

/** Replaces the form once the reason was added. `depth`: how many windows are open below it. */
export function reasonAddedWindow(request: RequestWithTargets, depth: number): Modal {
  const title = actionTitle(request.action, namesOf(request));
  const words = md`Reason added to your request: ${title}\n${reasonText(request)}`;
  return answerWindow([section(words), context(md`Approvers see it with the request.`)], { depth });
}
