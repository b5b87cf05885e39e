/** The pause of all changes: its card, the answer to who turned the switch, and its line elsewhere. */
import type { PauseRecord } from '../store/settings-records.ts';
import { actions, context, section } from './kit/blocks.ts';
import { literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { formButton, runButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

type PauseView = Extract<SettingView, { kind: 'pause' }>;

/** Who paused, when and why: the end of a sentence. */
export function pausedBy({ by, since, reason }: PauseRecord): Mrkdwn {
  const why = reason === null ? md`` : md`, because ${literal(reason, SHOWN.sentence)}`;
  return md`by ${person(by)} ${when(since)}${why}`;
}

const MEANS = md`During a pause nothing is sent that changes a device: requests are refused, and approvals do not run. What was sent before is still followed.`;

export function renderPauseCard({ pause }: Extract<SettingView, { kind: 'pause-card' }>): RenderedMessage {
  const { endedBy, endedAt } = pause;
  if (endedBy !== null && endedAt !== null) {
    const over = md`Changes go on: ${person(endedBy)} ended the pause ${when(endedAt)}`;
    return message({
      text: md`${over}.`,
      body: [section(md`*Changes go on*\n${over}.`), context(md`They were paused ${pausedBy(pause)}.`)],
    });
  }
  return message({
    text: md`All changes are paused ${pausedBy(pause)}.`,
    body: [section(md`*All changes are paused*\nPaused ${pausedBy(pause)}.\n${MEANS}`)],
    end: actions(resumeButton(pause)),
  });
}

export function renderPause(view: PauseView): RenderedMessage {
  if (view.what === 'ask') return asked();
  const text = answer(view);
  if (!('pause' in view) || view.what === 'ended') return message({ text, body: [section(text)] });
  return message({
    text,
    body: [section(md`${text}\n${MEANS}`)],
    end: actions(resumeButton(view.pause)),
  });
}

/** One press pauses: in an emergency the message is question enough. */
function asked(): RenderedMessage {
  const text = md`Pause all changes?`;
  return message({
    text,
    body: [section(md`*Pause all changes?*\n${MEANS}`)],
    end: actions(
      runButton({
        action: 'pause',
        label: 'Pause all changes',
        command: 'pause',
        input: { do: 'on', reason: null },
        style: 'danger',
      }),
      formButton({ label: 'Give a reason', command: 'pause', input: null }),
    ),
  });
}

function answer(view: PauseView): Mrkdwn {
  switch (view.what) {
    case 'begun':
      return md`All changes are paused now.`;
    case 'already':
      return md`All changes are paused already: ${pausedBy(view.pause)}. Nothing was changed.`;
    case 'reason-added':
      return md`Your reason was added. All changes are paused ${pausedBy(view.pause)}.`;
    case 'ended':
      return md`Changes go on. They were paused ${pausedBy(view.pause)}. If the pause held back an approved request, it needs approval again.`;
    case 'ask':
    case 'none':
      return md`Changes are not paused, or not by this pause any more. Nothing was changed.`;
  }
}

/** Ends this very pause: pressed late, it does not end another. */
function resumeButton({ id }: PauseRecord) {
  return runButton({
    action: 'resume',
    label: 'Let changes go on',
    command: 'pause',
    input: { do: 'off', pause: id },
    confirm: {
      title: 'End the pause?',
      text: 'Requests are taken again. Nothing that was stopped runs by itself.',
      confirm: 'End the pause',
    },
  });
}
