/** What rows of evidence and their sentences are made of. */

import type { HeldCause } from '../../../../src/fleet/fleet.ts';
import type { ActionKind } from '../../../../src/fleet/model/actions.ts';
import type { ChangeFault } from '../../../../src/fleet/model/changes.ts';
import { instant } from '../../../../src/lib/clock.ts';
import { groupId, policyId, queueEntryId } from '../../../../src/lib/ids.ts';
import type { ErrorFacts, Evidence } from '../../../../src/store/port/evidence.ts';
import { escapeMrkdwn } from '../../../../src/views/kit/escape.ts';
import { relativeDate } from '../../../../src/views/kit/timestamps.ts';

/** The sentence that a person reads. `action`: a reboot, unless given. */
export type EvidenceRow = readonly [evidence: Evidence, words: string, action?: ActionKind];

/** When something happened, and how it is drawn. */
export const AT = instant(Date.UTC(2026, 5, 5, 4, 0));
export const DRAWN = relativeDate(AT);

export const REBOOT: ActionKind = { kind: 'reboot' };
export const EDIT: ActionKind = { kind: 'device-edit' };
const GROUP_EDIT: ActionKind = { kind: 'group-edit' };

const policy = { id: policyId(12), name: 'Harden SSH' };
const HELD = 'it keeps to the rate limit of the service';

const timeout: ErrorFacts = { kind: 'timeout', status: null, detail: 'it took too long', held: null };
const forbidden: ErrorFacts = { kind: 'forbidden', status: 403, detail: '', held: null };
const rejected: ErrorFacts = { kind: 'invalid', status: 422, detail: 'no such command', held: null };
const throttled: ErrorFacts = { kind: 'throttled', status: 429, detail: '', held: null };
const held: ErrorFacts = { kind: 'throttled', status: null, detail: '', held: { kind: 'limit' } };
const unreachable: ErrorFacts = { kind: 'unreachable', status: null, detail: '', held: null };

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

const CAUSES: readonly [HeldCause, string][] = [
  [{ kind: 'pause' }, 'the service asked for a pause a moment ago'],
  [{ kind: 'crowded' }, 'too many other requests came first'],
  [{ kind: 'stopping' }, 'it is stopping'],
  [{ kind: 'delayed' }, 'it was delayed just before sending'],
  [{ kind: 'no-batches' }, 'the service takes the tags of one device at a time'],
];

export const NOT_SENT_SENTENCES: readonly EvidenceRow[] = [
  [
    { kind: 'paused', since: AT, endedAt: null, reason: 'an incident' },
    `All changes have been paused since ${DRAWN} (reason: an incident).`,
  ],
  [
    { kind: 'paused', since: AT, endedAt: AT, reason: null },
    `All changes were paused from ${DRAWN} to ${DRAWN}.`,
  ],
  [{ kind: 'not-needed' }, 'The management service no longer lists any of it as missing.'],
  [{ kind: 'pause-unread' }, 'Patchbay could not check whether changes are paused.'],
  [
    { kind: 'too-late', since: AT, how: 'approved', maxAgeMs: 900_000 },
    `Too late. It was approved ${DRAWN}. Changes older than 15 minutes are not sent.`,
  ],
  [
    { kind: 'too-late', since: AT, how: 'requested', maxAgeMs: 3_600_000 },
    `Too late. It was requested ${DRAWN}. Changes older than 1 hour are not sent.`,
  ],
  [
    { kind: 'unread', error: timeout },
    'Too late. It could not be checked in time, because the management service did not answer in time.',
  ],
  [
    { kind: 'not-read-yet', error: timeout },
    'The current state could not be read: the management service did not answer in time.',
  ],
  [
    { kind: 'unsent', error: rejected },
    'It could not be sent: the management service rejected the request (HTTP 422, no such command).',
  ],
  [{ kind: 'unsent', error: held }, `It could not be sent: Patchbay held this back: ${HELD}.`],
  [
    { kind: 'unsent', error: { ...held, held: { kind: 'breaker', failures: 8, retryInMs: 4_200 } } },
    'It could not be sent: the management service isn’t answering (8 failures in a row).',
  ],
  ...CAUSES.map(
    ([cause, words]): EvidenceRow => [
      { kind: 'unsent', error: { ...held, held: cause } },
      `It could not be sent: Patchbay held this back: ${words}.`,
    ],
  ),
  [{ kind: 'delayed' }, 'Too late. Patchbay was delayed just before sending it.'],
  [{ kind: 'gone', thing: 'device' }, 'The device no longer exists in the management service.'],
  [{ kind: 'gone', thing: 'group' }, 'The group no longer exists in the management service.', GROUP_EDIT],
  [
    { kind: 'already-queued', entry: queueEntryId(9) },
    'The same command is already in the device’s queue. A second one would also run.',
  ],
  [
    { kind: 'under-way', since: AT },
    `Another reboot of this device has been in progress since ${DRAWN}. A second one would also run.`,
  ],
  [
    { kind: 'under-way', since: AT },
    `Another scan of this device has been in progress since ${DRAWN}. A second one would also run.`,
    { kind: 'scan' },
  ],
  [
    { kind: 'under-way', since: AT },
    `Another edit of this device has been in progress since ${DRAWN}. Two at once could undo each other.`,
    EDIT,
  ],
  [
    { kind: 'under-way', since: AT },
    `Another edit of the group has been in progress since ${DRAWN}. Two at once could undo each other.`,
    GROUP_EDIT,
  ],
  [
    { kind: 'under-way', since: AT },
    `Another removal of this device has been in progress since ${DRAWN}. A second one isn’t needed.`,
    { kind: 'device-remove' },
  ],
  [
    { kind: 'under-way', since: AT },
    `Another removal of the group has been in progress since ${DRAWN}. A second one isn’t needed.`,
    { kind: 'group-remove' },
  ],
  [
    { kind: 'twin', name: 'Kiosks', group: groupId(5) },
    'A group named Kiosks already exists under the same parent.',
    { kind: 'group-create' },
  ],
  [
    { kind: 'under-way', since: AT },
    `Another edit of the policy has been in progress since ${DRAWN}. Two at once could undo each other.`,
    { kind: 'policy-edit' },
  ],
  [
    { kind: 'name-taken', name: 'Nightly', policy: policyId(5) },
    'Policy 5 is already named Nightly.',
    { kind: 'policy-create' },
  ],
  [{ kind: 'request-waiting' }, 'Another request for the same change is already waiting.'],
  [{ kind: 'offline', since: null }, 'The device was offline.'],
  [{ kind: 'offline', since: AT }, `The device had been offline since ${DRAWN}.`],
  [{ kind: 'stopped', at: AT }, `The rollout was stopped ${DRAWN}.`],
  [{ kind: 'rights-lost', who: 'requester' }, 'The requester no longer has the role to request it.'],
  [{ kind: 'rights-lost', who: 'approver' }, 'Somebody who approved it is no longer an approver.'],
  [
    { kind: 'rights-unread' },
    'Patchbay could not check in Slack that its requester and approvers still have their roles.',
  ],
];

export const OTHER_SENTENCES: readonly EvidenceRow[] = [
  [
    {
      kind: 'drifted',
      subject: 'device',
      changes: [{ kind: 'changed', name: 'web-01', field: 'connected', item: null, was: true, now: false }],
      more: 0,
    },
    'The device changed since the request — web-01 is now offline (was online).',
  ],
];

export const EFFECT_SENTENCES: readonly EvidenceRow[] = [
  [{ kind: 'refreshed', at: AT }, `The device’s data was refreshed ${DRAWN}.`],
  [{ kind: 'not-refreshed', last: AT }, `Its last refresh is still ${DRAWN}.`],
  [{ kind: 'not-refreshed', last: null }, 'Its last refresh is still unknown.'],
  [
    { kind: 'restarted', left: AT, flagCleared: true },
    `The device went offline ${DRAWN} and is back online. A reboot is no longer required.`,
  ],
  [{ kind: 'uptime-dropped', flagCleared: false }, 'The device’s uptime dropped.'],
  [{ kind: 'not-back', left: AT }, `It went offline ${DRAWN} and isn’t back online yet.`],
  [
    { kind: 'not-restarted', uptimeDropped: true },
    'No disconnect and reconnect seen. Its uptime dropped, but possibly before the command.',
  ],
  [
    { kind: 'not-restarted', uptimeDropped: false },
    'No disconnect and reconnect seen, and its uptime did not drop.',
  ],
  [{ kind: 'installed', packages: ['curl'] }, 'curl is installed.'],
  [{ kind: 'installed', packages: ['curl', 'openssl'] }, 'Both packages are installed.'],
  [
    { kind: 'installed', packages: [] },
    'No patches were missing before the command, so there was nothing to install.',
  ],
  [
    { kind: 'reported-installed', packages: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    'The management service reported a, b, c, d, e and 2 more as installed.',
  ],
  [
    { kind: 'install-failed', packages: ['openssl'], words: 'disk full', installed: 1, total: 2 },
    'The management service reported that openssl failed to install: “disk full”. 1 of 2 packages are installed.',
  ],
  [
    { kind: 'install-failed', packages: ['curl', 'openssl'], words: 'disk full', installed: 0, total: 2 },
    'The management service reported that both packages (curl and openssl) failed to install: “disk full”.',
  ],
  [
    { kind: 'install-failed', packages: ['openssl'], words: null, installed: 0, total: 1 },
    'The management service reported that openssl failed to install.',
  ],
  [{ kind: 'not-installed', packages: ['openssl'], nameless: null }, 'Not installed yet: openssl.'],
  [
    { kind: 'not-installed', packages: ['openssl'], nameless: { words: 'disk full' } },
    'Not installed yet: openssl. The management service reported a failed patch without its name (“disk full”).',
  ],
  [{ kind: 'packages-unread' }, 'The device’s packages have not been read yet.'],
  [
    { kind: 'policy-tested', policy, exitCode: 2 },
    'The test of Harden SSH (policy 12) ended with exit code 2.',
  ],
  [
    { kind: 'policy-tested', policy: { ...policy, name: null }, exitCode: null },
    'The test of policy 12 ended without an exit code.',
  ],
  [
    { kind: 'policy-result', policy, at: AT, status: 0 },
    `The management service updated the result of Harden SSH (policy 12) ${DRAWN}: the device needs remediation.`,
  ],
  [
    { kind: 'policy-result', policy, at: AT, status: 9 },
    `The management service updated the result of Harden SSH (policy 12) ${DRAWN}: the device has status 9.`,
  ],
  [{ kind: 'no-policy-result', policy }, 'No result of Harden SSH (policy 12) yet.'],
  [{ kind: 'policy-ran', policy, exitCode: 0 }, 'Harden SSH (policy 12) ran with exit code 0.'],
  [{ kind: 'policy-ran', policy: { ...policy, name: null }, exitCode: 0 }, 'Policy 12 ran with exit code 0.'],
  [
    { kind: 'policy-failed', policy, exitCode: 1 },
    'Harden SSH (policy 12) ran with exit code 1. Its output is in the management service’s console.',
  ],
  [{ kind: 'policy-met', policy }, 'The device is now up to date with Harden SSH (policy 12).'],
  [
    { kind: 'policy-unproven', policy, run: null },
    'No proof yet that Harden SSH (policy 12) was remediated.',
  ],
  [
    { kind: 'policy-unproven', policy, run: { exitCode: null } },
    'No proof yet that Harden SSH (policy 12) was remediated. The management service reported a run without an exit code.',
  ],
];
