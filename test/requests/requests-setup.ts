/** Requests from asking to proof, on SQLite in memory, a simulated fleet and a manual clock. */

import { onTestFinished } from 'vitest';
import type { FleetEditor, FleetWriter } from '../../src/fleet/fleet.ts';
import { type FleetAction, recordKindOf } from '../../src/fleet/model/actions.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import {
  type Clock,
  createManualClock,
  DAY,
  type Instant,
  instant,
  later,
  MINUTE,
  monotonicNow,
} from '../../src/lib/clock.ts';
import type { OnFailpoint } from '../../src/lib/failpoints.ts';
import { channelId, type DeviceId, personId, type RequestId, requestId } from '../../src/lib/ids.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { defined } from '../../src/lib/record-fields.ts';
import { DEFAULT_ROLLOUT_LIMITS, type RolloutLimits } from '../../src/lib/rollout-limits.ts';
import { createPauseSwitch } from '../../src/requests/decide/pause-switch.ts';
import type { Proposal } from '../../src/requests/decide/record-request.ts';
import { readTarget } from '../../src/requests/kinds/kinds.ts';
import { createRequests, type Requests, type RequestsOptions } from '../../src/requests/requests.ts';
import { planRollout } from '../../src/rollout/plan.ts';
import type { WorkResult } from '../../src/store/due-work/worker.ts';
import type { RequestRecord, RequestTarget } from '../../src/store/port/request-records.ts';
import type { Store } from '../../src/store/port/store.ts';
import type { ClaimedWork } from '../../src/store/port/work-records.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { approveThroughWindow, denyThroughWindow } from '../harness/through-window.ts';
import { aFact } from './builders.ts';
import { DEVICE, ORGANIZATION } from './fleet-builders.ts';
import { createSimulatedFleet } from './simulated-fleet.ts';

export const START = instant(Date.UTC(2026, 5, 5, 4, 0));
export const ALICE = personId('U_ALICE');
export const BOB = personId('U_BOB');
export const APPROVALS = channelId('C_APPROVALS');
export const CHANNELS = { approvals: APPROVALS };
export const OPS = channelId('C_OPS');

export const scan = { kind: 'scan' } as const;
export const reboot = { kind: 'reboot' } as const;

/** The switch that pauses all changes. */
export const pauseSwitchOf = ({ store, clock }: Pick<RequestsSetup, 'store' | 'clock'>) =>
  createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });

export type RequestsSetup = Awaited<ReturnType<typeof createRequestsSetup>>;

export type RequestsSetupOptions = {
  readonly onFailpoint?: OnFailpoint;
  readonly log?: Log;
  /** A change older than this is not sent; absent: 15 minutes. */
  readonly maxAgeMs?: number;
  readonly isStopping?: () => boolean;
  readonly isAwake?: () => boolean;
  /** Whether tags of several devices are one call; absent: they are. */
  readonly takesTagBatches?: boolean;
  readonly monotonic?: () => number;
  /** How many devices the fleet has. */
  readonly fleetSize?: () => number | null;
  /** The clock of the service. */
  readonly serviceNow?: () => Instant | null;
  /** From so many devices in an hour on, a reason is required, and whoever approves them types their number. */
  readonly typedCountFrom?: number;
  /** What Slack says of somebody’s right; absent: that everybody has it. */
  readonly readRight?: RequestsOptions['readRight'];
  /** What the configuration file says; absent: it has no rules. */
  readonly rulesInForce?: RequestsOptions['rulesInForce'];
  readonly readMemberships?: RequestsOptions['readMemberships'];
  /** How much one person may request; absent: as many devices a day as there are. */
  readonly limits?: Partial<RolloutLimits>;
  /** Replaces or wraps the writer. */
  readonly writer?: (writer: FleetWriter, clock: Clock) => FleetWriter;
  /** Reads the index, as the whole of Patchbay does, to know which devices are in groups. */
  readonly readsIndex?: true;
  /** Wraps the editor. */
  readonly editor?: (editor: FleetEditor) => FleetEditor;
  /** Wraps the store, for example to count its calls. */
  readonly around?: (store: Store) => Store;
};

/** Closed when the test is over. */
export async function createRequestsSetup(options: RequestsSetupOptions = {}) {
  const { maxAgeMs = 15 * MINUTE, log = silentLog, around = (store: Store) => store } = options;
  // A file would be synchronized to disk at each step.
  const store = around(await memoryStore(ORGANIZATION));
  const clock = createManualClock(START);
  const fleet = createSimulatedFleet(clock);
  /** What the device index was told. */
  const learned: string[] = [];
  const groupName = async () => 'Servers';
  const { isStopping = () => false, takesTagBatches = true, monotonic = monotonicNow } = options;
  const shared: RequestsOptions = {
    store,
    clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    wakeWorker: () => {},
    reader: fleet.reader,
    writer: options.writer?.(fleet.writer, clock) ?? fleet.writer,
    editor: options.editor?.(fleet.editor) ?? fleet.editor,
    takesTagBatches,
    groupName,
    ...(options.readsIndex === undefined
      ? {}
      : { readIndex: createInventory({ fleet: fleet.reader, clock, store: store.inventory }).snapshot }),
    changeListener: {
      learnDevice: ({ id }) => learned.push(`device ${id}`),
      learnGroup: () => {},
      learnPolicy: ({ id }) => learned.push(`policy ${id}`),
      forgetDevice: (id) => learned.push(`device ${id} gone`),
      forgetGroup: (id) => learned.push(`group ${id} gone`),
      packagesChanged: (id, at) => learned.push(`packages of ${id} at ${at}`),
    },
    maxAgeMs,
    isStopping,
    monotonic,
    log,
    fleetSize: options.fleetSize ?? (() => null),
    ...defined({ rulesInForce: options.rulesInForce, readMemberships: options.readMemberships }),
    ...(options.isAwake === undefined ? {} : { isAwake: options.isAwake }),
    // For longer than any test: rights that end are the matter of `rights.test.ts`.
    readRight: options.readRight ?? (async () => ({ verdict: 'allowed', asOf: later(clock.now(), DAY) })),
    ...(options.serviceNow === undefined ? {} : { serviceNow: options.serviceNow }),
    limits: () => ({
      ...{ ...DEFAULT_ROLLOUT_LIMITS, maxDevicesPerDay: 1_000_000 },
      ...(options.typedCountFrom === undefined ? {} : { reasonFrom: options.typedCountFrom }),
      ...options.limits,
    }),
  };
  const requests = createRequests({ ...shared, onFailpoint: (name) => options.onFailpoint?.(name) });
  /** Another process on the same database, which may see another time. */
  const replica = (given: Partial<Pick<RequestsOptions, 'clock' | 'readRight'>> = {}) =>
    createRequests({ ...shared, ...given });

  const handle = (work: ClaimedWork): Promise<WorkResult> => {
    switch (work.kind) {
      case 'run':
        return requests.run(work);
      case 'follow':
        return requests.follow(work);
      case 'expire':
        return requests.expire(requestId(work.key));
      case 'nudge':
        return requests.nudge(requestId(work.key));
      default:
        return Promise.resolve({ kind: 'done' });
    }
  };

  /** Runs a request once, as if its work were due. */
  const run = (id: RequestId, process: Pick<Requests, 'run'> = requests): Promise<WorkResult> => {
    const work = { organizationId: ORGANIZATION, kind: 'run', key: id, dueAt: clock.now() } as const;
    return process.run({ ...work, payload: null, attempts: 0, token: 'token' });
  };

  /** Does all work that is due now. A handler that throws leaves its work, as a dying process would. */
  const settle = async (): Promise<void> => {
    for (;;) {
      const claim = { now: clock.now(), leaseMs: 60_000, limit: 1 };
      const [work] = await store.work.claim(claim);
      if (work === undefined) return;
      try {
        const result = await handle(work);
        if (result.kind === 'done') await store.work.finish(work);
        else await store.work.postpone(work, result.dueAt);
      } catch (error) {
        await store.work.postpone(work, clock.now());
        throw error;
      }
    }
  };

  /** Moves the clock by `ms`, doing work when it is due. */
  const pass = async (ms: number): Promise<void> => {
    const end = later(clock.now(), ms);
    for (;;) {
      await settle();
      const due = await store.work.nextDue();
      if (due === null || due > end) break;
      await clock.advance(Math.max(due - clock.now(), 0));
    }
    await clock.advance(end - clock.now());
    await settle();
  };

  const propose = async (action: FleetAction, devices: readonly DeviceId[]): Promise<Proposal> => {
    const targets: Proposal['targets'][number][] = [];
    for (const deviceId of recordKindOf(action) === 'device' ? devices : [null]) {
      const target = { deviceId, facts: aFact({ groupId: null }) };
      // What is missing is found out as it is for everything that is missing.
      const asked: FleetAction = action.kind === 'patch-each' ? { kind: 'patch-all' } : action;
      const subject = { action: asked, organizationId: ORGANIZATION, target, lane: 'person' } as const;
      const read = await readTarget({ reader: fleet.reader, clock, groupName }, subject);
      if (read === null) throw new Error('nothing to propose for');
      targets.push(read.facts);
    }
    const reason = targets.length < DEFAULT_ROLLOUT_LIMITS.reasonFrom ? null : 'maintenance';
    const plan = targets.length === 1 ? {} : { plan: planRollout(targets.length, { waves: [] }) };
    return { command: action, targets, reason, ...plan };
  };
  let deliveries = 0;
  const order = async (action: FleetAction, devices: readonly DeviceId[] = [DEVICE]) => {
    deliveries += 1;
    const proposal = await propose(action, devices);
    return { proposal, requester: ALICE, channel: OPS, requestKey: `delivery-${deliveries}` };
  };
  /** `over`: more of the proposal, such as its plan. */
  const record = async (
    action: FleetAction,
    devices?: readonly DeviceId[],
    over: Partial<Proposal> = {},
  ): Promise<RequestRecord> => {
    const asked = await order(action, devices);
    const recorded = await requests.record({ ...asked, proposal: { ...asked.proposal, ...over } });
    if (recorded.kind !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(recorded)}`);
    return recorded.request;
  };
  /** Requests what needs an approval. */
  const ask = async (action: FleetAction, devices?: readonly DeviceId[]): Promise<RequestRecord> => {
    const request = await record(action, devices);
    if (request.state !== 'waiting') throw new Error('it was started instead of asked');
    return request;
  };
  /** Requests what needs no approval. */
  const start = async (action: FleetAction, devices?: readonly DeviceId[]): Promise<RequestId> => {
    const request = await record(action, devices);
    if (request.state !== 'approved') throw new Error('it was asked instead of started');
    return request.id;
  };
  const decide = async (
    request: Pick<RequestRecord, 'id' | 'seal'>,
    decision: 'approve' | 'deny' | 'withdraw',
    person = BOB,
  ) => {
    const press = { requestId: request.id, person, role: 'approver', seal: request.seal ?? '' } as const;
    if (decision === 'withdraw') return requests.withdraw(press);
    const throughWindow = decision === 'approve' ? approveThroughWindow : denyThroughWindow;
    return throughWindow({ store, requests }, press);
  };
  const approve = (request: Pick<RequestRecord, 'id' | 'seal'>, person = BOB) =>
    decide(request, 'approve', person);

  /** Requests it, then changes something, then approves the unchanged card. */
  const approved = async (action: FleetAction, change: () => void = () => {}): Promise<RequestRecord> => {
    const request = await ask(action);
    change();
    await approve(request);
    await settle();
    return request;
  };

  const requestNow = async ({ id }: Pick<RequestRecord, 'id'>): Promise<RequestRecord> => {
    const found = await store.requests.get(id);
    if (found === null) throw new Error('no such request');
    return found;
  };
  const targetsOf = (id: RequestId): Promise<readonly RequestTarget[]> => store.targets.of(id);
  /** The first target of a request. */
  const targetOf = async (id: RequestId): Promise<RequestTarget> => {
    const [target] = await targetsOf(id);
    if (target === undefined) throw new Error('no such request');
    return target;
  };
  const targetFor = ({ id }: Pick<RequestRecord, 'id'>) => targetOf(id);
  const actions = async () => (await store.audit.list(0, 1000)).map(({ action }) => action);
  const close = async (): Promise<void> => {
    clock.stop();
    await store.close();
  };
  onTestFinished(close);

  const requesting = { order, record, ask, start, decide, approve, approved };
  const seeing = { requestNow, targetsOf, targetOf, targetFor, actions };
  const doing = { requests, replica, handle, run, settle, pass, close };
  return { store, clock, fleet, world: fleet.world, learned, ...doing, ...requesting, ...seeing };
}
