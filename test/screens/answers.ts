/** Private answers: reads, help, and errors. */
import type { PersonName, SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { ALERTS, announced, approved, OPS, type Place, reboot, type Screen } from './screen.ts';

/** These lines, typed by that person one after the other. */
const answers =
  (user: PersonName, ...lines: readonly string[]) =>
  async (people: SandboxPeople): Promise<Place> => {
    for (const line of lines) await people.runs(user, line);
    return { user, at: OPS };
  };

/** An unknown command, filter and device, a missing role, an unreachable service. */
async function errors(people: SandboxPeople): Promise<Place> {
  for (const line of ['frobnicate web-01', 'devices is:broken', 'device web-99', 'reboot web-01'])
    await people.runs('viewer', line);
  await people.fault({ service: 'management', match: 'GET /servers', kind: 'cut' });
  await people.runs('viewer', 'queue web-01');
  return { user: 'viewer', at: OPS };
}

async function serviceBusy(people: SandboxPeople): Promise<Place> {
  await people.fault({ service: 'management', match: 'GET /servers', kind: 'throttle', retry_after: 60 });
  await people.runs('operator', 'queue web-01');
  return { user: 'operator', at: OPS };
}

/** An admin's overview. */
async function overview(people: SandboxPeople): Promise<Place> {
  await approved(people, 'reboot web-01 because kernel update', 'web-01', 'verified');
  const denied = await reboot(people, 'web-02');
  await people.push('approver', denied, 'deny');
  await people.becomes(denied, 'denied');
  await people.runs('operator', 'subscribe here patch-failed group:"Linux servers"');
  await people.runs('operator', 'silence device:web-02 for 2h because reinstalling it');
  for (const line of ['status', 'explain reboot web-01', 'subscriptions all', 'audit'])
    await people.runs('admin', line);
  return { user: 'admin', at: OPS };
}

async function requestsAndOperations(people: SandboxPeople): Promise<Place> {
  await approved(people, 'reboot web-01 because kernel update', 'web-01', 'verified');
  await reboot(people, 'web-02');
  await people.runs('operator', 'approvals');
  await people.runs('operator', 'operations');
  return { user: 'operator', at: OPS };
}

async function events(people: SandboxPeople): Promise<Place> {
  await people.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held packages' });
  await announced(people, ALERTS, 'held packages');
  await people.runs('viewer', 'events web-01');
  return { user: 'viewer', at: OPS };
}

export const ANSWERS: readonly Screen[] = [
  { name: 'device', draw: answers('operator', 'device web-01') },
  { name: 'devices', draw: answers('viewer', 'devices group:"Linux servers" is:needs-reboot') },
  {
    name: 'packages-and-missing',
    draw: answers('viewer', 'packages web-01', 'missing openssl group:"Linux servers"'),
  },
  { name: 'compliance-and-policy', draw: answers('viewer', 'compliance', 'policy "Disable SMBv1"') },
  { name: 'help', draw: answers('operator', 'help', 'help patch') },
  { name: 'errors', draw: errors },
  { name: 'overview', draw: overview },
];

export const MORE_ANSWERS: readonly Screen[] = [
  { name: 'groups-and-policies', draw: answers('viewer', 'policies', 'groups', 'group "Linux servers"') },
  { name: 'events', draw: events },
  { name: 'requests-and-operations', draw: requestsAndOperations },
  { name: 'explain', draw: answers('operator', 'explain patch web-01', 'explain scan web-01') },
  { name: 'help-filters', draw: answers('operator', 'help filters') },
  {
    name: 'errors-more',
    draw: answers('operator', 'device wbe-01', 'audit', 'patch web-01 severity:severe', 'device “web-01'),
  },
  { name: 'service-busy', draw: serviceBusy },
];
