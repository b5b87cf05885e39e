/** Cards of requests, before and after a decision or without one. */
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { APPROVALS, approved, changed, OPS, type Place, reboot, requested, type Screen } from './screen.ts';

const SEEN: Place = { user: 'approver', at: APPROVALS };

async function requestWaiting(town: SandboxPeople): Promise<Place> {
  await reboot(town, 'web-01');
  return SEEN;
}

/** The requester's private answer. */
async function requestAnswer(town: SandboxPeople): Promise<Place> {
  await town.runs('operator', 'scan web-02');
  await town.runs('operator', 'reboot web-01');
  return { user: 'operator', at: OPS };
}

async function requestsEnded(town: SandboxPeople): Promise<Place> {
  const expired = await reboot(town, 'web-01');
  await town.advance('31m');
  await town.becomes(expired, 'expired');
  const denied = await reboot(town, 'web-02');
  await town.push('approver', denied, 'deny');
  await town.becomes(denied, 'denied');
  const withdrawn = await reboot(town, 'web-04');
  await town.push('operator', withdrawn, 'withdraw');
  await town.becomes(withdrawn, 'withdrawn');
  return SEEN;
}

async function requestReturned(town: SandboxPeople): Promise<Place> {
  const card = await reboot(town, 'web-01');
  await town.world({ do: 'device-offline', device: 'web-01' });
  await town.push('approver', card, 'approve');
  await changed(town, card);
  return SEEN;
}

async function patchRequest(town: SandboxPeople): Promise<Place> {
  await requested(town, 'patch web-01 severity:critical,high because CVE list', 'web-01');
  await requested(
    town,
    'policy-remediate win-ts-01 policy:"Disable SMBv1" because audit finding',
    'win-ts-01',
  );
  return SEEN;
}

async function deviceEdit(town: SandboxPeople): Promise<Place> {
  await approved(town, 'device-edit web-02 tag:dmz because new zone', 'web-02', 'verified');
  await requested(town, 'device-edit web-01 group:Kiosks tag:dmz exception:yes because it moved', 'web-01');
  return SEEN;
}

async function groupEdit(town: SandboxPeople): Promise<Place> {
  await approved(town, 'group-edit Kiosks every:6h because scan more often', 'Kiosks', 'verified');
  await requested(
    town,
    'group-create "Web servers" parent:Servers every:12h color:"utah clay" notes:"front doors" because new site',
    'Web servers',
  );
  return SEEN;
}

async function approvalRefused(town: SandboxPeople): Promise<Place> {
  const card = await reboot(town, 'web-01');
  await town.presses('operator', card, 'approve');
  await town.presses('operator', card, 'deny');
  return { user: 'operator', at: APPROVALS };
}

/** The requester's direct messages. */
async function completionMessages(town: SandboxPeople): Promise<Place> {
  const denied = await reboot(town, 'web-02');
  await town.push('approver', denied, 'deny');
  await town.becomes(denied, 'denied');
  await approved(town, 'reboot web-01 because kernel update', 'web-01', 'verified');
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
  { name: 'approval-refused', draw: approvalRefused },
  { name: 'completion-messages', draw: completionMessages },
];
