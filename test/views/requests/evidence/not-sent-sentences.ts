/** Why nothing was sent, and the sentence that a person reads. */
import type { HeldCause } from '../../../../src/fleet/fleet.ts';
import { groupId, policyId, queueEntryId } from '../../../../src/lib/ids.ts';
import { AT, DRAWN, EDIT, type EvidenceRow, GROUP_EDIT, HELD, held, rejected, timeout } from './rows.ts';

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
