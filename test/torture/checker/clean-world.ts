/** A small world in which all is well, as evidence; tests plant one violation. */
import { createHash } from 'node:crypto';
import type { Evidence, RecordedRequest, TableRow, VisibleMessage } from './evidence.ts';

export const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
export const ALERTS = 'C0ALERTS';
const DEVICES = 'C0DEVICES';
const REQUESTS = 'C0REQUESTS';
const ORGANIZATION = 7;

export const button = (id: string) => ({ type: 'actions', elements: [{ type: 'button', action_id: id }] });

export const shown = (key: string, place: string, given: Partial<VisibleMessage> = {}): VisibleMessage => ({
  ...{ key, place, state: 'posted', text: key, ts: `ts ${key}`, blocks: [] },
  ...{ devices: null, fixed: null, ephemeral: false },
  ...given,
});

/** Of a package or of nothing, half an hour ago; a later one has a higher id. */
export const event = (id: number, name: string, device: string | null, packages: readonly string[] = []) => {
  const deviceId = device === null ? null : 4_000 + device.length + device.charCodeAt(device.length - 1);
  return { id, name, device, deviceId, packages, at: NOW - 30 * MINUTE + id };
};
const card = (key: string): TableRow => ({
  key,
  ts: `ts ${key}`,
  failure: null,
  wanted_revision: 2,
  shown_revision: 2,
});
const target = (request: string, device: number, state: string): TableRow => ({
  request_id: request,
  device_id: device,
  state,
  issued_at: NOW - 20 * MINUTE,
  ended_at: state === 'ready' ? null : NOW - 10 * MINUTE,
  deadline_at: NOW,
});
/** A request to reboot that somebody has to agree to. */
const request = (id: string, state: string, more: TableRow = {}): TableRow => ({
  id,
  state,
  action: '{"kind":"reboot"}',
  requester_id: 'U0OPERATOR',
  created_at: NOW - 20 * MINUTE,
  decided_by: state === 'waiting' ? null : 'U0APPROVER',
  decided_at: state === 'waiting' ? null : NOW - 20 * MINUTE,
  expires_at: NOW + 30 * MINUTE,
  rollout: null,
  ...more,
});
/** The part of a rollout's card that counts its devices. */
export const bar = (counts: string) => ({
  type: 'section',
  text: {
    type: 'mrkdwn',
    text: `██████ 3 of 3 done\n${counts}\nWave 2 of 2: 2 of 2 done · stops at 1 failed`,
  },
});
/** A rollout of three devices in two waves, which braked in its second one and went on. */
const ROLLOUT = 'r_1';
const ROLLOUT_PLAN = {
  ...{ waves: [1, 2], waitMs: 0, brake: { kind: 'devices', devices: 1 }, gate: 'auto' },
  lastsMs: 60 * MINUTE,
};
const rolloutTarget = (position: number, state: string): TableRow => ({
  ...target(ROLLOUT, 4051 + position, state),
  position,
});
const incident = (action: string, actor = 'patchbay', detail: TableRow = {}): TableRow => ({
  at: NOW - 15 * MINUTE,
  actor,
  action,
  subject: ROLLOUT,
  detail,
});
const claim = (device: number): TableRow => incident('operation.issuing', 'patchbay', { device });
const LINES = ['wave-ended', 'braked', 'resumed'].map((name) => `line:${ROLLOUT}.1.${name}`);
/** What a scan has, which nobody has to agree to. */
const SCAN = {
  action: '{"kind":"scan"}',
  created_at: NOW - 21 * MINUTE,
  decided_by: null,
  decided_at: null,
  expires_at: null,
};

/** A command that the service received and accepted this long ago. */
export function write(device: number, type: string, minutesAgo: number): RecordedRequest {
  const at = NOW - minutesAgo * MINUTE;
  return {
    at,
    service: 'management',
    method: 'POST',
    path: `/servers/${device}/queues`,
    status: 201,
    sent: { body: { command_type_name: type } },
    done: { at, status: 201 },
  };
}

/** The audit chain of these entries. */
export function chained(entries: readonly TableRow[]): {
  readonly audit: readonly TableRow[];
  readonly audit_heads: readonly TableRow[];
} {
  let hash = '';
  const audit = entries.map((entry, index) => {
    const sequence = index + 1;
    const { at, actor, action, subject, detail = { b: 'two', a: 1 } } = entry;
    const sorted = Object.entries(detail ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const canonical = [hash, ORGANIZATION, sequence, at, actor, action, subject, sorted];
    hash = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
    return { ...entry, sequence, hash, detail: JSON.stringify(detail) };
  });
  return { audit, audit_heads: [{ organization_id: ORGANIZATION, sequence: audit.length, hash }] };
}
const entry = (action: string): TableRow => ({ at: NOW - MINUTE, actor: 'patchbay', action, subject: 'a_1' });

export const OPENSSL = 'notice:patch-failed-11';
export const AGENT = 'notice:patch-failed-12';
export const NEW_DEVICE = 'notice:device-added-14';

export const CLEAN: Evidence = {
  clock: NOW,
  organization: ORGANIZATION,
  people: { operator: 'U0OPERATOR', approver: 'U0APPROVER', approver2: 'U0APPROVER2' },
  fixedChannels: { 'patch-failed': ALERTS, 'device-added': DEVICES },
  unrest: '',
  lines: ['{"level":30,"msg":"ready"}'],
  secrets: ['xoxb-secret', 'management-key'],
  events: [
    event(11, 'system.patch.failed', 'web-01', ['openssl']),
    event(12, 'system.patch.failed', 'web-02', ['acme-agent']),
    event(13, 'system.patch.failed', 'web-03', ['acme-agent']),
    event(14, 'system.add', '<!channel> new-9'),
    event(15, 'system.patch.failed', 'db-01', ['held']),
    event(16, 'user.login', null),
    event(17, 'system.patch.applied', 'web-03', ['acme-agent']),
    event(18, 'system.patch.applied', 'web-01', ['curl']),
    event(19, 'system.patch.failed', 'db-02', ['fixed-first']),
    event(20, 'system.patch.applied', 'db-02', ['fixed-first']),
  ],
  acts: [
    { at: NOW - 21 * MINUTE, user: 'operator', kind: 'type', what: 'scan web-01' },
    { at: NOW - 20 * MINUTE, user: 'approver', kind: 'press', what: 'approve' },
    { at: NOW - 15 * MINUTE, user: 'approver2', kind: 'press', what: 'control:resume' },
  ],
  requests: [
    write(4001, 'GetOS', 20),
    write(4001, 'Reboot', 19),
    write(4051, 'Reboot', 14),
    write(4052, 'Reboot', 14),
    write(4053, 'Reboot', 14),
    { at: NOW, service: 'management', method: 'GET', path: '/events', status: 200 },
    { at: NOW, service: 'slack', method: 'POST', path: '/api/chat.postMessage', status: 200, sent: {} },
  ],
  messages: [
    shown(OPENSSL, ALERTS, { text: 'Patch failed on web-01', state: 'firing', devices: 1, fixed: 0 }),
    shown(AGENT, ALERTS, { text: 'Patch failed on 2 devices', state: 'firing', devices: 2, fixed: 1 }),
    shown(NEW_DEVICE, DEVICES, { text: 'New device: &lt;!channel&gt; new-9' }),
    shown('approval:a_1', REQUESTS, { state: 'verified' }),
    shown('approval:a_2', REQUESTS, { state: 'waiting', blocks: [button('approve'), button('deny')] }),
    shown('approval:a_3', REQUESTS, { state: 'denied' }),
    shown('operation:o_1', '@operator', { state: 'verified' }),
    shown('told:approval:a_1', '@operator', { state: 'verified' }),
    shown(`approval:${ROLLOUT}`, REQUESTS, { state: 'partly', blocks: [bar('2 verified, 1 failed')] }),
    shown(`told:approval:${ROLLOUT}`, '@operator', { state: 'partly' }),
    ...LINES.map((key) => shown(key, REQUESTS)),
    { ...shown('', REQUESTS, { text: 'This message moved' }), key: null, state: null },
  ],
  tables: {
    requests: [
      request('o_1', 'ended', SCAN),
      request('a_1', 'ended'),
      request('a_2', 'waiting'),
      request('a_3', 'denied'),
      request(ROLLOUT, 'ended', { rollout: JSON.stringify({ plan: ROLLOUT_PLAN, wave: 1, hold: null }) }),
    ],
    request_targets: [
      target('o_1', 4001, 'verified'),
      target('a_1', 4001, 'verified'),
      target('a_2', 4001, 'ready'),
      target('a_3', 4001, 'ready'),
      rolloutTarget(0, 'verified'),
      rolloutTarget(1, 'not_verified'),
      rolloutTarget(2, 'verified'),
    ],
    silences: [
      {
        ...{ number: 1, created_at: NOW - 40 * MINUTE, until: NOW + 40 * MINUTE, ended_at: null },
        scope: JSON.stringify({ kinds: [], group: null, device: null, patch: 'held' }),
      },
    ],
    cards: [
      ...[OPENSSL, AGENT, NEW_DEVICE, 'approval:a_1', 'approval:a_2', 'approval:a_3'].map(card),
      ...['operation:o_1', 'told:approval:a_1', `approval:${ROLLOUT}`, `told:approval:${ROLLOUT}`].map(card),
      ...LINES.map(card),
    ],
    work: [{ kind: 'expire', key: 'a_2', due_at: NOW + 30 * MINUTE, lease_token: null }],
    ...chained([
      ...[entry('approval.requested'), entry('approval.denied'), entry('operation.issued')],
      incident('approval.approved', 'U0APPROVER'),
      ...[claim(4051), incident('operation.verified', 'patchbay', { device: 4051 })],
      ...[incident('rollout.wave-ended', 'patchbay', { wave: 1, waits: false }), claim(4052)],
      ...[incident('rollout.braked'), incident('rollout.resumed', 'U0APPROVER2'), claim(4053)],
    ]),
  },
};
