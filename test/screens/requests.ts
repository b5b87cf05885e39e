/** Cards of requests, before and after a decision or without one. */
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import {
  APPROVALS,
  approved,
  changed,
  OPS,
  type Place,
  reboot,
  rebootEnded,
  rebootUntil,
  requested,
  type Screen,
} from './screen.ts';

const SEEN: Place = { user: 'approver', at: APPROVALS };

async function requestWaiting(people: SandboxPeople): Promise<Place> {
  await reboot(people, 'web-01');
  return SEEN;
}

/** The requester's private answer. */
async function requestAnswer(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', 'scan web-02');
  await people.runs('operator', 'reboot web-01');
  return { user: 'operator', at: OPS };
}

async function requestsEnded(people: SandboxPeople): Promise<Place> {
  const expired = await reboot(people, 'web-01');
  await people.advance('31m');
  await people.becomes(expired, 'expired');
  await rebootEnded(people, 'web-02', 'deny');
  await rebootEnded(people, 'web-04', 'withdraw');
  return SEEN;
}

async function requestReturned(people: SandboxPeople): Promise<Place> {
  const card = await reboot(people, 'web-01');
  await people.world({ do: 'device-offline', device: 'web-01' });
  await people.push('approver', card, 'approve');
  await changed(people, card);
  return SEEN;
}

async function patchRequest(people: SandboxPeople): Promise<Place> {
  await requested(people, 'patch web-01 severity:critical,high because CVE list', 'web-01');
  await requested(
    people,
    'policy-remediate win-ts-01 policy:"Disable SMBv1" because audit finding',
    'win-ts-01',
  );
  return SEEN;
}

async function deviceEdit(people: SandboxPeople): Promise<Place> {
  await approved(people, 'device-edit web-02 tag:dmz because new zone', 'web-02', 'verified');
  await requested(people, 'device-edit web-01 group:Kiosks tag:dmz exception:yes because it moved', 'web-01');
  return SEEN;
}

async function groupEdit(people: SandboxPeople): Promise<Place> {
  await approved(people, 'group-edit Kiosks every:6h because less network load', 'Kiosks', 'verified');
  await requested(
    people,
    'group-create "Web servers" parent:Servers every:12h color:"utah clay" notes:"front doors" because new site',
    'Web servers',
  );
  return SEEN;
}

async function policyEdit(people: SandboxPeople): Promise<Place> {
  await approved(
    people,
    'policy-edit "Apply Critical Patches" group:Kiosks time:03:30 reboot:yes because fewer calls by day',
    'Apply Critical Patches',
    'verified',
  );
  await requested(
    people,
    'policy-create "Kiosk patches" group:Kiosks days:sun time:02:00 severity:critical,high defer:1,4 because new site',
    'Kiosk patches',
  );
  return SEEN;
}

async function approvalRefused(people: SandboxPeople): Promise<Place> {
  const card = await reboot(people, 'web-01');
  await people.presses('operator', card, 'approve');
  await people.presses('operator', card, 'deny');
  return { user: 'operator', at: APPROVALS };
}

/** The requester's direct messages. */
async function completionMessages(people: SandboxPeople): Promise<Place> {
  await rebootEnded(people, 'web-02', 'deny');
  await rebootUntil(people, 'web-01', 'verified');
  return { user: 'operator', at: 'messages' };
}

export const REQUESTS: readonly Screen[] = [
  { name: 'request-waiting', draw: requestWaiting },
  { name: 'requests-ended', draw: requestsEnded },
  { name: 'request-returned', draw: requestReturned },
  { name: 'device-edit', draw: deviceEdit },
  { name: 'group-edit', draw: groupEdit },
];

export const MORE_REQUESTS: readonly Screen[] = [
  { name: 'request-answer', draw: requestAnswer },
  { name: 'request-patch-and-policy', draw: patchRequest },
  { name: 'policy-edit', draw: policyEdit },
  { name: 'approval-refused', draw: approvalRefused },
  { name: 'completion-messages', draw: completionMessages },
];
