/** The composition root: the only file that builds the parts and connects them. */

import { createCluster, NEVER_READ, singleProcess } from './cluster/cluster.ts';
import { registry } from './commands/index.ts';
import { createResultCaches } from './commands/lists/result-cache.ts';
import type { Config } from './config/config.ts';
import { createFleetClient } from './fleet/client.ts';
import { DIALECTS } from './fleet/dialect.ts';
import { type FleetAction, PACKAGE_ACTIONS } from './fleet/model/actions.ts';
import type { FleetEvent } from './fleet/model/resources.ts';
import type { Vitals } from './health/detect-troubles.ts';
import { createHealthMonitor } from './health/health-monitor.ts';
import { serveHealth } from './health/http-server.ts';
import { createAdminReader, createDirectNotifier } from './health/notify-admins.ts';
import { createHealthRoutes, createProcessHealth } from './health/routes.ts';
import { createVitalSigns } from './health/vital-signs.ts';
import { createDeviceLabelReader } from './inventory/device-labels.ts';
import { createInventory } from './inventory/inventory-service.ts';
import { createMissingPatchIndex } from './inventory/missing-patches/missing-patch-index.ts';
import type { Clock, Instant } from './lib/clock.ts';
import type { OnFailpoint } from './lib/failpoints.ts';
import { type DeviceId, requestId } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import { createShutdownOrder, type ShutdownOrder, StartAborted } from './lib/shutdown-order.ts';
import { APPROVAL_EXPIRY_MS, needsApproval } from './requests/decide/rules.ts';
import { createRequests } from './requests/requests.ts';
import { hourlyLimiter } from './slack/access/access-refusals.ts';
import { createChannelReaders, withoutExternalPosts } from './slack/access/external-channels.ts';
import { createRecordsReader } from './slack/command-ports/store-records.ts';
import { createSlack } from './slack/slack.ts';
import { createClients } from './slack/web-api/clients.ts';
import { monitoredWeb } from './slack/web-api/monitored-web.ts';
import { signIn } from './slack/web-api/sign-in.ts';
import { createSlackWeb } from './slack/web-api/slack-web.ts';
import { openStore } from './store/open.ts';
import type { EventLogStatus } from './store/port/replica-records.ts';
import { drainCards, logWorkFailure } from './store/work/drain-worker.ts';
import { createWorker, type Worker, type WorkHandlers } from './store/work/worker.ts';
import { createAlertService } from './watch/alert-service.ts';
import { createAnomalyLog } from './watch/anomalies.ts';
import { createIdRestartDetector } from './watch/id-restart.ts';
import { pollEvents } from './watch/poll.ts';
import { createPollLoop } from './watch/poll-loop.ts';

export type AppOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when Slack no longer accepts us until a person fixes it: then the process should exit. */
  readonly onFatal: (reason: string) => void;
  /** Called at the points named in `failpoints.ts`; only the kill tests use it. */
  readonly onFailpoint?: OnFailpoint;
  /** How long a call to Slack may take effect, in milliseconds; only the kill tests shorten it. */
  readonly callTimeoutMs?: number;
};

export type App = {
  /**
   * Opens the database, signs in to Slack and connects. Throws when one of them is refused, and `StartAborted` when a
   * stop overtakes it.
   */
  readonly start: () => Promise<void>;
  /** Resolves when Slack is connected and the event log was read: from then on, alerts are sent for new events. */
  readonly ready: () => Promise<void>;
  /**
   * Stops in the order of `shutdown-order.ts`; running work finishes first. May be called again, and during a start.
   */
  readonly stop: () => Promise<void>;
};

/** Builds the product without starting it. */
export function createApp(options: AppOptions): App {
  const order = createShutdownOrder();
  let ready: Promise<void> | null = null;

  return {
    async start() {
      try {
        ({ ready } = await startParts(options, order));
      } catch (error) {
        const overtaken = order.signal.aborted;
        await order.stop();
        throw overtaken ? new StartAborted() : error;
      }
    },
    ready: () => ready ?? Promise.reject(new Error('not started')),
    stop: order.stop,
  };
}

/**
 * Builds and starts everything; registers in `shutdown` how each part stops. `ready` resolves when the event log was
 * read.
 */
async function startParts(options: AppOptions, shutdown: ShutdownOrder) {
  const { config, clock, log, onFatal, onFailpoint, callTimeoutMs } = options;
  const { add: onEnd, signal } = shutdown;
  const isStopping = (): boolean => signal.aborted;
  const { organizationId } = config.fleet;
  const { channels, changes } = config.configuration;

  const vitalSigns = createVitalSigns(clock);
  // Null until everything it reads is there: until then, health requests hear that we are starting.
  let vitals: (() => Promise<Vitals>) | null = null;
  const readVitals = async (): Promise<Vitals | null> => vitals?.() ?? null;
  const routes = createHealthRoutes({ vitals: readVitals, clock });
  const { server, stop: stopServing } = await serveHealth(routes, config);
  await onEnd('close', stopServing);

  const store = await openStore({ database: config.database, organizationId, log, watch: vitalSigns.writes });
  await onEnd('close', store.close);
  const mayWrite = async () => (await store.pause.current()) === null;
  let readOwnEventLogStatus = (): EventLogStatus => NEVER_READ;
  const cluster =
    config.database.kind === 'postgres'
      ? createCluster({ store: store.replicas, clock, log, ownEventLogStatus: () => readOwnEventLogStatus() })
      : singleProcess;
  await onEnd('close', cluster.stop);
  await cluster.start();
  const { budget, leads } = cluster;
  const fleet = createFleetClient({ ...config.fleet, clock, mayWrite, budget });
  await onEnd('reads', fleet.close);

  const workers: Worker[] = [];
  const wakeWorkers = (): void => {
    for (const worker of workers) worker.wake();
  };
  const shared = { store, clock, maxAgeMs: changes.maxAgeMs, wakeWorker: wakeWorkers, onFailpoint };
  const inventory = createInventory({ fleet: fleet.reader, clock, store: store.inventory, log, leads });
  await onEnd('reads', inventory.stop);
  const onNames = inventory.learnPackages;
  const table = store.inventory.missingPatches;
  const revision = async () => (await store.inventory.revisions()).missingPatches;
  const missingPatches = createMissingPatchIndex({
    ...{ fleet: fleet.reader, clock, onNames, table, revision, log },
    changesSince: (since) => store.targets.endedSince(since, PACKAGE_ACTIONS),
  });
  await onEnd('reads', missingPatches.stop);
  const { reader, writer, editor } = fleet;
  const dialect = DIALECTS[config.fleet.dialect];
  const changeListener = {
    learnDevice: inventory.learnDevice,
    learnGroup: inventory.learnGroup,
    packagesChanged: (deviceId: DeviceId, at: Instant) => missingPatches.packagesChanged({ deviceId, at }),
  };
  const requests = createRequests({
    ...shared,
    organizationId,
    channels,
    reader,
    writer,
    editor,
    takesTagBatches: dialect.batch,
    groupName: inventory.groupName,
    changeListener,
    log,
    isStopping,
    bounded: hourlyLimiter(clock),
  });

  const alertService = createAlertService({ store, channels, clock, wakeWorker: wakeWorkers });

  const watched = monitoredWeb(createSlackWeb(createClients(config.slack, log)), vitalSigns.slack);
  const readersOf = createChannelReaders(watched, config.configuration.externalChannels);
  const web = withoutExternalPosts(watched, { readersOf, clock, watch: vitalSigns.slack });
  const identity = await signIn(web, clock, log);
  const ports = {
    fleet: fleet.reader,
    inventory,
    missingPatches,
    results: createResultCaches(clock),
    clock,
    dialect,
    organizationId,
    records: createRecordsReader({ store, web }),
    health: () => health(),
    approvalMs: (action: FleetAction) => (needsApproval(action) ? APPROVAL_EXPIRY_MS : null),
    maxAgeMs: changes.maxAgeMs,
  };
  const services = { requests, alertDesk: alertService };
  const slack = createSlack({
    config,
    web,
    identity,
    registry,
    ...services,
    ports,
    groupOf: inventory.groupOf,
    store,
    log,
    wakeWorker: wakeWorkers,
    onFatal,
    onFailpoint,
    callTimeoutMs,
  });

  const startWorker = (concurrency: number, handlers: WorkHandlers) =>
    createWorker({ store, clock, log, concurrency, handlers, onError: logWorkFailure(log) });
  // A burst of cards, or slow commands, must not delay a person's press.
  const actionWorker = startWorker(8, {
    click: slack.handlePressWork,
    form: slack.handleFormWork,
    run: requests.run,
    expire: ({ key }) => requests.expire(requestId(key)),
    silence: alertService.endSilence,
  });
  const cardWorker = startWorker(6, { card: slack.handleCardWork });
  const followWorker = startWorker(4, { follow: requests.follow });
  workers.push(actionWorker, cardWorker, followWorker);
  await onEnd('work', actionWorker.stop);
  await onEnd('reads', followWorker.stop);
  await onEnd('cards', () => drainCards(cardWorker));
  for (const worker of workers) worker.start();

  const onAnomaly = createAnomalyLog({ clock, log });
  const onFound = (events: readonly FleetEvent[]): void => {
    inventory.noteEvents(events);
    missingPatches.noteEvents(events);
  };
  const deviceLabels = createDeviceLabelReader({ inventory, fleet: fleet.reader, log });
  const { displayName } = inventory;
  const classifyOptions = { channels, deviceLabels, displayName, mayRead: slack.mayRead, onAnomaly, onFound };
  const idRestarts = createIdRestartDetector(clock);
  let isFirst = false;
  const onFirst = () => {
    isFirst = true;
    return healthMonitor.newDatabase();
  };
  const pollOptions = {
    fleet: fleet.reader,
    store,
    clock,
    organizationId,
    onFailpoint,
    onIds: idRestarts.note,
    onFirst,
  };
  const pollOnce = async () => {
    const result = await pollEvents({ ...pollOptions, ...classifyOptions });
    // Wakes the workers for the message that the first read may have stored.
    if (isFirst) wakeWorkers();
    isFirst = false;
    return result;
  };
  const followed = () => (leads() ? null : cluster.eventLogStatus());
  const pollLoop = createPollLoop({
    clock,
    log,
    poll: pollOnce,
    wakeWorker: wakeWorkers,
    restarted: idRestarts.restart,
    followed,
  });
  readOwnEventLogStatus = pollLoop.ownEventLogStatus;
  const connection = slack.connect({ routes, server });
  const currentVitals = () => vitalSigns.read({ store, pollLoop, connected: connection.connected });
  const health = createProcessHealth({ vitals: currentVitals, clock, calls: fleet.figures });
  const healthMonitor = createHealthMonitor({
    store,
    clock,
    log,
    signs: vitalSigns,
    vitals: currentVitals,
    pollLoop,
    askSlack: web.identity,
    admins: createAdminReader(config.configuration, web),
    directNotifier: createDirectNotifier(web, clock),
    wakeWorker: wakeWorkers,
  });
  await onEnd('close', connection.stop);
  await onEnd('intake', connection.stopAccepting);
  await onEnd('answers', slack.drain);
  await connection.start();
  vitals = currentVitals;
  healthMonitor.start();
  await onEnd('reads', healthMonitor.stop);

  missingPatches.start();
  await inventory.start();
  pollLoop.start();
  await onEnd('reads', pollLoop.stop);
  cluster.onLead(pollLoop.lead);
  cluster.onLead(inventory.lead);
  // The leadership may have come while the parts were built.
  if (leads()) inventory.lead();
  // A heartbeat must not wait for these: both read in the background, one read at a time.
  cluster.onHeartbeat(() => void inventory.followReplicas());
  cluster.onHeartbeat(() => void missingPatches.followReplicas());
  return { ready: pollLoop.ready };
}
