/** How much one person may request: counted where a request is recorded, whatever it was recorded by. */
import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId, type PersonId, policyId } from '../../../src/lib/ids.ts';
import { transition } from '../../../src/requests/decide/state-machine.ts';
import { type PlanOptions, planRollout } from '../../../src/rollout/plan.ts';
import type { TargetFacts } from '../../../src/store/port/records.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { someFacts } from '../../harness/records.ts';
import { aGroupToEdit, aPolicyToEdit } from '../builders.ts';
import {
  ALICE,
  BOB,
  createRequestsSetup,
  OPS,
  type RequestsSetup,
  type RequestsSetupOptions,
} from '../requests-setup.ts';

let line: RequestsSetup;

let nextDevice = 0;
/** Devices that no other request is about. */
const fresh = (count: number) => Array.from({ length: count }, () => deviceId(5_000 + ++nextDevice));

type Asked = {
  readonly action?: FleetAction;
  readonly reason?: string | null;
  readonly options?: PlanOptions;
  readonly requester?: PersonId;
  readonly key?: string;
};

function record(devices: number | ReturnType<typeof fresh>, given: Asked = {}) {
  const { action = { kind: 'reboot' }, reason = null, options, requester = ALICE, key } = given;
  const ids = typeof devices === 'number' ? fresh(devices) : devices;
  const plan = ids.length > 1 || options !== undefined ? { plan: planRollout(ids.length, options) } : {};
  const targets = ids.map((id) => someFacts({ deviceId: id }));
  return line.requests.record({
    ...{ requester, channel: OPS, requestKey: key ?? `asked-${nextDevice}-${Math.random()}` },
    proposal: { command: action, targets, reason, ...plan },
  });
}

async function recorded(...given: Parameters<typeof record>): Promise<RequestRecord> {
  const result = await record(...given);
  if (result.kind !== 'recorded') throw new Error(JSON.stringify(result));
  return result.request;
}

/** The request after an approval with this number. */
const approved = (request: RequestRecord, devices?: number) =>
  transition(
    request,
    { kind: 'approve', by: BOB, role: 'approver', seal: request.seal ?? '', devices },
    line.clock.now(),
  );

const begin = async (limits: RequestsSetupOptions['limits'] = {}) => {
  line = await createRequestsSetup({ limits });
};
const tooMany = (devices: number, used: number, most: number) => ({
  kind: 'limited',
  limit: { kind: 'daily-limit', devices, used, most },
});

describe('the devices of 24 hours', () => {
  it('are counted over all changes of a person, single ones too', async () => {
    await begin({ maxDevicesPerDay: 4 });
    expect(await record(5)).toEqual(tooMany(5, 0, 4));
    await recorded(1);
    await recorded(1, { action: { kind: 'patch-all' } });
    await recorded(2);
    expect(await record(1)).toEqual(tooMany(1, 4, 4));
    await recorded(1, { requester: BOB });
    await line.clock.advance(DAY);
    await recorded(1);
  });

  it('are counted without scans and tests, which are not limited', async () => {
    await begin({ maxDevicesPerDay: 2 });
    await recorded(3, { action: { kind: 'scan' } });
    await recorded(2);
    await recorded(3, { action: { kind: 'scan' } });
    expect(await record(1)).toEqual(tooMany(1, 2, 2));
  });

  it('are counted without those of requests that ended with nothing sent', async () => {
    await begin({ maxDevicesPerDay: 3 });
    await line.decide(await recorded(1), 'deny');
    await line.decide(await recorded(1), 'withdraw', ALICE);
    await recorded(1);
    await line.clock.advance(30 * MINUTE);
    await line.settle();
    // No device of the service has this number.
    const gone = await recorded(1);
    await line.approve(gone);
    await line.settle();
    expect(await line.targetFor(gone)).toMatchObject({ state: 'not_sent' });
    await recorded(3);
    expect(await record(1)).toEqual(tooMany(1, 3, 3));
  });

  it('do not keep a repeated delivery from its answer', async () => {
    await begin({ maxDevicesPerDay: 1, maxWaiting: 1 });
    const devices = fresh(1);
    const first = await recorded(devices, { key: 'one' });
    expect(await record(devices, { key: 'one' })).toMatchObject({ already: true, request: { id: first.id } });
    // Somebody asks for the same: nothing new is recorded.
    expect(await record(devices)).toMatchObject({ already: true, request: { id: first.id } });
  });
});

describe('the devices of an hour', () => {
  it('require a reason and the typed number in parts, too', async () => {
    await begin();
    const first = await recorded(24);
    expect(first).toMatchObject({ askedLastHour: 24, typedCount: false });
    const limit = { kind: 'reason-required', devices: 24, lastHour: 48, from: 25 };
    expect(await record(24)).toEqual({ kind: 'limited', limit });
    const second = await recorded(24, { reason: 'kernel' });
    expect(second).toMatchObject({ askedLastHour: 48, typedCount: true });
    expect(approved(second)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(await line.requestNow(second)).toMatchObject({ askedLastHour: 48, typedCount: true });
    // What stops needs no number.
    expect(await line.decide(second, 'deny')).toMatchObject({ kind: 'decided' });
    await line.clock.advance(HOUR);
    expect(await recorded(24)).toMatchObject({ askedLastHour: 24, typedCount: false });
  });

  it('make an approver type the number of a single device', async () => {
    await begin();
    await recorded(24);
    const single = await recorded(1, { reason: 'kernel' });
    expect(single).toMatchObject({ rollout: null, askedLastHour: 25, typedCount: true });
    expect(approved(single, 25)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(approved(single, 1)).toMatchObject({ kind: 'next' });
  });

  it('require a reason for a scan of that many, and count it for nothing else', async () => {
    await begin();
    expect(await record(25, { action: { kind: 'scan' } })).toMatchObject({ kind: 'limited' });
    expect(await recorded(24, { action: { kind: 'scan' } })).toMatchObject({ askedLastHour: null });
    expect(await recorded(24)).toMatchObject({ askedLastHour: 24 });
  });
});

describe('an edit of a group or policy', () => {
  const policyEdit = { kind: 'policy-edit', policyId: policyId(3), change: { notes: 'x' } } as const;
  const groupEdit = { kind: 'group-edit', groupId: groupId(5), change: { notes: 'x' } } as const;
  const asked = (action: FleetAction, facts: TargetFacts, reason: string | null = null) =>
    line.requests.record({
      ...{ requester: ALICE, channel: OPS, requestKey: `edit-${Math.random()}` },
      proposal: { command: action, targets: [facts], reason },
    });
  const cases: readonly (readonly [FleetAction, (devices: number | null) => TargetFacts])[] = [
    [policyEdit, (devices) => aPolicyToEdit({ devices })],
    [groupEdit, (deviceCount) => aGroupToEdit({}, { deviceCount })],
  ];

  it.each(cases)('counts as the devices that it reaches: %o', async (action, of) => {
    await begin({ maxDevicesPerDay: 250 });
    const limit = { kind: 'reason-required', devices: 203, lastHour: 203, from: 25 };
    expect(await asked(action, of(203))).toEqual({ kind: 'limited', limit });
    const first = await asked(action, of(203), 'audit');
    if (first.kind !== 'recorded') throw new Error('not recorded');
    const request = await line.requestNow(first.request);
    expect(request).toMatchObject({ askedLastHour: 203, typedCount: true, reach: 203 });
    expect(approved(request, 1)).toMatchObject({ refusal: { kind: 'count-not-typed' } });
    expect(approved(request, 203)).toMatchObject({ kind: 'next' });
    const wanted = { kind: 'approve', seal: request.seal ?? '' } as const;
    const opened = await line.requests.openWindow({ request, person: BOB, role: 'approver', wanted });
    expect(opened).toMatchObject({ kind: 'open', devices: 203 });
    expect(await record(48, { reason: 'kernel' })).toEqual(tooMany(48, 203, 250));
    await recorded(47, { reason: 'kernel' });
  });

  it.each(cases)('of no device, or an unknown number, counts as one: %o', async (action, of) => {
    await begin();
    for (const unknown of [0, null])
      expect(await asked(action, of(unknown))).toMatchObject({ request: { askedLastHour: 1, reach: 1 } });
  });

  it('that reaches more devices by now has their number typed', async () => {
    await begin();
    const first = await asked(policyEdit, aPolicyToEdit({ devices: 4 }));
    if (first.kind !== 'recorded') throw new Error('not recorded');
    const note = { kind: 'rights-lost', who: 'approver' } as const;
    const approvedOne = { ...(await line.requestNow(first.request)), state: 'approved' } as const;
    const returned = transition(
      approvedOne,
      { kind: 'return', seal: 's', note, reach: 30 },
      line.clock.now(),
    );
    expect(returned).toMatchObject({ request: { typedCount: true, reach: 30 } });
  });
});

describe('the requests of a person that wait', () => {
  it('are at most 20, of which a rollout is one', async () => {
    await begin({ reasonFrom: 1_000 });
    const first = await recorded(30);
    for (let more = 1; more < 20; more++) await recorded(1);
    expect(await record(1)).toEqual({ kind: 'limited', limit: { kind: 'too-many-waiting', most: 20 } });
    await recorded(1, { requester: BOB });
    await recorded(1, { action: { kind: 'scan' } });
    await line.decide(first, 'withdraw', ALICE);
    await recorded(1);
  });

  it('are counted without those whose time is over', async () => {
    await begin({ maxWaiting: 1 });
    await recorded(1);
    await line.clock.advance(30 * MINUTE);
    await recorded(1);
  });
});

describe('another request for the same devices', () => {
  it('is the same only with the same plan', async () => {
    await begin({ reasonFrom: 1_000 });
    const devices = fresh(12);
    const first = await recorded(devices, { options: {}, reason: 'kernel' });
    expect(await record(devices.toReversed(), { reason: 'another', requester: BOB })).toMatchObject({
      kind: 'recorded',
      already: true,
      request: { id: first.id, reason: 'kernel' },
    });
    const stricter: readonly PlanOptions[] = [
      { waves: [{ kind: 'devices', devices: 1 }] },
      { waitMs: HOUR },
      { brake: { kind: 'devices', devices: 1 } },
      { gate: 'manual' },
      { offline: 'skip' },
    ];
    for (const options of stricter)
      expect(await record(devices, { options })).toMatchObject({
        kind: 'differs',
        request: { id: first.id },
      });
    await line.decide(first, 'withdraw', ALICE);
    await recorded(devices, { options: { gate: 'manual' } });
  });

  it('is another one with other packages', async () => {
    await begin();
    const devices = fresh(1);
    const patch = (...packages: string[]) => recorded(devices, { action: { kind: 'patch', packages } });
    const [one, other, same] = [await patch('curl'), await patch('curl', 'jq'), await patch('jq', 'curl')];
    expect(one.id).not.toBe(other.id);
    expect(same.id).toBe(other.id);
  });

  it('is another one where a single device was to be left out offline', async () => {
    await begin();
    const devices = fresh(1);
    await recorded(devices);
    expect(await record(devices, { options: {} })).toMatchObject({ already: true });
    expect(await record(devices, { options: { offline: 'skip' } })).toMatchObject({ kind: 'differs' });
  });
});
