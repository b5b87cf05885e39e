/** Why nothing was sent, in words. */
import { type ActionKind, changesRecord, isRemoval, recordKindOf } from '../../../fleet/model/actions.ts';
import { durationText } from '../../../lib/text.ts';
import type { Evidence, NotSentEvidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { errorText, nameText } from './words.ts';

/** A sentence. `action`: what was requested. */
export function notSentText(evidence: NotSentEvidence, action: ActionKind): Mrkdwn {
  switch (evidence.kind) {
    case 'paused':
      return pausedText(evidence);
    case 'pause-unread':
      return md`Patchbay could not check whether changes are paused.`;
    case 'too-late': {
      const { since, how, maxAgeMs } = evidence;
      const limit = trustedMrkdwn(durationText(maxAgeMs));
      return md`Too late. It was ${trustedMrkdwn(how)} ${relativeDate(since)}. Changes older than ${limit} are not sent.`;
    }
    case 'unread':
      return md`Too late. It could not be checked in time, because ${errorText(evidence.error)}.`;
    case 'not-read-yet':
      return md`The current state could not be read: ${errorText(evidence.error)}.`;
    case 'unsent':
      return md`It could not be sent: ${errorText(evidence.error, true)}.`;
    case 'delayed':
      return md`Too late. Patchbay was delayed just before sending it.`;
    case 'gone':
      return md`The ${trustedMrkdwn(evidence.thing)} no longer exists in the management service.`;
    case 'already-queued':
      return md`The same command is already in the device’s queue. A second one would also run.`;
    case 'under-way': {
      const of = recordKindOf(action) === 'device' ? md` of this device` : md``;
      const why = underWayReason(action);
      return md`Another ${ACTION_NOUNS[action.kind]}${of} has been in progress since ${relativeDate(evidence.since)}. ${why}`;
    }
    case 'twin':
      return md`A group named ${nameText(evidence.name)} already exists under the same parent.`;
    case 'name-taken':
      return md`Policy ${evidence.policy} is already named ${nameText(evidence.name)}.`;
    case 'request-waiting':
      return md`Another request for the same change is already waiting.`;
    case 'offline':
      return evidence.since === null
        ? md`The device was offline.`
        : md`The device had been offline since ${relativeDate(evidence.since)}.`;
    case 'stopped':
      return md`The rollout was stopped ${relativeDate(evidence.at)}.`;
    case 'rights-lost':
      return evidence.who === 'requester'
        ? md`The requester no longer has the role to request it.`
        : md`Somebody who approved it is no longer an approver.`;
    case 'rights-unread':
      return md`Patchbay could not check in Slack that its requester and approvers still have their roles.`;
  }
}

function underWayReason(action: ActionKind): Mrkdwn {
  if (isRemoval(action)) return md`A second one isn’t needed.`;
  return changesRecord(action) ? md`Two at once could undo each other.` : md`A second one would also run.`;
}

type Paused = Extract<Evidence, { kind: 'paused' }>;

/** Who paused them stands on the pause's own card. */
function pausedText({ since, endedAt, reason }: Paused): Mrkdwn {
  const why = reason === null ? md`` : md` (reason: ${escapeMrkdwn(reason, 200)})`;
  return endedAt === null
    ? md`All changes have been paused since ${relativeDate(since)}${why}.`
    : md`All changes were paused from ${relativeDate(since)} to ${relativeDate(endedAt)}${why}.`;
}

const ACTION_NOUNS: Readonly<Record<ActionKind['kind'], Mrkdwn>> = {
  scan: md`scan`,
  reboot: md`reboot`,
  patch: md`installation of the same packages`,
  'patch-all': md`installation of the same packages`,
  'patch-each': md`installation of the same packages`,
  'policy-test': md`test of the policy`,
  'policy-remediate': md`remediation of the policy`,
  'device-edit': md`edit`,
  'group-edit': md`edit of the group`,
  'group-create': md`creation of the group`,
  'policy-create': md`creation of the policy`,
  'policy-edit': md`edit of the policy`,
  'device-remove': md`removal`,
  'group-remove': md`removal of the group`,
};
