/** Starts the product's parts in order, and registers how each of them stops. */

import { createAlertService } from './alerts/alert-service.ts';
import { NEVER_READ } from './cluster/cluster.ts';
import { createConfigurationInForce } from './configuration-in-force.ts';
import type { Vitals } from './health/detect-troubles.ts';
import {
  createAdminReader,
  createDirectNotifier,
  createHealthMonitor,
  createVitalSigns,
} from './health/health-monitor.ts';
import { createHealthRoutes, createProcessHealth, serveHealth } from './health/http-server.ts';
import type { Instant } from './lib/clock.ts';
import { createShutdownOrder, type ShutdownOrder, StartAborted } from './lib/shutdown.ts';
import { cut } from './lib/text.ts';
import {
  type AppOptions,
  type Base,
  createEventPoll,
  createIndexes,
  createRequestRoad,
  createSlackSide,
  createWatchedWeb,
  createWorkers,
  type Indexes,
  openBase,
} from './parts.ts';
import { createRoleLookup } from './slack/access/role-lookup.ts';
import { signIn } from './slack/web-api/slack-web.ts';
import { drainCards, type Worker } from './store/due-work/worker.ts';
import type { EventLogStatus } from './store/port/replica-records.ts';
import type { PollLoop } from './watch/poll-loop.ts';

export type { AppOptions } from './parts.ts';

export type App = Readonly<ReturnType<typeof createApp>>;

export function createApp(options: AppOptions) {
  const order = createShutdownOrder();
  let started: Awaited<ReturnType<typeof startParts>> | null = null;

  return {
    /** Throws when one of its parts refuses, and `StartAborted` when a stop overtakes it. */
    async start(): Promise<void> {
      try {
        started = await startParts(options, order);
      } catch (error) {
        const overtaken = order.signal.aborted;
        await order.stop();
        throw overtaken ? new StartAborted() : error;
      }
    },
    /** Resolves when Slack is connected and the event log was read: from then on, alerts are sent for new events. */
    ready: (): Promise<void> => started?.ready ?? Promise.reject(new Error('not started')),
    /** Takes the configuration file as it is now; why it is not in force, one line for each fault. */
    reload: async (): Promise<readonly string[]> => started?.reload() ?? [],
    /** In the order of {@link createShutdownOrder}. May be called again, and during a start. */
    stop: order.stop,
  };
}

/** Registers in `shutdown` how each part stops. `ready` resolves when the event log was read. */
async function startParts(given: AppOptions, { add: onEnd, signal }: ShutdownOrder) {
  const inForce = createConfigurationInForce(given);
  const options = { ...given, config: inForce.config };
  const { config, clock, log } = options;
  const { configuration } = config;
  const signs = createVitalSigns(clock);
  // Null until everything it reads is there: until then, health requests hear that we are starting.
  let vitals: (() => Promise<Vitals>) | null = null;
  const routes = createHealthRoutes({ vitals: async () => vitals?.() ?? null, clock });
  const { server, stop: stopServing } = await serveHealth(routes, config);
  await onEnd('close', stopServing);

  let ownEventLogStatus = (): EventLogStatus => NEVER_READ;
  let ownConnections = (): number => 0;
  const reports = {
    watch: signs.writes,
    ownEventLogStatus: () => ownEventLogStatus(),
    ownConnections: () => ownConnections(),
    ownConfiguration: inForce.digest,
  };
  const base = await openBase(options, reports, onEnd);
  const { store, fleet, cluster } = base;
  const indexes = await createIndexes(base, onEnd);

  const workers: Worker[] = [];
  const wakeWorker = (): void => {
    for (const worker of workers) worker.wake();
  };
  const web = createWatchedWeb(options, signs.slack);
  const people = createRoleLookup({ ...options, configuration, web });
  const isStopping = () => signal.aborted;
  const { rules: rulesInForce } = inForce;
  const requests = createRequestRoad(base, indexes, { people, web, rulesInForce, wakeWorker, isStopping });
  const alertService = createAlertService({ store, channels: configuration.channels, clock, wakeWorker });
  const identity = await signIn(web, clock, log);
  const parts = { web, people, identity, requests, wakeWorker, health: () => health() };
  const slack = createSlackSide(base, indexes, { ...parts, alertDesk: alertService });

  const { actions, cards, follow } = createWorkers(base, { slack, requests, alertService });
  workers.push(actions, cards, follow);
  await onEnd('work', actions.stop);
  await onEnd('reads', follow.stop);
  await onEnd('cards', () => drainCards(cards));
  for (const worker of workers) worker.start();

  const newDatabase = (newFrom: Instant | null) => monitor.newDatabase(newFrom);
  const { mayRead } = slack;
  const pollLoop = createEventPoll(base, indexes, { requests, mayRead, wakeWorker, newDatabase });
  ownEventLogStatus = pollLoop.ownEventLogStatus;
  const onCounted = (counted: number, own: number) =>
    signs.connectionsCounted(counted - own - cluster.otherConnections());
  const connection = slack.connect({ routes, server, onCounted });
  ownConnections = connection.connections;
  const service = () => serviceVitals(base, indexes);
  const ownConfiguration = () => ({ refused: inForce.refused(), differs: cluster.configurationDiffers() });
  const currentVitals = () =>
    signs.read({
      store,
      pollLoop,
      connected: connection.connected,
      service,
      configuration: ownConfiguration,
    });
  const health = createProcessHealth({ vitals: currentVitals, clock, calls: fleet.figures, store });
  const monitor = createHealthMonitor({
    ...{ store, clock, log, signs, pollLoop, wakeWorker, vitals: currentVitals },
    askSlack: web.identity,
    checkShared: slack.checkShared,
    recountConnections: () => cluster.leads() && connection.recount(),
    admins: createAdminReader(configuration, web),
    directNotifier: createDirectNotifier(web, clock),
  });
  await onEnd('close', connection.stop);
  await onEnd('intake', connection.stopAccepting);
  await onEnd('answers', slack.drain);
  await connection.start();
  vitals = currentVitals;
  monitor.start();
  await onEnd('reads', monitor.stop);
  inForce.start({
    judgeWaiting: requests.judgeWaiting,
    record: (changes) => recordConfiguration(base, changes),
  });
  // Judging again may wait for reads.
  await onEnd('reads', inForce.stop);
  await startReads(base, indexes, pollLoop, onEnd);
  return { ready: pollLoop.ready, reload: inForce.reload };
}

/** One line, whichever replica read the file first. */
async function recordConfiguration(
  { store, cluster, clock }: Base,
  changes: readonly string[],
): Promise<void> {
  if (!cluster.leads()) return;
  const detail = { changes: cut(changes.join('; '), MAX_CHANGES) };
  const about = { actor: 'patchbay', action: 'configuration.changed', subject: 'configuration' } as const;
  await store.audit.append({ at: clock.now(), ...about, detail });
}

/** Characters of what changed in the file. */
const MAX_CHANGES = 2_000;

function serviceVitals({ fleet }: Base, { inventory }: Indexes): Vitals['service'] {
  const { failing } = fleet.figures().breaker;
  return { failing, doubts: inventory.doubts(), isEmpty: inventory.fleetSize() === 0 };
}

async function startReads(
  { cluster }: Base,
  { inventory, missingPatches }: Indexes,
  pollLoop: PollLoop,
  onEnd: ShutdownOrder['add'],
): Promise<void> {
  missingPatches.start();
  await inventory.start();
  pollLoop.start();
  await onEnd('reads', pollLoop.stop);
  cluster.onLead(pollLoop.lead);
  cluster.onLead(inventory.lead);
  // The leadership may have come while the parts were built.
  if (cluster.leads()) inventory.lead();
  // A heartbeat must not wait for these: both read in the background, one read at a time.
  cluster.onHeartbeat(() => void inventory.followReplicas());
  cluster.onHeartbeat(() => void missingPatches.followReplicas());
}
