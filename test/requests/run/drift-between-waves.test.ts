/** 300 devices of a service over loopback, some of which change between two waves: what happens to them, in requests. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFleetClient, type FleetClient } from '../../../src/fleet/client.ts';
import { toDeviceFacts } from '../../../src/fleet/facts/facts.ts';
import { collectRows } from '../../../src/fleet/reads/read-helpers.ts';
import { createManualClock, HOUR, later, MINUTE, type MovableClock, SECOND } from '../../../src/lib/clock.ts';
import { organizationId, type RequestId } from '../../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { secret } from '../../../src/lib/secret.ts';
import { createRequests, type Requests } from '../../../src/requests/requests.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { createManagement } from '../../../src/sandbox/management/management.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { approveThroughWindow } from '../../harness/through-window.ts';
import { ALICE, APPROVALS, BOB, OPS, START } from '../requests-setup.ts';

const DEVICES = 300;
const FIRST_WAVE = 30;
/** Fewer, and more, than a tenth of the others. */
const FEW = 12;
const MANY = 40;

/** Some two thousand requests over loopback. */
const TIMEOUT_MS = 120_000;

const LIST = 'GET /servers';
const DEVICE = 'GET /servers/N';
const QUEUE = 'GET /servers/N/queues';
const COMMAND = 'POST /servers/N/queues';

let clock: MovableClock;
let wire: ReturnType<typeof createWire>;
let management: Awaited<ReturnType<typeof createManagement>>;
let fleet: FleetClient;
let store: Store;
let requests: Requests;
beforeEach(async () => {
  clock = createManualClock(START);
  wire = createWire({ clock });
  management = await createManagement({ clock, wire, devices: DEVICES });
  const organization = organizationId(management.organizationId);
  store = await memoryStore(organization);
  fleet = createFleetClient({
    ...{ baseUrl: management.baseUrl, apiKey: secret(management.apiKey), organizationId: organization },
    ...{ clock, limits: 'off' },
  });
  const { reader, writer, editor, serviceNow } = fleet;
  requests = createRequests({
    ...{ store, clock, organizationId: organization, reader, writer, editor, serviceNow },
    channels: { approvals: APPROVALS },
    wakeWorker: () => {},
    takesTagBatches: true,
    groupName: async () => 'a group',
    fleetSize: () => DEVICES,
    maxAgeMs: 15 * MINUTE,
    readRight: async () => ({ verdict: 'allowed', asOf: null }),
    limits: { ...DEFAULT_ROLLOUT_LIMITS, reasonFrom: DEVICES + 1 },
  });
});
afterEach(async () => {
  await fleet.close();
  await management.stop();
  await store.close();
  clock.stop();
});

async function settle(): Promise<void> {
  for (;;) {
    const [work] = await store.work.claim({ now: clock.now(), leaseMs: MINUTE, limit: 1 });
    if (work === undefined) return;
    const handler = work.kind === 'run' ? requests.run : requests.follow;
    const result =
      work.kind === 'run' || work.kind === 'follow' ? await handler(work) : ({ kind: 'done' } as const);
    if (result.kind === 'done') await store.work.finish(work);
    else await store.work.postpone(work, result.dueAt);
  }
}

/** Until `isOver`, doing work when it is due. */
async function passUntil(isOver: () => Promise<boolean>): Promise<void> {
  for (const end = later(clock.now(), 2 * HOUR); clock.now() < end; ) {
    await settle();
    if (await isOver()) return;
    const due = (await store.work.nextDue()) ?? end;
    await clock.advance(Math.max(due - clock.now(), 0));
  }
  throw new Error('it did not come to that');
}

/** Requests since then, by method and kind of path. */
function counted(since: number): Readonly<Record<string, number>> {
  const kinds = wire
    .journal()
    .slice(since)
    .map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '').replaceAll(/\/\d+/g, '/N')}`);
  return Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
}

async function approve(id: RequestId, seal: string | null) {
  const press = { requestId: id, person: BOB, role: 'approver', seal: seal ?? '' } as const;
  return approveThroughWindow({ store, requests }, press);
}

async function requestNow(id: RequestId): Promise<RequestRecord> {
  const request = await store.requests.get(id);
  if (request === null) throw new Error('no such request');
  return request;
}

/** The first wave was sent to all devices that are online, and then some of the others moved to another group. */
async function moveAfterFirstWave(moved: number) {
  const all = await collectRows(fleet.reader.devices());
  const online = all.filter(({ connected }) => connected === true);
  const facts = online.map((device) =>
    toDeviceFacts(device, { groupName: 'a group', missing: [], asOf: clock.now() }),
  );
  const waves = [{ kind: 'devices', devices: FIRST_WAVE }] as const;
  const plan = planRollout(facts.length, { waves, brake: { kind: 'share', percent: 10 } });
  const proposal = { command: { kind: 'reboot' }, targets: facts, reason: null, plan } as const;
  const asked = await requests.record({ proposal, requester: ALICE, channel: OPS, requestKey: 'one' });
  if (asked.kind !== 'recorded') throw new Error('changes are paused');
  const { id, seal } = asked.request;
  await approve(id, seal);
  const begun = wire.journal().length;
  await passUntil(async () => (await requestNow(id)).counts.accepted === FIRST_WAVE);
  const firstWave = counted(begun);
  const groups = await collectRows(fleet.reader.groups());
  for (const device of online.slice(FIRST_WAVE, FIRST_WAVE + moved)) {
    const other = groups.find(({ id: group, name }) => group !== device.groupId && name !== '');
    if (other === undefined) throw new Error('there is one group');
    await fleet.editor.updateDevice(device.id, { groupId: other.id });
  }
  return { id, seal, firstWave, online: online.length, movedAt: clock.now(), since: wire.journal().length };
}

/** Looks at the one page of the fleet, or at the one device that is left, 15 seconds apart; and a page before a wave. */
const mostLooks = (ms: number) => Math.ceil(ms / (15 * SECOND)) + 2;

it('takes a page before each wave, and two reads of each device that is sent', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { id, firstWave, online, movedAt, since } = await moveAfterFirstWave(FEW);
  expect(firstWave).toEqual({ [LIST]: 1, [QUEUE]: FIRST_WAVE, [COMMAND]: FIRST_WAVE });
  await passUntil(async () => (await requestNow(id)).endedAt !== null);
  const rest = online - FIRST_WAVE - FEW;
  expect(await requestNow(id)).toMatchObject({ counts: { verified: FIRST_WAVE + rest, not_sent: FEW } });
  const { [LIST]: pages = 0, [DEVICE]: alone = 0, ...others } = counted(since);
  // Of a device its queue before the command, and once its row shows that it restarted.
  expect(others).toEqual({ [QUEUE]: FIRST_WAVE + 2 * rest, [COMMAND]: rest });
  expect(pages + alone).toBeLessThanOrEqual(mostLooks(clock.now() - movedAt));
});

it('takes a page to return the rest where too many changed, and sends none of it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { id, seal, online, movedAt, since } = await moveAfterFirstWave(MANY);
  await passUntil(async () => (await requestNow(id)).state === 'waiting');
  const returned = await requestNow(id);
  expect(returned).toMatchObject({ counts: { verified: FIRST_WAVE, ready: online - FIRST_WAVE } });
  const { [LIST]: pages = 0, [DEVICE]: alone = 0, ...others } = counted(since);
  expect(others).toEqual({ [QUEUE]: FIRST_WAVE });
  expect(pages + alone).toBeLessThanOrEqual(mostLooks(clock.now() - movedAt));
  expect(await approve(id, seal)).toMatchObject({ refusal: { kind: 'stale-card' } });
  await approve(id, returned.seal);
  await passUntil(async () => (await requestNow(id)).endedAt !== null);
  expect(await requestNow(id)).toMatchObject({ counts: { verified: online } });
});
