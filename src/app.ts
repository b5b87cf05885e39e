/** The composition root: the only file that builds the concrete parts and joins them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createActHandler } from './approvals/act.ts';
import { createDesk } from './approvals/desk.ts';
import { EXPIRY_MS, needsApproval } from './approvals/policy.ts';
import { type Clock, type Instant, SECOND } from './clock.ts';
import { alone, createCluster, NOT_READ } from './cluster/cluster.ts';
import { registry } from './commands/index.ts';
import { createResults } from './commands/lists/results.ts';
import type { Config } from './config.ts';
import { createFleet } from './fleet/client.ts';
import { DIALECTS } from './fleet/dialect.ts';
import type { FleetEvent } from './fleet/model.ts';
import { type FleetOrder, PACKAGE_ORDERS } from './fleet/orders.ts';
import { createAdmins } from './health/admins.ts';
import { createCaretaker } from './health/caretaker.ts';
import { createDirect } from './health/direct.ts';
import type { Vitals } from './health/judge.ts';
import { createHealth, healthRoutes } from './health/routes.ts';
import { serveHealth } from './health/server.ts';
import { createVitalSigns } from './health/vitals.ts';
import { approvalId, type DeviceId } from './ids.ts';
import { createInventory } from './inventory/directory.ts';
import { createMisses } from './inventory/misses.ts';
import { createTraits } from './inventory/traits.ts';
import type { Log } from './log.ts';
import { createOperations } from './operations/operations.ts';
import { createClients } from './slack/clients.ts';
import { createReach } from './slack/external.ts';
import { withoutExternalPosts } from './slack/external-posts.ts';
import { createRecords } from './slack/records.ts';
import { boundedPerHour } from './slack/refusals.ts';
import { signIn } from './slack/sign-in.ts';
import { createSlack } from './slack/slack.ts';
import { watchedWeb } from './slack/watched-web.ts';
import { createSlackWeb } from './slack/web.ts';
import type { OnStep } from './steps.ts';
import { createStopOrder, type StopOrder, Stopped } from './stop-order.ts';
import { openStore } from './store/open.ts';
import type { Reading } from './store/replica-records.ts';
import { createWorker, type Worker, type WorkerOptions, type WorkHandlers } from './store/worker.ts';
import { createAlertDesk } from './watch/desk.ts';
import { createWatch } from './watch/loop.ts';
import { createOddities } from './watch/oddities.ts';
import { poll } from './watch/poll.ts';
import { createIdsWatch } from './watch/restart.ts';

export type AppOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when Slack does not let us in any more until a person mends it: then the process should end. */
  readonly onFatal: (reason: string) => void;
  /** Called at the named points of `steps.ts`; only the kill harness uses it. */
  readonly onStep?: OnStep;
  /** How long a call to Slack may take effect, in milliseconds; only the kill harness has less patience. */
  readonly settleMs?: number;
};

export type App = {
  /** Opens the database, signs in to Slack and connects. Throws when one of them is refused, and `Stopped` when a stop overtakes it. */
  readonly start: () => Promise<void>;
  /** Resolves when Slack is connected and the event log was read: from then on every new event is told. */
  readonly ready: () => Promise<void>;
  /** Ends in the order of `stop-order.ts`; what runs is finished first. May be called again, and while it starts. */
  readonly stop: () => Promise<void>;
};

/** How long a stop waits (wall time) for the cards of what it let end. */
const CARDS_WITHIN_MS = 2 * SECOND;

export function createApp(options: AppOptions): App {
  const order = createStopOrder();
  let ready: Promise<void> | null = null;

  return {
    async start() {
      try {
        ({ ready } = await startParts(options, order));
      } catch (error) {
        const overtaken = order.signal.aborted;
        await order.stop();
        throw overtaken ? new Stopped() : error;
      }
    },
    ready: () => ready ?? Promise.reject(new Error('not started')),
    stop: order.stop,
  };
}

/** Builds and starts everything; `order` takes what ends each part. `ready` resolves when the event log was read. */
async function startParts(options: AppOptions, order: StopOrder) {
  const { config, clock, log, onFatal, onStep, settleMs } = options;
  const { add: onEnd, signal } = order;
  const isStopping = (): boolean => signal.aborted;
  const { organizationId } = config.fleet;
  const { channels, changes } = config.policy;

  const signs = createVitalSigns(clock);
  // Null until all that is asked is there: whoever asks before that is told that we are starting.
  let vitals: (() => Promise<Vitals>) | null = null;
  const readVitals = async (): Promise<Vitals | null> => vitals?.() ?? null;
  const routes = healthRoutes({ vitals: readVitals, clock });
  const { server, stop: stopServing } = await serveHealth(routes, config);
  await onEnd('close', stopServing);

  const store = await openStore({ database: config.database, organizationId, log, watch: signs.writes });
  await onEnd('close', store.close);
  const mayWrite = async () => (await store.pause.current()) === null;
  let ownReading = (): Reading => NOT_READ;
  const cluster =
    config.database.kind === 'postgres'
      ? createCluster({ store: store.replicas, clock, log, ownReading: () => ownReading() })
      : alone;
  await onEnd('close', cluster.stop);
  await cluster.start();
  const { budget, leads } = cluster;
  const fleet = createFleet({ ...config.fleet, clock, mayWrite, budget });
  await onEnd('reads', fleet.close);

  const workers: Worker[] = [];
  const kick = (): void => {
    for (const worker of workers) worker.kick();
  };
  const shared = { store, clock, maxAgeMs: changes.maxAgeMs, kick, onStep };
  const inventory = createInventory({ fleet: fleet.reader, clock, store: store.inventory, log, leads });
  await onEnd('reads', inventory.stop);
  const onNames = inventory.learnPackages;
  const table = store.inventory.misses;
  const revision = async () => (await store.inventory.revisions()).misses;
  const misses = createMisses({
    ...{ fleet: fleet.reader, clock, onNames, table, revision, log },
    changesSince: (since) => store.operations.endedSince(since, PACKAGE_ORDERS),
  });
  await onEnd('reads', misses.stop);
  const { reader, writer, editor } = fleet;
  const learner = {
    learn: inventory.learn,
    learnGroup: inventory.learnGroup,
    packagesChanged: (deviceId: DeviceId, at: Instant) => misses.changed({ deviceId, at }),
  };
  const operations = createOperations({ ...shared, reader, writer, editor, log, learner, isStopping });
  const desk = createDesk({ ...shared, organizationId, channels, bounded: boundedPerHour(clock) });
  const act = createActHandler({
    ...shared,
    operations,
    isStopping,
    reader: fleet.reader,
    groupName: inventory.groupName,
  });

  const alertDesk = createAlertDesk({ store, channels, clock, kick });

  const watched = watchedWeb(createSlackWeb(createClients(config.slack, log)), signs.slack);
  const reachOf = createReach(watched, config.policy.externalChannels);
  const web = withoutExternalPosts(watched, { reachOf, clock, watch: signs.slack });
  const identity = await signIn(web, clock, log);
  const ports = {
    fleet: fleet.reader,
    inventory,
    misses,
    results: createResults(clock),
    clock,
    dialect: DIALECTS[config.fleet.dialect],
    organizationId,
    records: createRecords({ store, web }),
    health: () => health(),
    approvalMs: (order: FleetOrder) => (needsApproval(order) ? EXPIRY_MS : null),
    maxAgeMs: changes.maxAgeMs,
  };
  const desks = { desk, alertDesk };
  const slack = createSlack({
    config,
    web,
    identity,
    registry,
    ...desks,
    ports,
    groupOf: inventory.groupOf,
    store,
    log,
    kick,
    onFatal,
    onStep,
    settleMs,
  });

  const lane = (concurrency: number, handlers: WorkHandlers) =>
    createWorker({ store, clock, log, concurrency, handlers, onError: workFailed(log) });
  // A storm of cards, or commands that are followed slowly, must not keep a person's press waiting.
  const acting = lane(8, {
    click: slack.workOff,
    form: slack.workOffForm,
    act,
    expire: ({ key }) => desk.expire(approvalId(key)),
    silence: alertDesk.endSilence,
  });
  const showing = lane(6, { card: slack.deliver });
  const following = lane(4, { follow: operations.follow });
  workers.push(acting, showing, following);
  await onEnd('work', acting.stop);
  await onEnd('reads', following.stop);
  await onEnd('cards', () => finish(showing));
  for (const worker of workers) worker.start();

  const onOddity = createOddities({ clock, log });
  const onFound = (events: readonly FleetEvent[]): void => {
    inventory.note(events);
    misses.note(events);
  };
  const traits = createTraits({ inventory, fleet: fleet.reader, log });
  const { displayName } = inventory;
  const told = { channels, traits, displayName, mayRead: slack.mayRead, onOddity, onFound };
  const ids = createIdsWatch(clock);
  let isFirst = false;
  const onFirst = () => {
    isFirst = true;
    return caretaker.newDatabase();
  };
  const polled = { fleet: fleet.reader, store, clock, organizationId, onStep, onIds: ids.note, onFirst };
  const turn = async () => {
    const taken = await poll({ ...polled, ...told });
    // What the first look stored has a message of its own.
    if (isFirst) kick();
    isFirst = false;
    return taken;
  };
  const followed = () => (leads() ? null : cluster.reading());
  const watch = createWatch({ clock, log, turn, kick, restarted: ids.restart, followed });
  ownReading = watch.ownReading;
  const connection = slack.connect({ routes, server });
  const known = () => signs.read({ store, watch, connected: connection.connected });
  const health = createHealth({ vitals: known, clock, calls: fleet.figures });
  const caretaker = createCaretaker({
    store,
    clock,
    log,
    signs,
    vitals: known,
    watch,
    askSlack: web.identity,
    admins: createAdmins(config.policy, web),
    direct: createDirect(web, clock),
    kick,
  });
  await onEnd('close', connection.stop);
  await onEnd('intake', connection.refuse);
  await onEnd('answers', slack.answerAll);
  await connection.start();
  vitals = known;
  caretaker.start();
  await onEnd('reads', caretaker.stop);

  misses.start();
  await inventory.start();
  watch.start();
  await onEnd('reads', watch.stop);
  cluster.onLead(watch.lead);
  cluster.onLead(inventory.lead);
  // It may have come while the parts were built.
  if (leads()) inventory.lead();
  // A beat must not wait for what was written: both look in their own time, one look at once.
  cluster.onBeat(() => void inventory.follow());
  cluster.onBeat(() => void misses.follow());
  return { ready: watch.ready };
}

/** Cards that are due are shown, as far as that is a matter of moments; the others after the next start. */
async function finish(showing: Worker): Promise<void> {
  const enough = new AbortController();
  await Promise.race([
    showing.settled(),
    sleep(CARDS_WITHIN_MS, undefined, { signal: enough.signal }).catch(() => undefined),
  ]);
  enough.abort();
  await showing.stop();
}

function workFailed(log: Log): WorkerOptions['onError'] {
  return (error, work) => {
    log.error({ event: 'work.failed', kind: work?.kind, key: work?.key, err: error }, 'work failed');
  };
}
