/** The pause of all changes: its card, the answers to the command, and its line elsewhere. */
import type { PauseRecord } from '../../store/port/settings-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/buttons.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';

/** `none`: nothing was paused, or that pause had ended. `newer`: it began after the command was sent. `ask`: asks for confirmation. */
export type PauseView =
  | {
      readonly kind: 'pause';
      readonly what: 'begun' | 'already' | 'reason-added' | 'newer' | 'ended';
      readonly pause: PauseRecord;
    }
  | { readonly kind: 'pause'; readonly what: 'none' | 'ask' };

/** The card in the channel for approvals. */
export type PauseCardView = { readonly kind: 'pause-card'; readonly pause: PauseRecord };

/** Who paused, when and why, as the end of a sentence. */
export function pausedByText({ by, since, reason }: PauseRecord): Mrkdwn {
  const why = reason === null ? md`` : md` (reason: ${escapeMrkdwn(reason, DISPLAY_LIMIT.sentence)})`;
  return md`by ${mentionPerson(by)} ${relativeDate(since)}${why}`;
}

const PAUSE_MEANING = md`No changes are sent during a pause: new requests are refused and approved ones don’t run. Commands already sent are still tracked.`;

export function renderPauseCard({ pause }: PauseCardView): RenderedMessage {
  const { endedBy, endedAt } = pause;
  if (endedBy !== null && endedAt !== null) {
    const over = md`${trustedMrkdwn(SIGN.good)} *Changes resumed* by ${mentionPerson(endedBy)} ${relativeDate(endedAt)}.`;
    return buildMessage({ text: over, body: [section(over), context(md`Paused ${pausedByText(pause)}.`)] });
  }
  const title = md`${trustedMrkdwn(SIGN.warning)} *All changes are paused* ${pausedByText(pause)}.`;
  return buildMessage({
    text: title,
    body: [section(title), section(PAUSE_MEANING)],
    footer: actions(resumeButton(pause)),
  });
}

export function renderPause(view: PauseView): RenderedMessage {
  if (view.what === 'ask') return pauseQuestion();
  const text = pauseAnswer(view);
  if (!('pause' in view) || view.what === 'ended') return buildMessage({ text, body: [section(text)] });
  return buildMessage({
    text,
    body: [section(text), section(PAUSE_MEANING)],
    footer: actions(resumeButton(view.pause)),
  });
}

/** One press pauses, without a second question: it may be an emergency. */
function pauseQuestion(): RenderedMessage {
  const text = md`Pause all changes?`;
  return buildMessage({
    text,
    body: [section(md`*Pause all changes?*`), section(PAUSE_MEANING)],
    footer: actions(
      runButton({
        action: 'pause',
        label: 'Pause all changes',
        command: 'pause',
        input: { do: 'on', reason: null },
        style: 'danger',
      }),
      formButton({ label: 'Add a reason', command: 'pause', input: null }),
    ),
  });
}

function pauseAnswer(view: PauseView): Mrkdwn {
  switch (view.what) {
    case 'begun':
      return md`${trustedMrkdwn(SIGN.warning)} All changes are paused.`;
    case 'already':
      return md`${trustedMrkdwn(SIGN.warning)} All changes are already paused ${pausedByText(view.pause)}.`;
    case 'reason-added':
      return md`${trustedMrkdwn(SIGN.warning)} All changes are paused ${pausedByText(view.pause)}. Your reason was added.`;
    case 'newer':
      return md`${trustedMrkdwn(SIGN.warning)} All changes are still paused ${pausedByText(view.pause)}. This pause began after your command was sent.`;
    case 'ended':
      return md`${trustedMrkdwn(SIGN.good)} Changes resumed. They were paused ${pausedByText(view.pause)}. Approved requests that the pause stopped need approval again. Rollouts stay paused until an approver resumes them.`;
    case 'ask':
    case 'none':
      return md`Changes aren’t paused, or this pause has already ended.`;
  }
}

/** Ends this pause only: a late press does not end a newer one. */
function resumeButton({ id }: PauseRecord) {
  return runButton({
    action: 'resume',
    label: 'Resume changes',
    command: 'pause',
    input: { do: 'off', pause: id },
  });
}
