/** Builds the parts of the product and joins them; `app.ts` starts and stops them. */

import type { AlertService } from './alerts/alert-service.ts';
import { createDeviceLabelReader } from './alerts/routing.ts';
import {
  type Cluster,
  createCluster,
  createPresence,
  type Presence,
  singleProcess,
} from './cluster/cluster.ts';
import { registry } from './commands/index.ts';
import { createResultCaches } from './commands/lists/result-cache.ts';
import type { Config } from './config/config.ts';
import { createFleetClient, type FleetClient } from './fleet/client.ts';
import { DIALECTS } from './fleet/dialect.ts';
import { PACKAGE_ACTIONS } from './fleet/model/actions.ts';
import type { FleetEvent } from './fleet/model/resources.ts';
import { createInventory, type InventoryService } from './inventory/inventory-service.ts';
import {
  createMissingPatchIndex,
  type MissingPatchService,
} from './inventory/missing-patches/missing-patch-index.ts';
import type { Clock, Instant } from './lib/clock.ts';
import type { OnFailpoint } from './lib/failpoints.ts';
import { type DeviceId, requestId } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import type { ShutdownOrder } from './lib/shutdown.ts';
import { holdAllRollouts } from './requests/decide/hold-rollout.ts';
import { summarizeTargets } from './requests/decide/record-request.ts';
import { createRequests, type Requests, type RequestsOptions } from './requests/requests.ts';
import { hourlyLimiter } from './slack/access/access-refusals.ts';
import { createChannelReaders, withoutExternalPosts } from './slack/access/external-channels.ts';
import { createReadRight } from './slack/access/permissions.ts';
import { createRecordsReader } from './slack/command-ports/store-settings.ts';
import { createSlack, type Slack, type SlackOptions } from './slack/slack.ts';
import { createClients } from './slack/web-api/clients.ts';
import { monitoredWeb, type SlackMonitor } from './slack/web-api/monitored-web.ts';
import { createSlackWeb, type SlackWeb } from './slack/web-api/slack-web.ts';
import { createWorker, logWorkFailure, type WorkHandlers } from './store/due-work/worker.ts';
import { openStore, type StoreOptions } from './store/open.ts';
import type { EventLogStatus } from './store/port/replica-records.ts';
import type { Store } from './store/port/store.ts';
import { createAnomalyLog, createIdRestartDetector } from './watch/event-log.ts';
import { type PollOptions, pollEvents } from './watch/poll.ts';
import { createPollLoop, type PollLoop } from './watch/poll-loop.ts';

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

type OnEnd = ShutdownOrder['add'];

/** What everything else stands on. */
export type Base = AppOptions & {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly presence: Presence;
  readonly fleet: FleetClient;
};

export type BaseReports = Required<Pick<StoreOptions, 'watch'>> & {
  /** How this process's own reading of the event log goes. */
  readonly ownEventLogStatus: () => EventLogStatus;
  readonly ownConnections: () => number;
  readonly ownConfiguration: () => string;
};

/** Opens the database, joins the other replicas, and makes the client of the service. */
export async function openBase(
  options: AppOptions,
  { watch, ...reports }: BaseReports,
  onEnd: OnEnd,
): Promise<Base> {
  const { config, clock, log } = options;
  const { organizationId } = config.fleet;
  const store = await openStore({ database: config.database, organizationId, log, watch });
  await onEnd('close', store.close);
  const cluster =
    config.database.kind === 'postgres'
      ? createCluster({ store: store.replicas, clock, log, ...reports })
      : singleProcess;
  await onEnd('close', cluster.stop);
  await cluster.start();
  const presence = createPresence({
    ...{ store, clock, log, maxAgeMs: config.configuration.changes.maxAgeMs },
    onAbsence: (tables, absence) =>
      holdAllRollouts(
        tables,
        { kind: 'away', ...absence },
        { ...config.configuration.channels, now: absence.at },
      ),
  });
  await onEnd('close', presence.stop);
  await presence.start();
  const { budget } = cluster;
  const mayWrite = async () => (await store.pause.current()) === null;
  const fleet = createFleetClient({ ...config.fleet, clock, mayWrite, budget });
  await onEnd('reads', fleet.close);
  return { ...options, store, cluster, presence, fleet };
}

export type Indexes = { readonly inventory: InventoryService; readonly missingPatches: MissingPatchService };

export async function createIndexes(base: Base, onEnd: OnEnd): Promise<Indexes> {
  const { clock, log, store, cluster } = base;
  const fleet = base.fleet.reader;
  const inventory = createInventory({ fleet, clock, store: store.inventory, log, leads: cluster.leads });
  await onEnd('reads', inventory.stop);
  const missingPatches = createMissingPatchIndex({
    ...{ fleet, clock, log, store: store.inventory },
    onNames: inventory.learnPackages,
    deviceRows: async () => (await inventory.snapshot({ lane: 'person' })).devices,
    changesSince: (since) => store.targets.endedSince(since, PACKAGE_ACTIONS),
  });
  await onEnd('reads', missingPatches.stop);
  return { inventory, missingPatches };
}

export function createRequestRoad(
  { config, clock, log, onFailpoint, store, presence, fleet }: Base,
  { inventory, missingPatches }: Indexes,
  {
    people,
    web,
    ...running
  }: Pick<SlackOptions, 'people' | 'web'> &
    Pick<RequestsOptions, 'rulesInForce' | 'wakeWorker' | 'isStopping'>,
): Requests {
  const { reader, writer, editor, serviceNow } = fleet;
  const { channels, changes } = config.configuration;
  const requests = createRequests({
    readMemberships: people.membershipsOf,
    ...{ store, clock, log, onFailpoint, channels, reader, writer, editor, ...running },
    serviceNow,
    isAwake: presence.isAwake,
    maxAgeMs: changes.maxAgeMs,
    limits: () => config.configuration.rollouts,
    readRight: createReadRight({ people, web, clock }),
    organizationId: config.fleet.organizationId,
    takesTagBatches: DIALECTS[config.fleet.dialect].batch,
    groupName: inventory.groupName,
    readIndex: inventory.snapshot,
    fleetSize: inventory.fleetSize,
    changeListener: {
      learnDevice: inventory.learnDevice,
      learnGroup: inventory.learnGroup,
      learnPolicy: inventory.learnPolicy,
      forgetDevice: inventory.forgetDevice,
      forgetGroup: inventory.forgetGroup,
      packagesChanged: (deviceId: DeviceId, at: Instant) => missingPatches.packagesChanged({ deviceId, at }),
    },
    bounded: hourlyLimiter(clock),
  });
  inventory.onReturn((id) => void requests.noteReturn(id));
  return requests;
}

/** Slack's Web API, watched, and without posts to channels that other organizations read. */
export function createWatchedWeb({ config, clock, log }: AppOptions, watch: SlackMonitor): SlackWeb {
  const watched = monitoredWeb(createSlackWeb(createClients(config.slack, log)), watch);
  const readersOf = createChannelReaders(watched, config.configuration.externalChannels);
  return withoutExternalPosts(watched, { readersOf, clock, watch });
}

export type SlackParts = Pick<
  SlackOptions,
  'web' | 'people' | 'identity' | 'requests' | 'alertDesk' | 'wakeWorker'
> & {
  readonly health: SlackOptions['ports']['health'];
};

/** What answers people in Slack, from the indexes and the records of requests. */
export function createSlackSide(base: Base, indexes: Indexes, { health, ...parts }: SlackParts): Slack {
  const { config, clock, log, store, fleet, onFatal, onFailpoint, callTimeoutMs } = base;
  const { organizationId, dialect } = config.fleet;
  const { ticketUrl } = config.configuration;
  return createSlack({
    ...{ config, store, log, onFatal, onFailpoint, callTimeoutMs },
    ...parts,
    registry,
    groupOf: indexes.inventory.groupOf,
    ports: {
      ...indexes,
      ...{ clock, organizationId, health },
      fleet: fleet.reader,
      results: createResultCaches(clock),
      dialect: DIALECTS[dialect],
      records: createRecordsReader({ store, clock, web: parts.web, ticketUrl }),
      summarize: summarizeTargets,
      judge: parts.requests.judge,
      maxAgeMs: config.configuration.changes.maxAgeMs,
      rollouts: () => config.configuration.rollouts,
      roles: () => config.configuration.roles,
    },
  });
}

type WorkParts = { readonly slack: Slack; readonly requests: Requests; readonly alertService: AlertService };

export function createWorkers({ store, clock, log }: Base, { slack, requests, alertService }: WorkParts) {
  const workerOf = (concurrency: number, handlers: WorkHandlers) =>
    createWorker({ store, clock, log, concurrency, handlers, onError: logWorkFailure(log) });
  return {
    // A burst of cards, or slow commands, must not delay a person's press.
    actions: workerOf(8, {
      inbox: slack.handleInboxWork,
      run: requests.run,
      expire: ({ key }) => requests.expire(requestId(key)),
      nudge: ({ key }) => requests.nudge(requestId(key)),
      silence: alertService.endSilence,
    }),
    cards: workerOf(6, { card: slack.handleCardWork }),
    follow: workerOf(4, { follow: requests.follow }),
  };
}

export type EventPollParts = Pick<PollOptions, 'mayRead'> & {
  readonly requests: Pick<Requests, 'noteEvents'>;
  readonly wakeWorker: () => void;
  readonly newDatabase: NonNullable<PollOptions['onFirst']>;
};

/** The loop that reads the event log of the service. */
export function createEventPoll(
  { config, clock, log, onFailpoint, store, cluster, fleet: { reader: fleet, serviceNow } }: Base,
  { inventory, missingPatches }: Indexes,
  { requests, mayRead, wakeWorker, newDatabase }: EventPollParts,
): PollLoop {
  const idRestarts = createIdRestartDetector(clock);
  let isFirst = false;
  const pollOptions: PollOptions = {
    ...{ fleet, serviceNow, store, clock, onFailpoint, mayRead },
    organizationId: config.fleet.organizationId,
    channels: config.configuration.channels,
    deviceLabels: createDeviceLabelReader({ inventory, fleet, log }),
    displayName: inventory.displayName,
    onAnomaly: createAnomalyLog({ clock, log }),
    onFound: (events: readonly FleetEvent[]) => {
      inventory.noteEvents(events);
      missingPatches.noteEvents(events);
      void requests.noteEvents(events);
    },
    onIds: idRestarts.note,
    onFirst: (newFrom) => {
      isFirst = true;
      return newDatabase(newFrom);
    },
  };
  return createPollLoop({
    ...{ clock, log, wakeWorker },
    async poll() {
      const result = await pollEvents(pollOptions);
      // Wakes the workers for the message that the first read may have stored.
      if (isFirst) wakeWorker();
      isFirst = false;
      return result;
    },
    restarted: idRestarts.restart,
    followed: () => (cluster.leads() ? null : cluster.eventLogStatus()),
  });
}
