/** What became of a call and of the queue, and the sentence that a person reads. */
import type { ChangeFault } from '../../../../src/fleet/model/changes.ts';
import { groupId, policyId } from '../../../../src/lib/ids.ts';
import { escapeMrkdwn } from '../../../../src/views/kit/escape.ts';
import {
  AT,
  DRAWN,
  EDIT,
  type EvidenceRow,
  forbidden,
  GROUP_EDIT,
  HELD,
  held,
  rejected,
  throttled,
  timeout,
  unreachable,
} from './rows.ts';

const offline = { since: AT };

const FAULTS: readonly [ChangeFault, string][] = [
  [{ kind: 'nothing-named', what: 'package' }, 'no package was named'],
  [
    { kind: 'package-name', name: 'Two Words' },
    'the service separates package names by spaces, so it cannot take "Two Words"',
  ],
  [{ kind: 'blank-tag' }, 'a tag cannot be blank'],
  [{ kind: 'tag-both-ways', tag: 'a' }, '"a" cannot be added and removed at once'],
  [{ kind: 'no-address', address: '192.0.2.256' }, '"192.0.2.256" is not an IP address'],
  [{ kind: 'blank-group-name' }, 'a group needs a name: only the Default Group has a blank one'],
  [{ kind: 'group-color' }, 'a color is #RRGGBB, or one of the nine names of the console'],
  [{ kind: 'wsus-not-forced' }, 'a WSUS server needs WSUS to be forced'],
  [{ kind: 'wsus-address' }, 'a WSUS server is http://HOST:PORT, and nothing after it'],
  [{ kind: 'refresh-interval', least: 240, most: 1440 }, 'the refresh interval is 240 to 1440 whole minutes'],
  [{ kind: 'group-below-itself' }, 'a group cannot be below itself'],
  [{ kind: 'default-group' }, 'the Default Group cannot be deleted'],
  [
    { kind: 'policy-field', field: 'weeksOfMonth' },
    'the service would not take the new value of: weeks of the month',
  ],
  [
    { kind: 'not-shown', what: 'device-tags' },
    'the service does not say which tags the device has, so it could get lost',
  ],
  [{ kind: 'no-more-batches' }, 'the service takes no more batches'],
];

export const SENT_SENTENCES: readonly EvidenceRow[] = [
  [
    { kind: 'refused', error: forbidden },
    'The management service did not accept the command. Nothing was changed. Cause: the management service does not allow this, or the target no longer exists (HTTP 403).',
  ],
  [
    { kind: 'refused', error: rejected },
    'The management service did not accept the change. Nothing was changed. Cause: the management service rejected the request (HTTP 422, no such command).',
    EDIT,
  ],
  [
    { kind: 'refused', error: throttled },
    'The management service did not accept the command. Nothing was changed. Cause: the management service is limiting requests (HTTP 429). Try again later.',
  ],
  [
    { kind: 'refused', error: unreachable },
    'The command could not be sent. Nothing was changed. Cause: the management service could not be reached.',
  ],
  [
    { kind: 'refused', error: held },
    `The command could not be sent. Nothing was changed. Patchbay held this back: ${HELD}. Try again later.`,
  ],
  ...FAULTS.map(
    ([fault, words]): EvidenceRow => [
      { kind: 'unsendable', fault },
      `Nothing was sent: ${escapeMrkdwn(words, 200)}.`,
      EDIT,
    ],
  ),
  [
    { kind: 'answer-lost', error: unreachable },
    'Patchbay got no clear answer: the connection ended before the management service answered. The command may or may not have arrived.',
  ],
  [
    { kind: 'answer-lost', error: timeout },
    'Patchbay got no clear answer: the management service did not answer in time. The command may or may not have arrived.',
  ],
  [
    { kind: 'answer-lost', error: timeout },
    'Patchbay got no clear answer: the management service did not answer in time. The change may or may not have been made.',
    EDIT,
  ],
  [
    { kind: 'interrupted' },
    'Patchbay stopped while sending the command. The management service may or may not have accepted it.',
  ],
  [
    { kind: 'interrupted' },
    'Patchbay stopped while sending the change. The management service may or may not have accepted it.',
    EDIT,
  ],
  [{ kind: 'accepted', inQueue: 'not-yet' }, 'The device’s queue hasn’t been read since.'],
  [
    { kind: 'accepted', inQueue: 'not-seen' },
    'The management service accepted the command. Patchbay hasn’t seen it in the device’s queue.',
  ],
  [{ kind: 'accepted', inQueue: 'unasked' }, 'The management service accepted the command.'],
  [{ kind: 'queued', entry: 9, answerLost: false, offline: null }, 'The command can’t be canceled.'],
  [
    { kind: 'queued', entry: 9, answerLost: false, offline },
    `The command can’t be canceled. The device has been offline since ${DRAWN} and runs the command as soon as it’s back online.`,
  ],
  [
    { kind: 'queued', entry: 9, answerLost: true, offline: { since: null } },
    'Patchbay got no clear answer, but the command is in the device’s queue. The command can’t be canceled. The device is offline and runs the command as soon as it’s back online.',
  ],
  [
    { kind: 'ambiguous', entries: 2, answerLost: false },
    'The management service accepted the command, and the device’s queue has 2 new entries like this command. It’s unclear which one belongs to it.',
  ],
  [
    { kind: 'ambiguous', entries: 2, answerLost: true },
    'Patchbay got no clear answer, and the device’s queue has 2 new entries like this command. It’s unclear which one belongs to it. Patchbay won’t send it again.',
  ],
  [{ kind: 'answered', exitCode: 3 }, 'The device answered with exit code 3.'],
  [{ kind: 'answered', exitCode: null }, 'The device answered.'],
  [{ kind: 'left-queue' }, 'The command left the device’s queue. No answer was seen.'],
  [
    { kind: 'still-queued', offline, at: AT },
    `Patchbay stopped checking ${DRAWN}. The command was still in the device’s queue, and the device had been offline since ${DRAWN}. A queued command can’t be canceled, so it may have run since, or may still run.`,
  ],
  [
    { kind: 'still-queued', offline: { since: null }, at: AT },
    `Patchbay stopped checking ${DRAWN}. The command was still in the device’s queue, and the device was offline. A queued command can’t be canceled, so it may have run since, or may still run.`,
  ],
  [
    { kind: 'still-queued', offline: null, at: AT },
    `Patchbay stopped checking ${DRAWN}. The command was still in the device’s queue. A queued command can’t be canceled, so it may have run since, or may still run.`,
  ],
  [{ kind: 'shown-after-loss' }, 'Patchbay got no clear answer, but the change is visible now.', EDIT],
  [{ kind: 'group-made', group: groupId(31) }, 'It is group #31.'],
  [
    { kind: 'confirmed', fields: ['customName', 'exception'] },
    'The management service now shows the new custom name and exclusion from reports and statistics.',
    EDIT,
  ],
  [
    { kind: 'confirmed', fields: ['customName'], name: 'front door' },
    'The management service now shows the new custom name “front door”.',
    EDIT,
  ],
  [
    { kind: 'confirmed', fields: ['customName'], name: null },
    'The management service now shows the new custom name (none).',
    EDIT,
  ],
  [
    { kind: 'other-values', fields: ['exception'] },
    'The management service shows other values for exclusion from reports and statistics.',
    EDIT,
  ],
  [
    { kind: 'not-shown', fields: ['wsus', 'policyIds'] },
    'Sent but not shown by the management service: source of Windows updates and policies.',
    GROUP_EDIT,
  ],
  [{ kind: 'also-changed', fields: ['color'] }, 'Color also changed, maybe by someone else.', GROUP_EDIT],
  [{ kind: 'policy-made', policy: policyId(31) }, 'It is policy #31.'],
  [{ kind: 'no-such-policy' }, 'There is no policy with this name.'],
  [{ kind: 'several-policies', policies: 3 }, 'There are now 3 policies with this name.'],
  [{ kind: 'no-such-group' }, 'There is no group with this name under this parent.'],
  [{ kind: 'several-groups', groups: 3 }, 'There are now 3 groups with this name.'],
  [{ kind: 'edit-unconfirmed', answerLost: false }, 'The management service accepted the change.', EDIT],
  [
    { kind: 'edit-unconfirmed', answerLost: true },
    'Patchbay got no clear answer, so the management service may or may not have accepted the change. It was not sent again.',
    EDIT,
  ],
  [
    { kind: 'removed', thing: 'device' },
    'The device no longer exists in the management service.',
    { kind: 'device-remove' },
  ],
  [
    { kind: 'removed', thing: 'group' },
    'The group no longer exists in the management service.',
    { kind: 'group-remove' },
  ],
  [
    { kind: 'still-there', thing: 'group' },
    'The management service still shows the group.',
    { kind: 'group-remove' },
  ],
  [{ kind: 'looking' }, 'Patchbay is looking for the command in the device’s queue and won’t send it again.'],
  [{ kind: 'looking' }, 'Patchbay is checking for the change and won’t send it again.', EDIT],
  [{ kind: 'unconfirmed' }, 'Couldn’t confirm that it ran.'],
  [
    { kind: 'cause-unknown' },
    'This may have another cause, because Patchbay got no clear answer to the command. It was not sent again.',
  ],
  [
    { kind: 'stays-unknown' },
    'Patchbay got no clear answer and found no matching entry in the device’s queue. The device may or may not have received the command. It was not sent again. Check the device before you request it again.',
  ],
  [
    { kind: 'unverifiable', thing: 'device' },
    'The device no longer exists in the management service, so nothing can be verified.',
  ],
  [
    { kind: 'check-late', error: forbidden },
    'The check is late, because the management service does not allow this, or the target no longer exists (HTTP 403). Patchbay tries again by itself.',
  ],
  [
    { kind: 'unread-to-the-end', error: forbidden },
    'The outcome is unknown. Patchbay’s last check failed: the management service does not allow this, or the target no longer exists (HTTP 403).',
  ],
];
