/** Cards of commands, from the approval to the proof or its absence. */
import { instant } from '../../src/lib/clock.ts';
import { deviceId, personId, requestId } from '../../src/lib/ids.ts';
import type { RequestTarget, RequestWithTargets, TargetState } from '../../src/store/port/request-records.ts';
import { renderView } from '../../src/views/views.ts';
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { aStartedRequest, aTarget } from '../harness/records.ts';
import {
  APPROVALS,
  approved,
  changed,
  OPS,
  type Place,
  reaches,
  reboot,
  rebootUntil,
  type Screen,
} from './screen.ts';

const SEEN: Place = { user: 'approver', at: APPROVALS };
/** Longer than it takes to take the pictures. */
const SLOW_MS = 60_000;

async function commandSending(people: SandboxPeople): Promise<Place> {
  const card = await reboot(people, 'web-01');
  await people.faultOnce({ service: 'management', match: 'POST /servers', kind: 'slow', ms: SLOW_MS });
  await people.push('approver', card, 'approve');
  await changed(people, card);
  return SEEN;
}

/** The bot is paused at that moment, because the state lasts only seconds. */
async function commandAccepted(people: SandboxPeople): Promise<Place> {
  const card = await reboot(people, 'web-01');
  await people.push('approver', card, 'approve');
  await reaches(people, card, ['accepted', 'queued', 'answered', 'verified']);
  await people.bot({ do: 'pause' });
  return SEEN;
}

async function commandQueued(people: SandboxPeople): Promise<Place> {
  await rebootUntil(people, 'kiosk-07', 'queued', '10m');
  return SEEN;
}

async function commandVerified(people: SandboxPeople): Promise<Place> {
  await rebootUntil(people, 'web-01', 'verified');
  return SEEN;
}

async function scanVerified(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', 'scan web-01');
  const card = await people.card(OPS, () => true, 'the card of the scan');
  await people.becomes(card, 'verified');
  return { user: 'operator', at: OPS };
}

async function commandNotVerified(people: SandboxPeople): Promise<Place> {
  await people.world({ do: 'installs-fail', device: 'web-01' });
  await approved(people, 'patch web-01 because CVE list', 'web-01', 'not_verified', '3h');
  return SEEN;
}

async function commandNotSent(people: SandboxPeople): Promise<Place> {
  await people.world({ do: 'device-added', name: 'brief-01' });
  await people.advance('61s');
  const card = await reboot(people, 'brief-01');
  await people.world({ do: 'device-removed', device: 'brief-01' });
  await people.push('approver', card, 'approve');
  await people.becomes(card, 'not_sent');
  return SEEN;
}

async function commandNotAccepted(people: SandboxPeople): Promise<Place> {
  await people.faultOnce({ service: 'management', match: 'POST /servers', kind: 'status', status: 403 });
  await rebootUntil(people, 'web-02', 'refused');
  return SEEN;
}

async function commandUnknown(people: SandboxPeople): Promise<Place> {
  await people.faultOnce({ service: 'management', match: 'POST /servers', kind: 'cut' });
  await rebootUntil(people, 'web-01', 'unknown');
  await people.advance('10m');
  return SEEN;
}

/**
 * No command targets several devices yet, so the product's own view is rendered from a record and posted with the
 * product's token.
 */
async function severalDevices(people: SandboxPeople): Promise<Place> {
  const { clock, slack, channels } = await people.state();
  const channel = channels.find(({ name }) => name === OPS)?.id ?? '';
  for (const states of [
    ['queued', 'accepted', 'verified'],
    ['verified', 'verified', 'not_verified', 'not_sent', 'unknown'],
  ] as const) {
    const { text, blocks } = renderView({ kind: 'request', request: requestOver(states, clock) });
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel, text, blocks }),
    });
    const said = (await answer.json()) as { readonly ok: boolean; readonly error?: string };
    if (!said.ok) throw new Error(`the card of several devices: ${said.error}`);
  }
  return { user: 'operator', at: OPS };
}

const OPEN: readonly TargetState[] = ['accepted', 'queued', 'answered'];

function requestOver(states: readonly TargetState[], clock: number): RequestWithTargets {
  const minutes = (count: number) => instant(clock - count * 60_000);
  const targets = states.map(
    (state, at): RequestTarget =>
      aTarget({
        deviceId: deviceId(4001 + at),
        displayName: `web-0${at + 1}`,
        state,
        issuedAt: minutes(5),
        acceptedAt: minutes(5),
        queuedAt: minutes(4),
        endedAt: OPEN.includes(state) ? null : minutes(1),
        deadlineAt: minutes(-60),
      }),
  );
  return aStartedRequest({
    id: requestId('r_several'),
    requesterId: personId('U0OPERATOR1'),
    reason: 'weekly check',
    createdAt: minutes(6),
    targets,
  });
}

export const COMMANDS: readonly Screen[] = [
  { name: 'command-accepted', draw: commandAccepted },
  { name: 'command-queued', draw: commandQueued },
  { name: 'command-verified', draw: commandVerified },
  { name: 'command-not-verified', draw: commandNotVerified },
  { name: 'command-not-sent', draw: commandNotSent },
  { name: 'command-unknown', draw: commandUnknown },
  { name: 'several-devices', draw: severalDevices },
];

export const MORE_COMMANDS: readonly Screen[] = [
  { name: 'command-sending', draw: commandSending },
  { name: 'command-not-accepted', draw: commandNotAccepted },
  { name: 'scan-verified', draw: scanVerified },
];
