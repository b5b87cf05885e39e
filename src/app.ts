/** The composition root: the only file that builds the concrete parts and joins them. */
import { createActHandler } from './approvals/act.ts';
import { createDesk } from './approvals/desk.ts';
import { EXPIRY_MS, needsApproval } from './approvals/policy.ts';
import type { Clock, Instant } from './clock.ts';
import { registry } from './commands/index.ts';
import { createResults } from './commands/lists/results.ts';
import type { Config } from './config.ts';
import { createFleet } from './fleet/client.ts';
import { DIALECTS } from './fleet/dialect.ts';
import type { FleetEvent } from './fleet/model.ts';
import { type FleetOrder, PACKAGE_ORDERS } from './fleet/orders.ts';
import { createHealth, healthRoutes, serveHealth } from './health.ts';
import { approvalId, type DeviceId } from './ids.ts';
import { createInventory } from './inventory/directory.ts';
import { createMisses } from './inventory/misses.ts';
import { createTraits } from './inventory/traits.ts';
import type { Log } from './log.ts';
import { createOperations } from './operations/operations.ts';
import { createClients } from './slack/clients.ts';
import { createRecords } from './slack/records.ts';
import { signIn } from './slack/sign-in.ts';
import { createSlack } from './slack/slack.ts';
import { createSlackWeb } from './slack/web.ts';
import type { OnStep } from './steps.ts';
import { openStore } from './store/open.ts';
import { createWorker, type Worker, type WorkerOptions, type WorkHandlers } from './store/worker.ts';
import { createAlertDesk } from './watch/desk.ts';
import { createWatch } from './watch/loop.ts';
import { createOddities } from './watch/oddities.ts';
import { poll } from './watch/poll.ts';

export type AppOptions = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Called at the named points of `steps.ts`; only the kill harness uses it. */
  readonly onStep?: OnStep;
  /** How long a call to Slack may take effect, in milliseconds; only the kill harness has less patience. */
  readonly settleMs?: number;
};

export type App = {
  /** Opens the database, signs in to Slack and connects. Throws when one of them is refused. */
  readonly start: () => Promise<void>;
  /** Resolves when Slack is connected and the event log was read: from then on every new event is told. */
  readonly ready: () => Promise<void>;
  /** Ends in reverse order; running work is finished first. May be called again. */
  readonly stop: () => Promise<void>;
};

export function createApp(options: AppOptions): App {
  const ends: (() => Promise<void>)[] = [];
  let ready: Promise<void> | null = null;
  let stopping: Promise<void> | null = null;

  const endAll = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  return {
    async start() {
      try {
        ({ ready } = await startParts(options, (end) => ends.push(end)));
      } catch (error) {
        await endAll();
        throw error;
      }
    },
    ready: () => ready ?? Promise.reject(new Error('not started')),
    stop() {
      stopping ??= endAll();
      return stopping;
    },
  };
}

/** Builds and starts everything; `onEnd` takes what undoes each part. `ready` resolves when the event log was read. */
async function startParts(options: AppOptions, onEnd: (end: () => Promise<void>) => void) {
  const { config, clock, log, onStep, settleMs } = options;
  const { organizationId } = config.fleet;
  const { channels } = config.policy;

  const store = await openStore({ database: config.database, organizationId, log });
  onEnd(store.close);
  const fleet = createFleet({ ...config.fleet, clock });
  onEnd(fleet.close);

  const workers: Worker[] = [];
  const kick = (): void => {
    for (const worker of workers) worker.kick();
  };
  const shared = { store, clock, kick, onStep };
  const inventory = createInventory({ fleet: fleet.reader, clock, store: store.inventory, log });
  onEnd(inventory.stop);
  const onNames = inventory.learnPackages;
  const table = store.inventory.misses;
  const misses = createMisses({
    ...{ fleet: fleet.reader, clock, onNames, table, log },
    changesSince: (since) => store.operations.endedSince(since, PACKAGE_ORDERS),
  });
  onEnd(misses.stop);
  const { reader, writer, editor } = fleet;
  const learner = {
    learn: inventory.learn,
    learnGroup: inventory.learnGroup,
    packagesChanged: (deviceId: DeviceId, at: Instant) => misses.changed({ deviceId, at }),
  };
  const operations = createOperations({ ...shared, reader, writer, editor, learner });
  const desk = createDesk({ ...shared, organizationId, channels });
  const act = createActHandler({
    ...shared,
    operations,
    reader: fleet.reader,
    groupName: inventory.groupName,
  });

  const alertDesk = createAlertDesk({ store, channels, clock, kick });

  const web = createSlackWeb(createClients(config.slack, log));
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
  };
  const desks = { desk, alertDesk };
  const slack = createSlack({
    config,
    web,
    identity,
    registry,
    ...desks,
    ports,
    store,
    log,
    kick,
    onStep,
    settleMs,
  });

  const lane = (concurrency: number, handlers: WorkHandlers) =>
    createWorker({ store, clock, log, concurrency, handlers, onError: workFailed(log) });
  // A storm of cards, or commands that are followed slowly, must not keep a person's press waiting.
  workers.push(
    lane(8, {
      click: slack.workOff,
      form: slack.workOffForm,
      act,
      expire: ({ key }) => desk.expire(approvalId(key)),
      silence: alertDesk.endSilence,
    }),
    lane(6, { card: slack.deliver }),
    lane(4, { follow: operations.follow }),
  );
  for (const worker of workers) {
    worker.start();
    onEnd(worker.stop);
  }

  const onOddity = createOddities({ clock, log });
  const onFound = (events: readonly FleetEvent[]): void => {
    inventory.note(events);
    misses.note(events);
  };
  const traits = createTraits({ inventory, fleet: fleet.reader, log });
  const told = { channels, traits, mayRead: slack.mayRead, onOddity, onFound };
  const turn = () => poll({ fleet: fleet.reader, store, clock, organizationId, onStep, ...told });
  const watch = createWatch({ clock, log, turn, kick });
  let connected = (): boolean => false;
  const health = createHealth({ store, watch, connected: () => connected(), calls: fleet.figures });
  const routes = healthRoutes({ store, watch, connected: () => connected(), clock });
  const connection = slack.connect(routes);
  connected = connection.connected;
  onEnd(connection.stop);
  await connection.start();
  if (config.slack.transport.kind === 'socket') onEnd((await serveHealth(routes, config)).stop);

  misses.start();
  await inventory.start();
  watch.start();
  onEnd(watch.stop);
  return { ready: watch.ready };
}

function workFailed(log: Log): WorkerOptions['onError'] {
  return (error, work) => {
    log.error({ event: 'work.failed', kind: work?.kind, key: work?.key, err: error }, 'work failed');
  };
}
