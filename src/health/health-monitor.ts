/**
 * Checks Patchbay itself every minute: writes a heartbeat, so that a full disk shows even when idle; calls Slack if nobody
 * else did; and notifies admins of each problem once. Reports are stored in the database, so that neither a restart nor
 * another replica repeats them, and sent as cards, so that an outage of Slack only delays them.
 */
import { type Clock, type Instant, later, MINUTE, type Timer } from '../lib/clock.ts';
import { cardKey, channelId, newTroubleId, type PersonId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import type { PollLoop } from '../watch/poll-loop.ts';
import { type DetectedTrouble, detectTroubles, OVER_MS, type Vitals } from './detect-troubles.ts';
import type { DirectNotifier } from './notify-admins.ts';
import type { VitalSigns } from './vital-signs.ts';

export type HealthMonitorOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly signs: Pick<VitalSigns, 'slackAnsweredAt' | 'slackIsWell' | 'connectionsCountedAt'>;
  readonly vitals: () => Promise<Vitals>;
  readonly pollLoop: Pick<PollLoop, 'health'>;
  /** Makes any call to Slack. */
  readonly askSlack: () => Promise<unknown>;
  /** Looks whether the channel for approvals became shared. */
  readonly checkShared: () => Promise<void>;
  /** Has Slack count the connections of the app. */
  readonly recountConnections: () => void;
  readonly admins: () => Promise<readonly PersonId[]>;
  /** Notifies of problems that the database cannot store. */
  readonly directNotifier: DirectNotifier;
  readonly wakeWorker: () => void;
};

const CHECK_INTERVAL_MS = MINUTE;
/** A revoked token is detected within this time, even if nothing is posted. */
const SLACK_CHECK_INTERVAL_MS = 5 * MINUTE;
/** Slack counts connections only for a new one, so that is opened: less often than Slack takes (apps.connections.open). */
const RECOUNT_INTERVAL_MS = 10 * MINUTE;
/** Well below the time after which the event log counts as unread, because a starting process uses the stored time. */
const DATABASE_CHECK_INTERVAL_MS = 2 * MINUTE;

export function createHealthMonitor(options: HealthMonitorOptions) {
  const { store, clock, log, signs, vitals, pollLoop, askSlack, admins, directNotifier } = options;
  const { recountConnections, checkShared } = options;
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let checkRecordedAt: Instant | null = null;

  const askIfQuiet = async (): Promise<void> => {
    const answeredAt = signs.slackAnsweredAt();
    const isQuiet = answeredAt === null || clock.now() >= later(answeredAt, SLACK_CHECK_INTERVAL_MS);
    if (isQuiet || !signs.slackIsWell()) await askSlack();
  };

  const recordCheck = async (): Promise<void> => {
    const now = clock.now();
    if (checkRecordedAt !== null && now < later(checkRecordedAt, DATABASE_CHECK_INTERVAL_MS)) return;
    checkRecordedAt = now;
    await store.health.recordCheck(now, pollLoop.health().lastSuccess).catch(() => {
      // The vital signs of writes have the cause. The next check tries again.
      checkRecordedAt = null;
    });
  };

  const recountIfOld = (): void => {
    const countedAt = signs.connectionsCountedAt();
    if (countedAt !== null && clock.now() >= later(countedAt, RECOUNT_INTERVAL_MS)) recountConnections();
  };

  const check = async (): Promise<void> => {
    await askIfQuiet();
    recountIfOld();
    await checkShared();
    await recordCheck();
    const health = detectTroubles(await vitals(), clock.now());
    const troubles =
      health.kind === 'ok' ? [] : health.troubles.filter(({ notifiesAdmins }) => notifiesAdmins);
    const databaseTroubles = troubles.filter(
      ({ trouble: { kind } }) => kind === 'database-down' || kind === 'database-unwritable',
    );
    await directNotifier.notify(databaseTroubles, admins);
    if (databaseTroubles.length === 0) await recordTroubles(options, troubles);
  };

  const checkOnce = async (): Promise<void> => {
    try {
      await check();
    } catch (error) {
      log.warn({ event: 'health.look-failed', err: error }, 'could not run the health check');
    }
    if (!stopped) timer = clock.at(later(clock.now(), CHECK_INTERVAL_MS), tick);
  };
  const tick = (): Promise<void> => {
    running = checkOnce();
    return running;
  };

  return {
    start(): void {
      stopped = false;
      timer = clock.at(later(clock.now(), CHECK_INTERVAL_MS), tick);
    },
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await running;
    },
    /** Makes the notice of a new database, in the transaction that creates its first record. */
    async newDatabase(
      newFrom: Instant | null,
    ): Promise<(tables: StoreTables, now: Instant) => Promise<void>> {
      const people = await admins();
      return async (tables, now) => {
        const id = newTroubleId();
        const from = newFrom === null ? {} : { newFrom };
        const trouble = { kind: 'new-database', ...from } as const;
        await tables.health.begin({ id, key: trouble.kind, trouble, since: now, seenAt: now, endedAt: now });
        for (const person of people) await enqueueTroubleCard(tables, id, person, now);
      };
    },
  };
}

/** Stores open problems, and those that ended, and notifies admins of each once. */
async function recordTroubles(
  { store, clock, log, admins, wakeWorker }: HealthMonitorOptions,
  troubles: readonly DetectedTrouble[],
): Promise<void> {
  const open = await store.health.open();
  const unknown = troubles.filter(({ key }) => !open.some((one) => one.key === key));
  const gone = open.filter(({ key }) => !troubles.some((one) => one.key === key));
  if (troubles.length === 0 && gone.length === 0) return;
  const people = unknown.length + gone.length === 0 ? [] : await admins();
  await store.transaction(async (tables) => {
    const now = clock.now();
    for (const { id, key, trouble: before } of open) {
      const found = troubles.find((one) => one.key === key);
      // A log that is still late does not replace the cause.
      const isLeft = before.kind === 'service-failing' && found?.trouble.kind === 'events-unread';
      if (found !== undefined) await tables.health.markSeen(id, isLeft ? before : found.trouble, now);
    }
    for (const found of unknown) await beginTrouble(tables, found, people, now);
    for (const { id, trouble: before } of gone) {
      // One answer ends an outage of the service; what else is not seen for a moment may come back.
      const unseenSince = before.kind === 'service-failing' ? now : later(now, -OVER_MS);
      if (!(await tables.health.end(id, now, unseenSince))) continue;
      for (const person of people)
        await tables.cards.enqueueUpdate(cardKey('trouble', id, channelId(person)), now);
    }
  });
  for (const { trouble, since } of unknown)
    log.error({ event: 'health.trouble', ...trouble, since }, 'Patchbay has a problem');
  for (const { trouble } of gone)
    log.info({ event: 'health.unseen', kind: trouble.kind }, 'problem no longer detected');
  wakeWorker();
}

async function beginTrouble(
  tables: StoreTables,
  { key, trouble, since }: DetectedTrouble,
  people: readonly PersonId[],
  now: Instant,
): Promise<void> {
  const id = newTroubleId();
  if (!(await tables.health.begin({ id, key, trouble, since, seenAt: now, endedAt: null }))) return;
  for (const person of people) await enqueueTroubleCard(tables, id, person, now);
}

async function enqueueTroubleCard(
  tables: StoreTables,
  id: ReturnType<typeof newTroubleId>,
  person: PersonId,
  now: Instant,
): Promise<void> {
  // A person's id in place of a channel's is their direct message (docs.slack.dev/reference/methods/chat.postMessage).
  const channel = channelId(person);
  await tables.cards.enqueue({
    key: cardKey('trouble', id, channel),
    channel,
    fallbackPerson: person,
    dueAt: now,
  });
}
