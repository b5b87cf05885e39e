/** A whole rollout of reboots by the product on a virtual clock, with a database on disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toDeviceFacts } from '../../../src/fleet/facts/facts.ts';
import { HOUR, type Instant, instant, later } from '../../../src/lib/clock.ts';
import { type CardKey, channelId, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { createRequests } from '../../../src/requests/requests.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { createRolloutPacing } from '../../../src/slack/cards/card-edit.ts';
import { createWorker, type WorkHandlers } from '../../../src/store/due-work/worker.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { ClaimedWork } from '../../../src/store/port/work-records.ts';
import { aFleetEditor } from '../../harness/fleet-editor.ts';
import { approveThroughWindow } from '../../harness/through-window.ts';
import { type CallKind, createSimulatedService, ORGANIZATION } from './simulated-service.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

const START = instant(Date.UTC(2026, 5, 5, 4, 0));
const MIB = 2 ** 20;

export type RolloutRun = {
  readonly calls: Readonly<Record<CallKind, number>>;
  /** Requests to the service a second, from the first command to the last. */
  readonly perSecond: number;
  readonly hours: number;
  readonly edits: number;
  /** Of the process, after a collection of garbage, beyond what it had before. */
  readonly memoryMiB: number;
  readonly verified: number;
};

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heapMiB(): number {
  if (typeof collect === 'function') collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MIB;
}

export async function runWholeRollout(devices: number): Promise<RolloutRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  const file = path.join(folder, 'patchbay.sqlite');
  const opened = await openStore({ database: { kind: 'sqlite', path: file }, organizationId: ORGANIZATION });
  try {
    const clock = createVirtualClock(START);
    return await run({ store: counted(opened, clock), clock, devices });
  } finally {
    await opened.close();
    await rm(folder, { recursive: true });
  }
}

/** Its calls count as going on. */
function counted<T extends object>(target: T, clock: VirtualClock): T {
  return new Proxy(target, {
    get: (object, name, receiver) => {
      const value: unknown = Reflect.get(object, name, receiver);
      if (typeof value === 'object' && value !== null) return counted(value, clock);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]) => {
        const result: unknown = Reflect.apply(value, object, given);
        return result instanceof Promise ? clock.busy(result) : result;
      };
    },
  });
}

type RunOptions = {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly devices: number;
};

async function run({ store, clock, devices }: RunOptions): Promise<RolloutRun> {
  const service = createSimulatedService(clock, devices);
  const approver = personId('U_BOB');
  let worker: ReturnType<typeof createWorker> | null = null;
  const requests = createRequests({
    ...{ store, clock, organizationId: ORGANIZATION, log: silentLog },
    channels: { approvals: channelId('C1') },
    wakeWorker: () => worker?.wake(),
    reader: service.reader,
    writer: service.writer,
    editor: aFleetEditor(),
    takesTagBatches: true,
    groupName: async () => 'Servers',
    fleetSize: () => devices,
    maxAgeMs: HOUR,
    limits: () => ({ ...DEFAULT_ROLLOUT_LIMITS, maxDevices: devices, maxDevicesPerDay: devices }),
    readRight: async () => ({ verdict: 'allowed', asOf: clock.now() }),
    // Waits of the virtual clock are no waits of the process.
    monotonic: () => 0,
  });
  const cards = createCardCounter(store, clock);
  const handlers: WorkHandlers = { run: requests.run, follow: requests.follow, card: cards.handle };
  worker = createWorker({ store, clock, log: silentLog, handlers, concurrency: 12, onError: raise });
  const targets = service.devices.map((id) =>
    toDeviceFacts(service.deviceAt(id), { groupName: 'Servers', packages: [], asOf: START }),
  );
  const brake = { kind: 'share', percent: 100 } as const;
  const proposal = { command: { kind: 'reboot' }, targets, reason: 'benchmark' } as const;
  const asked = await requests.record({
    proposal: { ...proposal, plan: planRollout(devices, { waves: [], brake }) },
    requester: personId('U_ALICE'),
    channel: channelId('C2'),
    requestKey: 'bench',
  });
  if (asked.kind !== 'recorded') throw new Error('changes are paused');
  const { id, seal } = asked.request;
  targets.length = 0;
  const before = heapMiB();
  let peak = before;
  let sampledAt = 0;
  const press = { requestId: requestId(id), person: approver, role: 'approver', seal: seal ?? '' } as const;
  await approveThroughWindow({ store, requests }, press);
  worker.start();
  let ended: Instant | null = null;
  const look = setInterval(() => {
    void store.requests.get(id).then((request) => {
      ended = request?.endedAt ?? null;
    });
  }, 200);
  const sample = Math.max(devices / 10, 1);
  await clock.runUntil(() => {
    const { command } = service.calls();
    if (command - sampledAt >= sample) {
      sampledAt = command;
      peak = Math.max(peak, heapMiB());
    }
    return ended !== null || clock.now() > later(START, 100 * HOUR);
  });
  clearInterval(look);
  peak = Math.max(peak, heapMiB());
  await worker.stop();
  const request = await store.requests.get(id);
  const { first, last, callsBetween } = service.commands();
  return {
    calls: service.calls(),
    perSecond: (callsBetween * 1_000) / (last - first),
    hours: ((request?.endedAt ?? clock.now()) - START) / HOUR,
    edits: cards.edits(),
    memoryMiB: peak - before,
    verified: request?.counts.verified ?? 0,
  };
}

/** Edits by the product's own pace, each of which shows something new. */
function createCardCounter(store: Store, clock: VirtualClock) {
  const pacing = createRolloutPacing(clock);
  let edits = 0;
  return {
    edits: () => edits,
    handle: async ({ key }: ClaimedWork) => {
      const card = await store.cards.get(key as CardKey);
      if (card === null) return { kind: 'done' } as const;
      const wanted = { card: card.key, revision: card.wantedRevision, content: String(card.wantedRevision) };
      const turn = pacing.turnOf({ ...wanted, stage: 'running' }, card.wantedRevision - 1);
      if (turn.kind === 'at') return { kind: 'again', dueAt: turn.at } as const;
      if (turn.kind === 'now') {
        edits += 1;
        pacing.edited({ ...wanted, stage: 'running' });
      }
      return { kind: 'done' } as const;
    },
  };
}

function raise(error: unknown): never {
  throw error;
}
