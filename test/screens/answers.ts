/** Private answers: reads, help, and errors. */
import type { PersonName, SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { ALERTS, announced, approved, OPS, type Place, reboot, type Screen } from './screen.ts';

/** These lines, typed by that person one after the other. */
const answers =
  (user: PersonName, ...lines: readonly string[]) =>
  async (town: SandboxPeople): Promise<Place> => {
    for (const line of lines) await town.runs(user, line);
    return { user, at: OPS };
  };

/** An unknown command, filter and device, a missing role, an unreachable service. */
async function errors(town: SandboxPeople): Promise<Place> {
  for (const line of ['frobnicate web-01', 'devices is:broken', 'device web-99', 'reboot web-01'])
    await town.runs('viewer', line);
  await town.fault({ service: 'management', match: 'GET /servers', kind: 'cut' });
  await town.runs('viewer', 'queue web-01');
  return { user: 'viewer', at: OPS };
}

async function serviceBusy(town: SandboxPeople): Promise<Place> {
  await town.fault({ service: 'management', match: 'GET /servers', kind: 'throttle', retry_after: 60 });
  await town.runs('operator', 'queue web-01');
  return { user: 'operator', at: OPS };
}

/** An admin's overview. */
async function overview(town: SandboxPeople): Promise<Place> {
  await approved(town, 'reboot web-01 because kernel update', 'web-01', 'verified');
  const denied = await reboot(town, 'web-02');
  await town.push('approver', denied, 'deny');
  await town.becomes(denied, 'denied');
  await town.runs('operator', 'subscribe here patch-failed group:"Linux servers"');
  await town.runs('operator', 'silence device:web-02 for 2h because reinstalling it');
  for (const line of ['status', 'explain reboot web-01', 'subscriptions all', 'audit'])
    await town.runs('admin', line);
  return { user: 'admin', at: OPS };
}

async function requestsAndOperations(town: SandboxPeople): Promise<Place> {
  await approved(town, 'reboot web-01 because kernel update', 'web-01', 'verified');
  await reboot(town, 'web-02');
  await town.runs('operator', 'approvals');
  await town.runs('operator', 'operations');
  return { user: 'operator', at: OPS };
}

async function events(town: SandboxPeople): Promise<Place> {
  await town.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held packages' });
  await announced(town, ALERTS, 'held packages');
  await town.runs('viewer', 'events web-01');
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
