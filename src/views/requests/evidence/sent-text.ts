/** What became of the call, what the queue shows and what all of it comes to, in words. */
import { FIELD_LABELS } from '../../../fleet/facts/field-labels.ts';
import { type ActionKind, changesRecord } from '../../../fleet/model/actions.ts';
import type { EditedField } from '../../../fleet/model/changes.ts';
import { upperFirst } from '../../../lib/text.ts';
import type { EffectEvidence, Evidence, NotSentEvidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { changeFaultText } from '../../text/change-fault-text.ts';
import { errorText, lostAnswerText, nameText, offlineAndRuns, offlineSentence } from './words.ts';

export type SentEvidence = Exclude<
  Evidence,
  NotSentEvidence | EffectEvidence | { kind: 'drifted' | 'text' | 'gone' }
>;

/** One sentence, or two. `action`: what was requested. */
export function sentText(evidence: SentEvidence, action: ActionKind): Mrkdwn {
  const noun = changesRecord(action) ? md`change` : md`command`;
  switch (evidence.kind) {
    case 'refused':
      return refusedText(evidence, noun);
    case 'unsendable':
      return md`Nothing was sent: ${escapeMrkdwn(changeFaultText(evidence.fault), 200)}.`;
    case 'inexpressible':
      return md`Nothing was sent: ${escapeMrkdwn(evidence.detail, 200)}.`;
    case 'answer-lost': {
      const arrived = changesRecord(action)
        ? md`The change may or may not have been made.`
        : md`The command may or may not have arrived.`;
      return md`Patchbay got no clear answer: ${lostAnswerText(evidence.error)}. ${arrived}`;
    }
    case 'interrupted':
      return md`Patchbay stopped while sending the ${noun}. The management service may or may not have accepted it.`;
    case 'looking':
      return changesRecord(action)
        ? md`Patchbay is checking for the change and won’t send it again.`
        : md`Patchbay is looking for the command in the device’s queue and won’t send it again.`;
    case 'accepted':
      return acceptedText(evidence);
    case 'queued':
      return evidence.answerLost
        ? md`Patchbay got no clear answer, but the command is in the device’s queue. The command can’t be canceled.${offlineAndRuns(evidence.offline)}`
        : md`The command can’t be canceled.${offlineAndRuns(evidence.offline)}`;
    case 'ambiguous': {
      const which = md`the device’s queue has ${evidence.entries} new entries like this command. It’s unclear which one belongs to it`;
      return evidence.answerLost
        ? md`Patchbay got no clear answer, and ${which}. Patchbay won’t send it again.`
        : md`The management service accepted the command, and ${which}.`;
    }
    case 'answered':
      return evidence.exitCode === null
        ? md`The device answered.`
        : md`The device answered with exit code ${evidence.exitCode}.`;
    case 'left-queue':
      return md`The command left the device’s queue. No answer was seen.`;
    case 'still-queued':
      return md`Still in the device’s queue when Patchbay stopped checking.${offlineSentence(evidence.offline)} A queued command can’t be canceled, so it may still run.`;
    case 'unconfirmed':
      return md`Couldn’t confirm that it ran.`;
    case 'cause-unknown':
      return md`This may have another cause, because Patchbay got no clear answer to the command. It was not sent again.`;
    case 'stays-unknown':
      return md`Patchbay got no clear answer and found no matching entry in the device’s queue. The device may or may not have received the command. It was not sent again. Check the device before you request it again.`;
    case 'unverifiable':
      return md`The ${trustedMrkdwn(evidence.thing)} no longer exists in the management service, so nothing can be verified.`;
    case 'unread-to-the-end':
      return md`The outcome is unknown. Patchbay’s last check failed: ${lostAnswerText(evidence.error)}.`;
    default:
      return editedText(evidence);
  }
}

function refusedText({ error }: Extract<Evidence, { kind: 'refused' }>, noun: Mrkdwn): Mrkdwn {
  // Without an HTTP status it never left Patchbay.
  const end =
    error.status === null
      ? md`The ${noun} could not be sent`
      : md`The management service did not accept the ${noun}`;
  const cause = error.held ? errorText(error) : md`Cause: ${errorText(error, true)}`;
  const next = error.kind === 'throttled' ? md` Try again later.` : md``;
  return md`${end}. Nothing was changed. ${cause}.${next}`;
}

function acceptedText({ inQueue }: Extract<Evidence, { kind: 'accepted' }>): Mrkdwn {
  switch (inQueue) {
    case 'not-yet':
      return md`The management service accepted the command. Patchbay hasn’t seen it in the device’s queue yet and keeps checking.`;
    case 'not-seen':
      return md`The management service accepted the command. Patchbay hasn’t seen it in the device’s queue.`;
    case 'unasked':
      return md`The management service accepted the command.`;
  }
}

type EditedEvidence = Extract<
  Evidence,
  {
    kind:
      | 'shown-after-loss'
      | 'group-made'
      | 'policy-made'
      | 'confirmed'
      | 'other-values'
      | 'not-shown'
      | 'also-changed'
      | 'no-such-group'
      | 'no-such-policy'
      | 'several-policies'
      | 'several-groups'
      | 'edit-unconfirmed'
      | 'removed'
      | 'still-there';
  }
>;

function editedText(evidence: EditedEvidence): Mrkdwn {
  switch (evidence.kind) {
    case 'shown-after-loss':
      return md`Patchbay got no clear answer, but the change is visible now.`;
    case 'group-made':
      return md`It is group #${evidence.group}.`;
    case 'policy-made':
      return md`It is policy #${evidence.policy}.`;
    case 'confirmed':
      return md`Now as requested in the management service: ${fieldsText(evidence.fields)}${newNameText(evidence.name)}.`;
    case 'other-values':
      return md`The management service shows other values for ${fieldsText(evidence.fields)}.`;
    case 'not-shown':
      return md`Sent but not shown by the management service: ${fieldsText(evidence.fields)}.`;
    case 'also-changed':
      return md`${trustedMrkdwn(upperFirst(fieldsText(evidence.fields)))} also changed, maybe by someone else.`;
    case 'no-such-group':
      return md`There is no group with this name under this parent.`;
    case 'several-groups':
      return md`There are now ${evidence.groups} groups with this name.`;
    case 'no-such-policy':
      return md`There is no policy with this name.`;
    case 'several-policies':
      return md`There are now ${evidence.policies} policies with this name.`;
    case 'edit-unconfirmed':
      return evidence.answerLost
        ? md`Patchbay got no clear answer, so the management service may or may not have accepted the change.`
        : md`The management service accepted the change.`;
    case 'removed':
      return md`The ${trustedMrkdwn(evidence.thing)} no longer exists in the management service.`;
    case 'still-there':
      return md`The management service still shows the ${trustedMrkdwn(evidence.thing)}.`;
  }
}

/** What the service shows after an edit that it may have accepted; null: that is said as always. */
export function shownInsteadText(evidence: Evidence): Mrkdwn | null {
  switch (evidence.kind) {
    case 'other-values':
      return md`It shows other values for ${fieldsText(evidence.fields)}.`;
    case 'not-shown':
      return md`The management service does not show ${fieldsText(evidence.fields)}.`;
    case 'still-there':
      return md`It still shows the ${trustedMrkdwn(evidence.thing)}.`;
    default:
      return null;
  }
}

function newNameText(name: string | null | undefined): Mrkdwn {
  if (name === undefined) return md``;
  return name === null ? md` (none)` : md` “${nameText(name)}”`;
}

/** Every one of them, because each was requested. */
function fieldsText(fields: readonly EditedField[]): Mrkdwn {
  return trustedMrkdwn(fields.map((field) => FIELD_LABELS[field]).join(', '));
}
