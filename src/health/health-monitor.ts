/**
 * Checks Patchbay itself every minute: writes a heartbeat, so that a full disk shows even when idle; calls Slack if nobody
 * else did; and notifies admins of each problem once. Reports are stored in the database, so that neither a restart nor
 * another replica repeats them, and sent as cards, so that an outage of Slack only delays them.
 */
import type { ConfigurationFile } from '../config/configuration-file.ts';
import { type Clock, DAY, HOUR, type Instant, later, MINUTE, type Timer } from '../lib/clock.ts';
import { type ChannelId, cardKey, channelId, newTroubleId, type PersonId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { WriteFailureReason } from '../lib/not-stored.ts';
import type { SlackMonitor } from '../slack/web-api/monitored-web.ts';
import type { SlackResult } from '../slack/web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../slack/web-api/slack-web.ts';
import type { WriteObserver } from '../store/engines/engine.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import { renderView } from '../views/views.ts';
import type { PollLoop } from '../watch/poll-loop.ts';
import {
  type ConnectionCount,
  type DetectedTrouble,
  detectTroubles,
  OVER_MS,
  SILENCE_MS,
  type Vitals,
} from './detect-troubles.ts';

type HealthMonitorOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly signs: Pick<VitalSigns, 'slackAnsweredAt' | 'slackIsWell' | 'connectionsCountedAt'>;
  readonly vitals: () => Promise<Vitals>;
  readonly pollLoop: Pick<PollLoop, 'health'>;
  readonly askSlack: () => Promise<unknown>;
  readonly checkShared: () => Promise<void>;
  readonly recountConnections: () => void;
  readonly admins: () => Promise<readonly PersonId[]>;
  /** Notifies of problems that the database cannot store. */
  readonly directNotifier: Readonly<ReturnType<typeof createDirectNotifier>>;
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
    const troubles = detectTroubles(await vitals(), clock.now()).filter(
      ({ notifiesAdmins }) => notifiesAdmins,
    );
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
    for (const { key, trouble, since } of unknown) {
      const id = newTroubleId();
      if (!(await tables.health.begin({ id, key, trouble, since, seenAt: now, endedAt: null }))) continue;
      for (const person of people) await enqueueTroubleCard(tables, id, person, now);
    }
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

/** What must be there before the database is open. */
type VitalSigns = Readonly<ReturnType<typeof createVitalSigns>>;
export type VitalSources = {
  readonly store: Pick<Store, 'ping' | 'health' | 'events'>;
  readonly pollLoop: Pick<PollLoop, 'health'>;
  readonly connected: () => boolean;
  readonly service: () => Vitals['service'];
  readonly configuration: () => Pick<Vitals['configuration'], 'refused'> & { readonly differs: boolean };
};

/** How far back cards that were given up count. */
const ABANDONED_HISTORY_MS = DAY;

export function createVitalSigns(clock: Clock) {
  const startedAt = clock.now();
  const slack = createSlackVitals(clock);
  const disconnected = createSinceTracker(clock);
  const down = createSinceTracker(clock);
  const differing = createSinceTracker(clock);
  let unwritable: { readonly why: WriteFailureReason; readonly since: Instant } | null = null;
  let wroteAt: Instant | null = null;
  let counted: ConnectionCount | null = null;

  const writes: WriteObserver = {
    wrote: () => {
      wroteAt = clock.now();
      unwritable = null;
    },
    failed: (why) => {
      unwritable = { why, since: unwritable?.since ?? clock.now() };
    },
  };

  const cardsOf = async (store: VitalSources['store']): Promise<Vitals['cards']> => {
    const [undelivered, givenUp] = await Promise.all([
      store.health.undelivered(),
      store.health.abandoned(later(clock.now(), -ABANDONED_HISTORY_MS)),
    ]);
    return { undelivered, givenUp };
  };

  /** A follower does not read the event log, so it uses the time that the leader stored. */
  const restartedByLeader = async (store: VitalSources['store']): Promise<Vitals['events']['restarted']> => {
    const open = await store.health.open().catch(() => []);
    for (const { trouble, since, seenAt } of open)
      if (trouble.kind === 'ids-restarted' && clock.now() < later(seenAt, OVER_MS))
        return { newestId: trouble.newestId, floorId: trouble.floorId, since, byLeader: true };
    return null;
  };

  return {
    slack: slack.watch,
    slackAnsweredAt: slack.answeredAt,
    /** False while Slack refuses the token, a scope is missing, or Slack does not answer. */
    slackIsWell: (): boolean => slack.read().refusal === null && slack.read().silentSince === null,
    /** Slack counts this many connections of the app beside those of the replicas. */
    connectionsCounted: (others: number): void => {
      const now = clock.now();
      counted = { at: now, others, since: others > 0 ? (counted?.since ?? now) : null };
    },
    /** Null: Slack never counted. */
    connectionsCountedAt: (): Instant | null => counted?.at ?? null,
    writes,
    async read({ store, pollLoop, connected, service, configuration }: VitalSources): Promise<Vitals> {
      const answers = await store.ping().then(
        () => true,
        () => false,
      );
      const cards = answers ? await cardsOf(store).catch(() => null) : null;
      const { lastSuccess, failures, restarted } = pollLoop.health();
      const cursor = answers ? await store.events.cursor().catch(() => null) : null;
      // A process that just started uses the time stored by its predecessor or another replica.
      const readAt = lastSuccess ?? (answers ? await store.health.eventsReadAt().catch(() => null) : null);
      return {
        startedAt,
        slack: { ...slack.read(), disconnectedSince: disconnected(!connected()), counted },
        database: { downSince: down(!answers), unwritable, wroteAt },
        service: service(),
        configuration: { refused: configuration().refused, differsSince: differing(configuration().differs) },
        events: {
          readAt,
          failures,
          gap: cursor?.gap ?? null,
          restarted:
            restarted ?? (restarted === undefined && answers ? await restartedByLeader(store) : null),
        },
        cards,
      };
    },
  };
}

function createSlackVitals(clock: Clock) {
  /** Errors by method. The empty key stands for the token itself, which affects all methods. */
  const refusals = new Map<string, { readonly error: string; readonly since: Instant }>();
  const refusing = new Map<ChannelId, { readonly error: string; readonly since: Instant }>();
  let scopes: string | null = null;
  let silentSince: Instant | null = null;
  let wellSince = clock.now();
  let answeredAt: Instant | null = null;
  let wroteAt: Instant | null = null;
  /** Writes in a row that had no good answer, also while reads have one. */
  let failing: { readonly count: number; readonly since: Instant; readonly at: Instant } | null = null;

  const watch: SlackMonitor = {
    answered: (method, writes) => {
      answeredAt = clock.now();
      const wasAway = silentSince !== null && clock.now() > later(silentSince, SILENCE_MS);
      if (wasAway || refusals.has(EVERY_METHOD)) wellSince = clock.now();
      silentSince = null;
      refusals.delete(EVERY_METHOD);
      refusals.delete(method);
      if (!writes) return;
      wroteAt = clock.now();
      failing = null;
    },
    unanswered: (writes) => {
      const now = clock.now();
      silentSince ??= now;
      if (writes) failing = { count: (failing?.count ?? 0) + 1, since: failing?.since ?? now, at: now };
    },
    refused: (method, error, isToken) => {
      answeredAt = clock.now();
      silentSince = null;
      const name = isToken ? EVERY_METHOD : method;
      refusals.set(name, { error, since: refusals.get(name)?.since ?? clock.now() });
    },
    granted: (now) => {
      const before = scopes;
      scopes = now.toSorted().join(' ');
      // The app may have been reinstalled with other scopes, so each call has to show what is missing.
      if (before === null || before === scopes) return;
      for (const method of refusals.keys()) if (method !== EVERY_METHOD) refusals.delete(method);
    },
    channelTook: (channel) => void refusing.delete(channel),
    channelRefused: (channel, error) => {
      refusing.set(channel, { error, since: refusing.get(channel)?.since ?? clock.now() });
    },
  };
  /** Null: writes work, or none was tried lately. */
  const failingSince = (): Instant | null => {
    if (failing === null || failing.count < MIN_FAILED_WRITES) return null;
    return clock.now() < later(failing.at, FAILED_WRITES_MS) ? failing.since : null;
  };
  const read = () => {
    const refusal = refusals.get(EVERY_METHOD) ?? [...refusals.values()][0] ?? null;
    return {
      silentSince: silentSince ?? failingSince(),
      refusal,
      wellSince,
      wroteAt,
      refusing: new Map(refusing),
    };
  };
  return { watch, read, answeredAt: () => answeredAt };
}

/** One lost answer is no outage. */
const MIN_FAILED_WRITES = 3;
/** A private answer is not tried again, so its failure says nothing for longer. */
const FAILED_WRITES_MS = 10 * MINUTE;

const EVERY_METHOD = '';

/** Since when a condition holds, as far as it was checked; null: it does not. */
function createSinceTracker(clock: Clock) {
  let since: Instant | null = null;
  return (isSo: boolean): Instant | null => {
    since = isSo ? (since ?? clock.now()) : null;
    return since;
  };
}

/** How far back a message of another replica, or from before a restart, is searched. */
const HISTORY_WINDOW_MS = 6 * HOUR;

type NotifiedTrouble = {
  readonly detected: DetectedTrouble;
  seenAt: Instant;
  readonly messages: Map<PersonId, MessageRef>;
};

export function createDirectNotifier(
  web: Pick<SlackWeb, 'openDirect' | 'cardsInHistory' | 'post' | 'update'>,
  clock: Clock,
) {
  const notified = new Map<DetectedTrouble['key'], NotifiedTrouble>();

  const remember = (detected: DetectedTrouble): NotifiedTrouble => {
    const known = notified.get(detected.key) ?? { detected, seenAt: clock.now(), messages: new Map() };
    known.seenAt = clock.now();
    notified.set(detected.key, known);
    return known;
  };
  /** Where it stands in somebody's direct messages, told now or before. */
  const notifyPerson = async (found: DetectedTrouble, person: PersonId): Promise<SlackResult<MessageRef>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    const [oldest, latest] = [later(clock.now(), -HISTORY_WINDOW_MS), later(clock.now(), HOUR)];
    const history = await web.cardsInHistory(direct.value, { oldest, latest, cursor: null });
    if (history.kind !== 'ok') return history;
    const message = troubleMessage(found, null);
    const before = history.value.cards.find(({ key }) => key === message.metadata.event_payload['key']);
    if (before !== undefined) return { kind: 'ok', value: { channel: direct.value, ts: before.ts } };
    return web.post(direct.value, message);
  };
  /** Edits the messages of ended problems. What fails is tried again at the next check. */
  const showAsOver = async ({ detected, seenAt, messages }: NotifiedTrouble): Promise<void> => {
    for (const [person, place] of messages) {
      const edited = await web.update(place, troubleMessage(detected, seenAt));
      if (edited.kind === 'ok' || edited.kind === 'refused') messages.delete(person);
    }
    if (messages.size === 0) notified.delete(detected.key);
  };

  return {
    /** Notifies of each open problem once. A problem that is missing for a while is over. Never throws. */
    async notify(
      troubles: readonly DetectedTrouble[],
      admins: () => Promise<readonly PersonId[]>,
    ): Promise<void> {
      const people = troubles.length === 0 ? [] : await admins();
      for (const found of troubles) {
        const { messages } = remember(found);
        for (const person of people) {
          if (messages.has(person)) continue;
          const place = await notifyPerson(found, person);
          if (place.kind === 'ok') messages.set(person, place.value);
        }
      }
      for (const one of [...notified.values()]) {
        const lasts = troubles.some(({ key }) => key === one.detected.key);
        if (!lasts && clock.now() >= later(one.seenAt, OVER_MS)) await showAsOver(one);
      }
    },
  };
}

/** An ended problem has another key, so that it is not mistaken for the next one. */
function troubleMessage({ key, trouble, since }: DetectedTrouble, endedAt: Instant | null): CardMessage {
  const state = endedAt === null ? 'posted' : 'over';
  const name = endedAt === null ? `trouble:${key}` : `trouble:${key}:over`;
  const message = renderView({ kind: 'trouble', trouble, since, endedAt });
  return { ...message, metadata: { event_type: 'patchbay_card', event_payload: { key: name, state } } };
}

const MAX_NOTIFIED = 20;

/** Approvers where the configuration file names no admin. A user group that cannot be read is left out. */
export function createAdminReader(configuration: ConfigurationFile, web: Pick<SlackWeb, 'userGroupMembers'>) {
  const membersOf = async ({
    people,
    userGroups,
  }: ConfigurationFile['roles']['admin']): Promise<readonly PersonId[]> => {
    const groups = await Promise.all(userGroups.map((group) => web.userGroupMembers(group)));
    return [...people, ...groups.flatMap((asked) => (asked.kind === 'ok' ? asked.value : []))];
  };
  return async (): Promise<readonly PersonId[]> => {
    const { roles } = configuration;
    const admins = await membersOf(roles.admin);
    const people = admins.length > 0 ? admins : await membersOf(roles.approver);
    return [...new Set(people)].slice(0, MAX_NOTIFIED);
  };
}
