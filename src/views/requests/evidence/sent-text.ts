/** What became of the call, what the queue and the device show, and what all of it comes to, in words. */
import { FIELD_LABELS } from '../../../fleet/facts/edit-changes.ts';
import { type ActionKind, changesRecord } from '../../../fleet/model/actions.ts';
import type { EditedField } from '../../../fleet/model/changes.ts';
import { upperFirst } from '../../../lib/text.ts';
import type { Evidence, OfflineFacts } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { changeFaultText } from '../../text/change-fault-text.ts';
import {
  type EvidenceTable,
  errorText,
  exitCodeText,
  lostAnswerText,
  namesText,
  nameText,
  offlineSentence,
  policyStatusPhrase,
  policySubject,
  policyText,
  quotation,
} from './words.ts';

/** What became of the call, what the queue, the record and the device show, and what all of it comes to. */
export const SENT_WORDS = {
  refused: refusedText,
  unsendable: ({ fault }) => md`Nothing was sent: ${escapeMrkdwn(changeFaultText(fault), 200)}.`,
  'answer-lost': ({ error }, action) => {
    const arrived = changesRecord(action)
      ? md`The change may or may not have been made.`
      : md`The command may or may not have arrived.`;
    return md`Patchbay got no clear answer: ${lostAnswerText(error)}. ${arrived}`;
  },
  interrupted: (_, action) =>
    md`Patchbay stopped while sending the ${nounOf(action)}. The management service may or may not have accepted it.`,
  looking: (_, action) =>
    changesRecord(action)
      ? md`Patchbay is checking for the change and won’t send it again.`
      : md`Patchbay is looking for the command in the device’s queue and won’t send it again.`,
  accepted: ({ inQueue }) => ACCEPTED_WORDS[inQueue],
  queued: ({ answerLost, offline }) => {
    const lost = answerLost
      ? md`Patchbay got no clear answer, but the command is in the device’s queue. `
      : md``;
    return md`${lost}The command can’t be canceled.${offlineSentence(offline)}`;
  },
  ambiguous: ({ entries, answerLost }) => {
    const which = md`the device’s queue has ${entries} new entries like this command. It’s unclear which one belongs to it`;
    return answerLost
      ? md`Patchbay got no clear answer, and ${which}. Patchbay won’t send it again.`
      : md`The management service accepted the command, and ${which}.`;
  },
  answered: ({ exitCode }) =>
    exitCode === null ? md`The device answered.` : md`The device answered with exit code ${exitCode}.`,
  'left-queue': () => md`The command left the device’s queue. No answer was seen.`,
  // Read long afterwards, so it says nothing of the device as it is by then.
  'still-queued': ({ offline, at }) =>
    md`Patchbay stopped checking ${relativeDate(at)}. The command was still in the device’s queue${wasOffline(offline)}. A queued command can’t be canceled, so it may have run since, or may still run.`,
  unconfirmed: () => md`Couldn’t confirm that it ran.`,
  'cause-unknown': () =>
    md`This may have another cause, because Patchbay got no clear answer to the command. It was not sent again.`,
  'stays-unknown': () =>
    md`Patchbay got no clear answer and found no matching entry in the device’s queue. The device may or may not have received the command. It was not sent again. Check the device before you request it again.`,
  unverifiable: ({ thing }) =>
    md`The ${trustedMrkdwn(thing)} no longer exists in the management service, so nothing can be verified.`,
  'check-late': ({ error }) =>
    md`The check is late, because ${errorText(error)}. Patchbay tries again by itself.`,
  'unread-to-the-end': ({ error }) =>
    md`The outcome is unknown. Patchbay’s last check failed: ${lostAnswerText(error)}.`,
  // What the record shows after an edit or a removal.
  'shown-after-loss': () => md`Patchbay got no clear answer, but the change is visible now.`,
  'group-made': ({ group }) => md`It is group #${group}.`,
  'policy-made': ({ policy }) => md`It is policy #${policy}.`,
  confirmed: ({ fields, name }) =>
    md`The management service now shows the new ${fieldsText(fields)}${newNameText(name)}.`,
  'other-values': ({ fields }) => md`The management service shows other values for ${fieldsText(fields)}.`,
  'not-shown': ({ fields }) => md`Sent but not shown by the management service: ${fieldsText(fields)}.`,
  'also-changed': ({ fields }) =>
    md`${trustedMrkdwn(upperFirst(fieldsText(fields)))} also changed, maybe by someone else.`,
  'no-such-group': () => md`There is no group with this name under this parent.`,
  'several-groups': ({ groups }) => md`There are now ${groups} groups with this name.`,
  'no-such-policy': () => md`There is no policy with this name.`,
  'several-policies': ({ policies }) => md`There are now ${policies} policies with this name.`,
  'edit-unconfirmed': ({ answerLost }) =>
    answerLost
      ? md`Patchbay got no clear answer, so the management service may or may not have accepted the change.`
      : md`The management service accepted the change.`,
  removed: ({ thing }) => md`The ${trustedMrkdwn(thing)} no longer exists in the management service.`,
  'still-there': ({ thing }) => md`The management service still shows the ${trustedMrkdwn(thing)}.`,
  // What the device shows.
  refreshed: ({ at }) => md`The device’s data was refreshed ${relativeDate(at)}.`,
  'not-refreshed': ({ last }) =>
    last === null
      ? md`Its last refresh is still unknown.`
      : md`Its last refresh is still ${relativeDate(last)}.`,
  restarted: ({ left, flagCleared }) =>
    md`The device went offline ${relativeDate(left)} and is back online.${flagText(flagCleared)}`,
  'uptime-dropped': ({ flagCleared }) => md`The device’s uptime dropped.${flagText(flagCleared)}`,
  'not-back': ({ left }) => md`It went offline ${relativeDate(left)} and isn’t back online yet.`,
  'not-restarted': ({ uptimeDropped }) =>
    uptimeDropped
      ? md`No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.`
      : md`No disconnect and reconnect seen, and its uptime did not drop.`,
  installed: installedText,
  'reported-installed': ({ packages }) =>
    md`The management service reported ${namesText(packages)} as installed.`,
  'install-failed': installFailedText,
  'not-installed': ({ packages, nameless }) =>
    md`Not installed yet: ${namesText(packages)}.${namelessText(nameless)}`,
  'packages-unread': () => md`The device’s packages have not been read yet.`,
  'policy-tested': ({ policy, exitCode }) =>
    md`The test of ${policyText(policy)} ended ${exitCodeText(exitCode)}.`,
  'policy-result': ({ policy, at, status }) =>
    md`The management service updated the result of ${policyText(policy)} ${relativeDate(at)}: the device ${policyStatusPhrase(status)}.`,
  'no-policy-result': ({ policy }) => md`No result of ${policyText(policy)} yet.`,
  'policy-ran': ({ policy, exitCode }) => md`${policySubject(policy)} ran ${exitCodeText(exitCode)}.`,
  // A script may print secrets and names of people, so what it printed is in no evidence.
  'policy-failed': ({ policy, exitCode }) =>
    md`${policySubject(policy)} ran ${exitCodeText(exitCode)}. Its output is in the management service’s console.`,
  'policy-met': ({ policy }) => md`The device is now up to date with ${policyText(policy)}.`,
  'policy-unproven': ({ run, policy }) => {
    const ran =
      run === null ? md`` : md` The management service reported a run ${exitCodeText(run.exitCode)}.`;
    return md`No proof yet that ${policyText(policy)} was remediated.${ran}`;
  },
} satisfies Partial<EvidenceTable>;

function nounOf(action: ActionKind): Mrkdwn {
  return changesRecord(action) ? md`change` : md`command`;
}

function wasOffline(offline: OfflineFacts): Mrkdwn {
  if (offline === null) return md``;
  return offline.since === null
    ? md`, and the device was offline`
    : md`, and the device had been offline since ${relativeDate(offline.since)}`;
}

function refusedText({ error }: Extract<Evidence, { kind: 'refused' }>, action: ActionKind): Mrkdwn {
  const noun = nounOf(action);
  // Without an HTTP status it never left Patchbay.
  const end =
    error.status === null
      ? md`The ${noun} could not be sent`
      : md`The management service did not accept the ${noun}`;
  const cause = error.held !== null ? errorText(error) : md`Cause: ${errorText(error, true)}`;
  const next = error.kind === 'throttled' ? md` Try again later.` : md``;
  return md`${end}. Nothing was changed. ${cause}.${next}`;
}

const ACCEPTED_WORDS = {
  'not-yet': md`The device’s queue hasn’t been read since.`,
  'not-seen': md`The management service accepted the command. Patchbay hasn’t seen it in the device’s queue.`,
  unasked: md`The management service accepted the command.`,
} as const;

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
  return namesText(
    fields.map((field) => FIELD_LABELS[field]),
    trustedMrkdwn,
  );
}

function flagText(flagCleared: boolean): Mrkdwn {
  return flagCleared ? md` A reboot is no longer required.` : md``;
}

function installedText({ packages }: { readonly packages: readonly string[] }): Mrkdwn {
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
