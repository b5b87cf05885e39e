/** The pause of all changes: its card, the answers to the command, and its line elsewhere. */
import type { PauseRecord } from '../store/settings-records.ts';
import { actions, context, section } from './kit/blocks.ts';
import { literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { formButton, runButton } from './kit/run-button.ts';
import { SIGN } from './kit/signs.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

type PauseView = Extract<SettingView, { kind: 'pause' }>;

/** Who paused, when and why: goes on a sentence. */
export function pausedBy({ by, since, reason }: PauseRecord): Mrkdwn {
  const why = reason === null ? md`` : md` (reason: ${literal(reason, SHOWN.sentence)})`;
  return md`by ${person(by)} ${when(since)}${why}`;
}

const MEANS = md`No changes are sent during a pause: new requests are refused and approved ones don’t run. Commands already sent are still tracked.`;

export function renderPauseCard({ pause }: Extract<SettingView, { kind: 'pause-card' }>): RenderedMessage {
  const { endedBy, endedAt } = pause;
  if (endedBy !== null && endedAt !== null) {
    const over = md`${trusted(SIGN.good)} *Changes resumed* by ${person(endedBy)} ${when(endedAt)}.`;
    return message({ text: over, body: [section(over), context(md`Paused ${pausedBy(pause)}.`)] });
  }
  const title = md`${trusted(SIGN.warning)} *All changes are paused* ${pausedBy(pause)}.`;
  return message({
    text: title,
    body: [section(title), section(MEANS)],
    end: actions(resumeButton(pause)),
  });
}

export function renderPause(view: PauseView): RenderedMessage {
  if (view.what === 'ask') return asked();
  const text = answer(view);
  if (!('pause' in view) || view.what === 'ended') return message({ text, body: [section(text)] });
  return message({
    text,
    body: [section(text), section(MEANS)],
    end: actions(resumeButton(view.pause)),
  });
}

/** One press pauses: in an emergency the message is question enough. */
function asked(): RenderedMessage {
  const text = md`Pause all changes?`;
  return message({
    text,
    body: [section(md`*Pause all changes?*`), section(MEANS)],
    end: actions(
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

function answer(view: PauseView): Mrkdwn {
  switch (view.what) {
    case 'begun':
      return md`${trusted(SIGN.warning)} All changes are paused.`;
    case 'already':
      return md`${trusted(SIGN.warning)} All changes are already paused ${pausedBy(view.pause)}.`;
    case 'reason-added':
      return md`${trusted(SIGN.warning)} All changes are paused ${pausedBy(view.pause)}. Your reason was added.`;
    case 'ended':
      return md`${trusted(SIGN.good)} Changes resumed. They were paused ${pausedBy(view.pause)}. Approved requests that the pause stopped need approval again.`;
    case 'ask':
    case 'none':
      return md`Changes aren’t paused, or this pause has already ended.`;
  }
}

/** Ends this very pause: pressed late, it does not end another. */
function resumeButton({ id }: PauseRecord) {
  return runButton({
    action: 'resume',
    label: 'Resume changes',
    command: 'pause',
    input: { do: 'off', pause: id },
    confirm: {
      title: 'Resume changes?',
      text: 'New requests are accepted again. Requests that the pause stopped don’t run automatically.',
      confirm: 'Resume changes',
    },
  });
}
