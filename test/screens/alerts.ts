/** Messages that the bot posts on its own, and how people act on them. */
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { ALERTS, APPROVALS, announced, OPS, type Place, type Screen } from './screen.ts';

const SEEN: Place = { user: 'operator', at: ALERTS };

const fails = (people: SandboxPeople, device: string, reason: string) =>
  people.world({ do: 'patch-fails', device, patch: 'openssl', reason });

/** An acknowledged alert and one that is not. */
async function alerts(people: SandboxPeople): Promise<Place> {
  await fails(people, 'web-01', 'exit status 100: held packages');
  const card = await announced(people, ALERTS, 'held packages');
  await people.presses('operator', card, 'acknowledge');
  await fails(people, 'web-02', 'disk full');
  await announced(people, ALERTS, 'disk full');
  return SEEN;
}

async function alertsGrouped(people: SandboxPeople): Promise<Place> {
  await people.world({ do: 'storm', count: 30, patch: 'acme-agent', reason: 'repository unreachable' });
  await announced(people, ALERTS, 'repository unreachable');
  return SEEN;
}

async function silence(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', 'silence everything for 2h because data center move', ALERTS);
  await announced(people, ALERTS, 'data center move');
  return SEEN;
}

async function silenceEnded(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', 'silence everything for 1h because data center move');
  await fails(people, 'web-01', 'exit status 100: held packages');
  await people.advance('20s');
  await people.advance('2h');
  await announced(people, ALERTS, 'data center move');
  return SEEN;
}

async function newDevice(people: SandboxPeople): Promise<Place> {
  await people.world({ do: 'device-added', name: 'fresh-01' });
  await announced(people, 'new-devices', 'fresh-01');
  return { user: 'operator', at: 'new-devices' };
}

async function pause(people: SandboxPeople): Promise<Place> {
  await people.runs('admin', 'pause because data center move', APPROVALS);
  await people.card(APPROVALS, () => true, 'the announcement of the pause');
  await people.runs('admin', 'reboot web-01 because kernel update', APPROVALS);
  return { user: 'admin', at: APPROVALS };
}

async function alertList(people: SandboxPeople): Promise<Place> {
  await alerts(people);
  await people.runs('operator', 'alerts');
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
