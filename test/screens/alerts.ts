/** Messages that the bot posts on its own, and how people act on them. */
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { ALERTS, APPROVALS, announced, OPS, type Place, type Screen } from './screen.ts';

const SEEN: Place = { user: 'operator', at: ALERTS };

const fails = (town: SandboxPeople, device: string, reason: string) =>
  town.world({ do: 'patch-fails', device, patch: 'openssl', reason });

/** An acknowledged alert and one that is not. */
async function alerts(town: SandboxPeople): Promise<Place> {
  await fails(town, 'web-01', 'exit status 100: held packages');
  const card = await announced(town, ALERTS, 'held packages');
  await town.presses('operator', card, 'acknowledge');
  await fails(town, 'web-02', 'disk full');
  await announced(town, ALERTS, 'disk full');
  return SEEN;
}

async function alertsGrouped(town: SandboxPeople): Promise<Place> {
  await town.world({ do: 'storm', count: 30, patch: 'acme-agent', reason: 'repository unreachable' });
  await announced(town, ALERTS, 'repository unreachable');
  return SEEN;
}

async function silence(town: SandboxPeople): Promise<Place> {
  await town.runs('operator', 'silence everything for 2h because data center move', ALERTS);
  await announced(town, ALERTS, 'data center move');
  return SEEN;
}

async function silenceEnded(town: SandboxPeople): Promise<Place> {
  await town.runs('operator', 'silence everything for 1h because data center move');
  await fails(town, 'web-01', 'exit status 100: held packages');
  await town.advance('20s');
  await town.advance('2h');
  await announced(town, ALERTS, 'data center move');
  return SEEN;
}

async function newDevice(town: SandboxPeople): Promise<Place> {
  await town.world({ do: 'device-added', name: 'fresh-01' });
  await announced(town, 'new-devices', 'fresh-01');
  return { user: 'operator', at: 'new-devices' };
}

async function pause(town: SandboxPeople): Promise<Place> {
  await town.runs('admin', 'pause because data center move', APPROVALS);
  await town.card(APPROVALS, () => true, 'the announcement of the pause');
  await town.runs('admin', 'reboot web-01 because kernel update', APPROVALS);
  return { user: 'admin', at: APPROVALS };
}

async function alertList(town: SandboxPeople): Promise<Place> {
  await alerts(town);
  await town.runs('operator', 'alerts');
  return { user: 'operator', at: OPS };
}

export const ALERT_SCREENS: readonly Screen[] = [
  { name: 'alerts', draw: alerts },
  { name: 'alerts-grouped', draw: alertsGrouped },
  { name: 'silence', draw: silence },
  { name: 'new-device', draw: newDevice },
];

export const MORE_ALERT_SCREENS: readonly Screen[] = [
  { name: 'alert-list', draw: alertList },
  { name: 'silence-ended', draw: silenceEnded },
  { name: 'pause', draw: pause },
];
