/** What became of the call, what the queue and the device show, and what all of it comes to, in words. */
import { FIELD_LABELS } from '../../../fleet/facts/field-change.ts';
import { type ActionKind, changesRecord } from '../../../fleet/model/actions.ts';
import type { EditedField } from '../../../fleet/model/changes.ts';
import { upperFirst } from '../../../lib/text.ts';
import type { EffectEvidence, Evidence, NotSentEvidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { changeFaultText } from '../../text/change-fault-text.ts';
import {
  errorText,
  exitCodeText,
  lostAnswerText,
  namesText,
  nameText,
  offlineAndRuns,
  offlineSentence,
  policyStatusPhrase,
  policySubject,
  policyText,
  quotation,
} from './words.ts';

type SentEvidence = Exclude<
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

/** One sentence, or two. */
export function effectText(evidence: EffectEvidence): Mrkdwn {
  switch (evidence.kind) {
    case 'refreshed':
      return md`The device’s data was refreshed ${relativeDate(evidence.at)}.`;
    case 'not-refreshed':
      return evidence.last === null
        ? md`Its last refresh is still unknown.`
        : md`Its last refresh is still ${relativeDate(evidence.last)}.`;
    case 'restarted':
      return md`The device went offline ${relativeDate(evidence.left)} and is back online.${flagText(evidence)}`;
    case 'uptime-dropped':
      return md`The device’s uptime dropped.${flagText(evidence)}`;
    case 'not-back':
      return md`It went offline ${relativeDate(evidence.left)} and isn’t back online yet.`;
    case 'not-restarted':
      return evidence.uptimeDropped
        ? md`No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.`
        : md`No disconnect and reconnect seen, and its uptime did not drop.`;
    case 'installed':
      return installedText(evidence.packages);
    case 'reported-installed':
      return md`The management service reported ${namesText(evidence.packages)} as installed.`;
    case 'install-failed':
      return installFailedText(evidence);
    case 'not-installed':
      return md`Not installed yet: ${namesText(evidence.packages)}.${namelessText(evidence.nameless)}`;
    case 'packages-unread':
      return md`The device’s packages have not been read yet.`;
    case 'policy-tested':
      return md`The test of ${policyText(evidence.policy)} ended ${exitCodeText(evidence.exitCode)}.`;
    case 'policy-result': {
      const policy = policyText(evidence.policy);
      return md`The management service updated the result of ${policy} ${relativeDate(evidence.at)}: the device ${policyStatusPhrase(evidence.status)}.`;
    }
    case 'no-policy-result':
      return md`No result of ${policyText(evidence.policy)} yet.`;
    case 'policy-ran':
      return md`${policySubject(evidence.policy)} ran ${exitCodeText(evidence.exitCode)}.`;
    case 'policy-failed':
      // A script may print secrets and names of people, so what it printed is in no evidence.
      return md`${policySubject(evidence.policy)} ran ${exitCodeText(evidence.exitCode)}. Its output is in the management service’s console.`;
    case 'policy-met':
      return md`The device is now up to date with ${policyText(evidence.policy)}.`;
    case 'policy-unproven': {
      const ran =
        evidence.run === null
          ? md``
          : md` The management service reported a run ${exitCodeText(evidence.run.exitCode)}.`;
      return md`No proof yet that ${policyText(evidence.policy)} was remediated.${ran}`;
    }
  }
}

function flagText({ flagCleared }: { readonly flagCleared: boolean }): Mrkdwn {
  return flagCleared ? md` A reboot is no longer required.` : md``;
}

function installedText(packages: readonly string[]): Mrkdwn {
  const [only, ...others] = packages;
  if (only === undefined)
    return md`No patches were missing before the command, so there was nothing to install.`;
  return others.length === 0
    ? md`${namesText(packages)} is installed.`
    : md`${others.length === 1 ? md`Both` : md`All ${packages.length}`} packages are installed.`;
}

function installFailedText({
  packages,
  words,
  installed,
  total,
}: Extract<Evidence, { kind: 'install-failed' }>): Mrkdwn {
  // In the order of the card's own list of packages.
  const names = namesText(packages.toSorted());
  const isAll = total > 1 && installed === 0 && packages.length === total;
  const which = isAll ? md`${total === 2 ? md`both` : md`all ${total}`} packages (${names})` : names;
  const rest = total > 1 && !isAll ? md` ${installed} of ${total} packages are installed.` : md``;
  return md`The management service reported that ${which} failed to install${quotation(words)}.${rest}`;
}

/** It may be the failure of another package. */
function namelessText(nameless: { readonly words: string | null } | null): Mrkdwn {
  if (nameless === null) return md``;
  const words = nameless.words === null ? md`` : md` (“${escapeMrkdwn(nameless.words, 300)}”)`;
  return md` The management service reported a failed patch without its name${words}.`;
}
