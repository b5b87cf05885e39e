/** The screens to read when wording changes, in reading order, and some more. */

import { instant } from '../../src/lib/clock.ts';
import { deviceId, personId, requestId } from '../../src/lib/ids.ts';
import type { RequestTarget, RequestWithTargets, TargetState } from '../../src/store/port/request-records.ts';
import { renderView } from '../../src/views/views.ts';
import { actionOf } from '../e2e/harness/modals.ts';
import {
  messageText,
  type PersonName,
  type PostedCard,
  type SandboxPeople,
} from '../e2e/harness/sandbox-people.ts';
import { aStartedRequest, aTarget } from '../harness/records.ts';
import { until } from '../harness/until.ts';
import { ALERT_SCREENS, MORE_ALERT_SCREENS } from './alerts.ts';
import {
  ALERTS,
  APPROVALS,
  announced,
  approved,
  changed,
  form,
  OPS,
  opened,
  type Place,
  reaches,
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

/** Opens a form by typing an incomplete command. */
const formOf =
  (user: PersonName, line: string) =>
  (people: SandboxPeople): Promise<Place> =>
    form(people, user, line);

/** Chooses this in a live field, and waits until the form's fields have changed. */
async function follows(people: SandboxPeople, user: PersonName, field: string, value: string): Promise<void> {
  const top = (await people.views(user)).modals.at(-1);
  if (top === undefined) throw new Error('no form is open');
  const action_id = actionOf(top, field);
  const place = { user, view_id: top.id, block_id: field, action_id };
  await people.suggest({ ...place, value: 'web-01' });
  const { ok, error } = await people.click({ ...place, value });
  if (!ok) throw new Error(`${field}: ${error}`);
  const shown = JSON.stringify(top.blocks);
  await until(
    async () => {
      const now = (await people.views(user)).modals.at(-1);
      return now !== undefined && JSON.stringify(now.blocks) !== shown;
    },
    { what: `the form after ${field}`, timeoutMs: 20_000 },
  );
}

async function patchForm(people: SandboxPeople): Promise<Place> {
  const place = await form(people, 'operator', 'patch because CVE list');
  await follows(people, 'operator', 'device', '4001');
  return place;
}

async function deviceEditForm(people: SandboxPeople): Promise<Place> {
  const place = await form(people, 'operator', 'device-edit');
  await follows(people, 'operator', 'device', '4001');
  return place;
}

async function reasonForm(people: SandboxPeople): Promise<Place> {
  const answer = await people.runs('operator', 'reboot web-01');
  await people.push('operator', { ...answer, channel: OPS }, 'add_reason');
  return opened(people, 'operator');
}

async function homeApprover(people: SandboxPeople): Promise<Place> {
  await approved(people, 'reboot web-02 because kernel update', 'web-02', 'verified');
  await people.world({ do: 'patch-fails', device: 'web-04', patch: 'openssl', reason: 'held packages' });
  await announced(people, ALERTS, 'held packages');
  await reboot(people, 'web-01');
  return { user: 'approver', at: 'home' };
}

async function homeOperator(people: SandboxPeople): Promise<Place> {
  await homeApprover(people);
  return { user: 'operator', at: 'home' };
}

/** Of many devices. */
const PATCH = 'patch group:"Linux servers" severity:critical waves:1,25%,100% brake:2 because CVE-2026-1234';

const waiting = (people: SandboxPeople) => requested(people, PATCH, '28 devices');

/** Moves the clock until the card has these words. */
async function shows(people: SandboxPeople, card: PostedCard, words: string): Promise<PostedCard> {
  const look = () => people.card(card.channel, ({ ts }) => ts === card.ts);
  for (let steps = 0; steps < 40 && !messageText(await look()).includes(words); steps += 1)
    await people.advance('20s');
  return until(
    async () => {
      const now = await look();
      return messageText(now).includes(words) && now;
    },
    { what: words, timeoutMs: 20_000 },
  );
}

async function approveForm(people: SandboxPeople): Promise<Place> {
  const card = await waiting(people);
  await people.opens('approver', card, 'approve');
  return { ...(await opened(people, 'approver')), at: APPROVALS };
}

/** Approved with the number of devices. */
async function running(people: SandboxPeople): Promise<PostedCard> {
  const card = await waiting(people);
  await people.push('approver', card, 'approve');
  return shows(people, card, 'Wave 1 of 3');
}

async function held(people: SandboxPeople): Promise<Place> {
  const two = 'waves:1,100%';
  const lines = [
    ['reboot web-01,web-02', two, 'web-01'],
    ['reboot app-02,app-03', `${two} gate:manual`, 'app-02'],
    ['reboot build-02,app-04', two, 'build-02'],
  ] as const;
  const cards: PostedCard[] = [];
  for (const [what, plan, name] of lines) {
    const card = await requested(people, `${what} ${plan} because kernel update`, name);
    await people.push('approver', card, 'approve');
    cards.push(await shows(people, card, 'Wave 1 of 2'));
  }
  const [paused, gate, stopped] = cards;
  if (paused === undefined || gate === undefined || stopped === undefined) throw new Error('no cards');
  await people.push('approver', paused, 'control:pause');
  await people.push('approver', stopped, 'control:stop');
  await shows(people, gate, 'Continue');
  return SEEN;
}

async function braked(people: SandboxPeople): Promise<PostedCard> {
  for (const device of ['web-02', 'app-02']) await people.world({ do: 'installs-fail', device });
  const card = await running(people);
  return shows(people, card, 'Stopped automatically');
}

async function ended(people: SandboxPeople): Promise<PostedCard> {
  const card = await braked(people);
  await people.push('approver2', card, 'control:resume');
  await shows(people, card, '4 queued');
  for (const device of ['app-01', 'web-05', 'web-06', 'app-08'])
    await people.world({ do: 'device-online', device });
  return shows(people, card, 'Partly verified');
}

const seen = (draw: (people: SandboxPeople) => Promise<PostedCard>) => async (people: SandboxPeople) => {
  await draw(people);
  return SEEN;
};

async function results(people: SandboxPeople): Promise<Place> {
  await people.presses('operator', await braked(people), 'results');
  return { user: 'operator', at: APPROVALS };
}

async function atHome(people: SandboxPeople): Promise<Place> {
  await braked(people);
  return { user: 'operator', at: 'home' };
}

async function list(people: SandboxPeople): Promise<Place> {
  await ended(people);
  await requested(people, 'reboot web-01,web-02 waves:1,100% because kernel update', 'web-01');
  await people.runs('operator', 'rollouts');
  return { user: 'operator', at: OPS };
}

async function toldOfEnd(people: SandboxPeople): Promise<Place> {
  await ended(people);
  return { user: 'operator', at: 'messages' };
}

async function explained(people: SandboxPeople): Promise<Place> {
  await people.runs('operator', `explain ${PATCH}`);
  return { user: 'operator', at: OPS };
}

export const SCREENS: readonly Screen[] = [
  { name: 'request-waiting', draw: requestWaiting },
  { name: 'requests-ended', draw: requestsEnded },
  { name: 'request-returned', draw: requestReturned },
  { name: 'device-edit', draw: deviceEdit },
  { name: 'group-edit', draw: groupEdit },
  { name: 'command-accepted', draw: commandAccepted },
  { name: 'command-queued', draw: commandQueued },
  { name: 'command-verified', draw: commandVerified },
  { name: 'command-not-verified', draw: commandNotVerified },
  { name: 'command-not-sent', draw: commandNotSent },
  { name: 'command-unknown', draw: commandUnknown },
  { name: 'several-devices', draw: severalDevices },
  ...ALERT_SCREENS,
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
  { name: 'form-patch', draw: patchForm },
  { name: 'form-reboot', draw: formOf('operator', 'reboot') },
  { name: 'form-device-edit', draw: deviceEditForm },
  { name: 'form-preview', draw: formOf('viewer', 'preview') },
  { name: 'form-reason', draw: reasonForm },
  { name: 'home-viewer', draw: async () => ({ user: 'viewer', at: 'home' }) },
  { name: 'home-approver', draw: homeApprover },
];

export const MORE_SCREENS: readonly Screen[] = [
  { name: 'request-answer', draw: requestAnswer },
  { name: 'request-patch-and-policy', draw: patchRequest },
  { name: 'policy-edit', draw: policyEdit },
  { name: 'approval-refused', draw: approvalRefused },
  { name: 'completion-messages', draw: completionMessages },
  { name: 'command-sending', draw: commandSending },
  { name: 'command-not-accepted', draw: commandNotAccepted },
  { name: 'scan-verified', draw: scanVerified },
  ...MORE_ALERT_SCREENS,
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
  { name: 'form-subscribe', draw: formOf('operator', 'subscribe') },
  { name: 'form-silence', draw: formOf('operator', 'silence') },
  { name: 'home-operator', draw: homeOperator },
  { name: 'home-outsider', draw: async () => ({ user: 'outsider', at: 'home' }) },
  { name: 'rollout-waiting', draw: seen(waiting) },
  { name: 'rollout-form', draw: approveForm },
  { name: 'rollout-running', draw: seen(running) },
  { name: 'rollouts-held', draw: held },
  { name: 'rollout-braked', draw: seen(braked) },
  { name: 'rollout-ended', draw: seen(ended) },
  { name: 'rollout-results', draw: results },
  { name: 'rollout-home', draw: atHome },
  { name: 'rollouts-list', draw: list },
  { name: 'rollout-message', draw: toldOfEnd },
  { name: 'rollout-explain', draw: explained },
];
