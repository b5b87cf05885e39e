/** Private answers: what people look at, help, and what goes wrong. */
import type { PersonName, Town } from '../e2e/town.ts';
import { ALERTS, announced, approved, OPS, type Place, reboot, type Screen } from './screen.ts';

/** These lines, typed one after the other by that person. */
const answers =
  (user: PersonName, ...lines: readonly string[]) =>
  async (town: Town): Promise<Place> => {
    for (const line of lines) await town.asks(user, line);
    return { user, at: OPS };
  };

/** A command and a filter that are not there, a device that is not there, a missing role, a service that is down. */
async function errors(town: Town): Promise<Place> {
  for (const line of ['frobnicate web-01', 'devices is:broken', 'device web-99', 'reboot web-01'])
    await town.asks('viewer', line);
  await town.fault({ service: 'management', match: 'GET /servers', kind: 'cut' });
  await town.asks('viewer', 'queue web-01');
  return { user: 'viewer', at: OPS };
}

async function serviceBusy(town: Town): Promise<Place> {
  await town.fault({ service: 'management', match: 'GET /servers', kind: 'throttle', retry_after: 60 });
  await town.asks('operator', 'queue web-01');
  return { user: 'operator', at: OPS };
}

/** What an admin looks at to see how things stand. */
async function overview(town: Town): Promise<Place> {
  await approved(town, 'reboot web-01 because kernel update', 'web-01', 'verified');
  const denied = await reboot(town, 'web-02');
  await town.push('approver', denied, 'deny');
  await town.becomes(denied, 'denied');
  await town.asks('operator', 'subscribe here patch-failed group:"Linux servers"');
  await town.asks('operator', 'silence device:web-02 for 2h because reinstalling it');
  for (const line of ['status', 'explain reboot web-01', 'subscriptions all', 'audit'])
    await town.asks('admin', line);
  return { user: 'admin', at: OPS };
}

async function requestsAndOperations(town: Town): Promise<Place> {
  await approved(town, 'reboot web-01 because kernel update', 'web-01', 'verified');
  await reboot(town, 'web-02');
  await town.asks('operator', 'approvals');
  await town.asks('operator', 'operations');
  return { user: 'operator', at: OPS };
}

async function events(town: Town): Promise<Place> {
  await town.world({ do: 'patch-fails', device: 'web-01', patch: 'openssl', reason: 'held packages' });
  await announced(town, ALERTS, 'held packages');
  await town.asks('viewer', 'events web-01');
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
