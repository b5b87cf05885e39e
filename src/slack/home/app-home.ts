/** The app's Home: published for the person who opens it, updated for a while, and its buttons. */
import { z } from 'zod';
import type { SharedPorts } from '../../commands/core/command.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { countDevices } from '../../inventory/device-counts.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import {
  type Clock,
  HOUR,
  type Instant,
  instant,
  later,
  MINUTE,
  SECOND,
  type Timer,
} from '../../lib/clock.ts';
import { type CardKey, channelId, type PersonId, personId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import { withOfflineCounts } from '../../requests/decide/hold-rollout.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets } from '../../store/requests-with-targets.ts';
import {
  type FleetGlance,
  type HomeData,
  type HomeRole,
  type HomeTab,
  homeView,
  linkedCards,
  MAX_READ_ROWS,
  renderHome,
  simplifiedHome,
  VISIBLE_ROWS,
} from '../../views/home/home-tab.ts';
import { decidingGroups, roleSeesPersonal } from '../access/permissions.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { CommandSource, DirectChannels, SendReply } from '../replies/private-replies.ts';
import {
  isWindowRefused,
  type SlackError,
  type SlackResult,
  slackErrorText,
} from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { createHomeActions, type HomeActions, type HomeActionsOptions } from './home-actions.ts';

const openedSchema = z.object({
  user: z.string().transform(personId),
  channel: z.string().transform(channelId),
  tab: z.string(),
});

export type AppHome = HomeActions &
  Pick<HomeUpdates, 'changed' | 'stop'> & {
    readonly opened: (payload: unknown) => Promise<void>;
  };

export type AppHomeOptions = Omit<HomeDataOptions, 'store' | 'onFleet'> & {
  readonly store: HomeDataOptions['store'] & Pick<Store, 'cards'>;
  readonly web: SlackWeb;
  readonly actions: HomeActionsOptions['actions'];
  readonly directs: DirectChannels;
  readonly reply: (caller: CommandSource) => SendReply;
  readonly log: Log;
};

/** How long times may stay unchanged on a Home where nothing else changed. */
const STALE_MS = 10 * MINUTE;
const MAX_HASHES = 1_000;

export function createAppHome(options: AppHomeOptions): AppHome {
  const { store, web, ports, directs, log } = options;
  const { clock } = ports;
  /** What each Home shows, as far as it is known. */
  const published = new Map<PersonId, { readonly drawn: string; readonly staleAt: Instant }>();
  const linksTo = createCardLinkCache(store, web);
  const publishTab = createPublishHome(web, log);
  const readFacts = createReadHomeData({ ...options, onFleet: () => updates.changed() });

  const publish = async (person: PersonId, isRequested: boolean): Promise<SlackResult<unknown>> => {
    const view = homeView(await readFacts(person));
    const tab = renderHome(view, await linksTo(linkedCards(view)));
    const drawn = JSON.stringify(tab.blocks).replace(/<!date\^[^>]*>/g, '');
    const before = published.get(person);
    if (!isRequested && before?.drawn === drawn && clock.now() < before.staleAt)
      return { kind: 'ok', value: null };
    published.delete(person);
    const ended = await publishTab(person, tab);
    if (ended.kind === 'ok') {
      if (published.size >= MAX_HASHES) published.clear();
      published.set(person, { drawn, staleAt: later(clock.now(), STALE_MS) });
    }
    return ended;
  };
  const updates = createHomeUpdates({ clock, log, publish });

  const { isHomeAction, onAction } = createHomeActions({
    ...options,
    directTo: directs.channelOf,
    onRefresh: updates.open,
  });

  return {
    isHomeAction,
    onAction,
    changed: updates.changed,
    stop: updates.stop,
    async opened(payload) {
      const { user, channel, tab } = openedSchema.parse(payload);
      if (tab !== 'home') return;
      directs.remember(user, channel);
      await updates.open(user);
    },
  };
}

const MAX_CACHED_LINKS = 1_000;

/** Links of the cards that are posted; one that Slack does not give now is left out. */
export function createCardLinkCache(store: Pick<Store, 'cards'>, web: Pick<SlackWeb, 'permalink'>) {
  const cache = new Map<string, string>();

  const linkTo = async (key: CardKey): Promise<string | null> => {
    const card = await store.cards.get(key);
    if (card === null || card.postedChannel === null || card.ts === null) return null;
    const place = `${card.postedChannel} ${card.ts}`;
    const known = cache.get(place);
    if (known !== undefined) return known;
    const link = await web.permalink({ channel: card.postedChannel, ts: card.ts });
    if (cache.size >= MAX_CACHED_LINKS) cache.clear();
    if (link !== null) cache.set(place, link);
    return link;
  };

  return async (keys: readonly CardKey[]): Promise<ReadonlyMap<CardKey, string>> => {
    const found = await Promise.all(keys.map(async (key) => [key, await linkTo(key)] as const));
    return new Map(found.filter((one): one is [CardKey, string] => one[1] !== null));
  };
}

/** Returns the outcome of the last attempt. The same blocks would be refused again, so the second attempt uses the simple form. */
export function createPublishHome(web: Pick<SlackWeb, 'publishHome'>, log: Log) {
  return async (person: PersonId, tab: HomeTab): Promise<SlackResult<null>> => {
    const ended = await web.publishHome(person, tab);
    if (ended.kind !== 'refused' || !isWindowRefused(ended.error)) return ended;
    log.warn(
      { event: 'home.refused', person, reason: slackErrorText(ended) },
      'Slack refused a Home, publishing it as plain text',
    );
    return web.publishHome(person, simplifiedHome(tab));
  };
}

/** Wall time that a Home waits for the fleet; then it is published without it, and again when the fleet was read. */
const FLEET_WAIT_MS = 1_500;

type HomeDataOptions = {
  readonly store: Pick<Store, 'requests' | 'targets' | 'alerts' | 'pause'>;
  readonly people: RoleLookup;
  readonly ports: Pick<SharedPorts, 'inventory' | 'health' | 'clock'>;
  readonly configuration: ConfigurationFile;
  readonly root: string;
  /** Called when the fleet was read after the Home was published. */
  readonly onFleet: () => void;
};

export function createReadHomeData(options: HomeDataOptions) {
  const { store, people, ports, configuration, root, onFleet } = options;
  const { channels, ticketUrl } = configuration;
  const tables = { ...store, ticketUrl };
  const readFleet = async (): Promise<FleetGlance> => {
    const reading = ports.inventory.snapshot().then(fleetGlance, (): FleetGlance => ({ kind: 'unread' }));
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(() => resolve(null), FLEET_WAIT_MS);
    const first = await Promise.race([reading, late]);
    clearTimeout(timer);
    if (first !== null) return first;
    void reading.then(onFleet);
    return { kind: 'reading' };
  };

  return async (person: PersonId): Promise<HomeData> => {
    const asOf = ports.clock.now();
    const answered = await people.roleOf(person);
    // Unknown: there is no certain role, and an unread user group might give one.
    const role: HomeRole = answered.role ?? (answered.maybe === null ? 'none' : 'unknown');
    const known = { person, role, root, asOf, deciders: decidersOf(configuration), channels };
    // People without access cost no further reads.
    if (role === 'none' || role === 'unknown') return { ...known, ...NO_COUNTS };
    const personal = roleSeesPersonal(answered, configuration.personal);
    const [waiting, requests, rollouts, alerts, fleet, { troubles, events, silences }, pause] =
      await Promise.all([
        requestsWithTargets(tables, { states: ['waiting'], oldestFirst: true }, MAX_READ_ROWS),
        requestsWithTargets(tables, { requesterId: person }, MAX_READ_ROWS),
        requestsWithTargets(tables, { states: ['approved', 'running'], inWaves: true }, MAX_READ_ROWS),
        store.alerts.list({ state: 'open' }, { limit: VISIBLE_ROWS, skip: 0 }),
        readFleet(),
        ports.health(),
        store.pause.current(),
      ]);
    const counted = await withOfflineCounts(store, [...requests, ...rollouts], asOf);
    const own = { requests: counted.slice(0, requests.length), rollouts: counted.slice(requests.length) };
    const open = { alerts: alerts.rows, openAlerts: alerts.total, eventsReadAt: events.lastSuccess };
    const groups = await decidingGroups(people, person, waiting);
    return { ...known, ...own, ...open, personal, waiting, groups, fleet, troubles, silences, pause };
  };
}

const NO_COUNTS = {
  personal: false,
  waiting: [],
  groups: [],
  requests: [],
  rollouts: [],
  alerts: [],
  openAlerts: 0,
  eventsReadAt: null,
  fleet: { kind: 'unread' },
  pause: null,
  troubles: [],
  silences: [],
} as const satisfies Partial<HomeData>;

/** Admins come first, because they run Patchbay. */
function decidersOf({ roles: { admin, approver } }: ConfigurationFile): HomeData['deciders'] {
  return {
    people: [...new Set([...admin.people, ...approver.people])],
    userGroups: [...new Set([...admin.userGroups, ...approver.userGroups])],
  };
}

function fleetGlance({ devices, unlisted, asOf, partial, overdue }: Snapshot): FleetGlance {
  const isPartial = partial !== null;
  return { kind: 'counted', asOf, unlisted, partial: isPartial, overdue, ...countDevices(devices) };
}

/** A Home is updated this long after it was last opened. */
export const WATCHED_MS = 4 * HOUR;
/** The people who opened theirs last; others get a fresh one when they open it again. */
export const MAX_WATCHED = 100;
/** Changes come in bursts: waits this long for the rest of one. */
export const CALL_TIMEOUT_MS = SECOND;
/** Between two updates for one person. */
export const PUBLISH_INTERVAL_MS = 5 * SECOND;
/** Between two updates for anybody: `views.publish` is in tier 4, 100 a minute (docs.slack.dev rate limits). */
export const SPREAD_MS = SECOND;
/** Check without a known change: another process may have changed something, or the fleet. */
export const CHECK_INTERVAL_MS = 2 * MINUTE;
/** Failures in a row after which a person's Home is left alone until they open it again. */
export const MAX_FAILURES = 6;
const FIRST_BACKOFF_MS = 10 * SECOND;

export type HomeUpdates = Readonly<ReturnType<typeof createHomeUpdates>>;

type HomeUpdatesOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the facts and publishes. `asked`: the person waits, so it is published even if nothing changed. */
  readonly publish: (person: PersonId, asked: boolean) => Promise<SlackResult<unknown>>;
};

type WatchedHome = {
  readonly person: PersonId;
  openedAt: Instant;
  /** When it is checked next. */
  dueAt: Instant;
  endedAt: Instant | null;
  failures: number;
  isRequested: boolean;
  /** Until then an abandoned call may still take effect and restore an older state. */
  uncertainUntil: Instant | null;
  running: Promise<void> | null;
};

/**
 * Schedules whose Home is published when: at once for who opens it, and automatically for those who opened it lately,
 * bounded and coalesced. Publishes of one person run one after the other, each from facts read after the previous one
 * ended, so that no older state replaces a newer one.
 */
export function createHomeUpdates(options: HomeUpdatesOptions) {
  const { clock } = options;
  const watched = createWatchedHomes(clock);
  const { run, pausedUntil } = createPublishing(options, watched);
  let timer: Timer | null = null;
  /** No automatic update starts before this. */
  let turnAt = instant(0);
  let stopped = false;

  const arm = (): void => {
    timer?.cancel();
    const idle = watched.all().filter(({ running }) => running === null);
    const next = Math.min(...idle.map(({ dueAt }) => dueAt));
    timer =
      stopped || idle.length === 0 ? null : clock.at(instant(Math.max(next, turnAt, pausedUntil())), turn);
  };

  /** Updates the person who has waited longest, if anybody is due. */
  const turn = async (): Promise<void> => {
    const now = clock.now();
    watched.forgetOld();
    const [first] = watched
      .all()
      .filter(({ running, dueAt }) => running === null && dueAt <= now)
      .toSorted((a, b) => a.dueAt - b.dueAt);
    if (first !== undefined) {
      turnAt = later(now, SPREAD_MS);
      await run(first);
    }
    arm();
  };

  return {
    /** Somebody opened theirs. Resolves when it was published, or postponed because Slack has trouble. */
    async open(person: PersonId): Promise<void> {
      if (stopped) return;
      const one = watched.admit(person);
      if (clock.now() < pausedUntil()) {
        one.dueAt = instant(Math.min(one.dueAt, pausedUntil()));
        return arm();
      }
      // The publish in flight may have read its facts before this request: one more follows, shared by all who asked
      // meanwhile.
      if (one.running !== null) {
        await one.running;
        if (one.running !== null || !one.isRequested) return;
      }
      await run(one);
      arm();
    },
    changed(): void {
      const now = clock.now();
      for (const one of watched.all()) {
        const apart = one.endedAt === null ? now : later(one.endedAt, PUBLISH_INTERVAL_MS);
        soon(one, instant(Math.max(apart, later(now, CALL_TIMEOUT_MS))));
      }
      arm();
    },
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await Promise.all(watched.all().map(({ running }) => running));
    },
  };
}

/** Publishes one person's Home, and decides when it is due next. */
function createPublishing({ clock, log, publish }: HomeUpdatesOptions, watched: WatchedHomes) {
  /** Slack asked for a pause: nothing is published until then, not even for who opens theirs. */
  let pausedUntil = instant(0);

  const run = (one: WatchedHome): Promise<void> => {
    one.running = attempt(one).finally(() => {
      one.running = null;
    });
    return one.running;
  };

  const attempt = async (one: WatchedHome): Promise<void> => {
    const { isRequested } = one;
    one.isRequested = false;
    one.dueAt = instant(Number.MAX_SAFE_INTEGER);
    const ended = await publish(one.person, isRequested).catch(
      (error: unknown): SlackError => ({
        kind: 'uncertain',
        detail: error instanceof Error ? error.message : 'unknown',
        inFlight: false,
      }),
    );
    const now = clock.now();
    one.endedAt = now;
    if (ended.kind === 'ok') scheduleNext(one, now);
    else putOff(one, ended, isRequested);
  };

  const putOff = (one: WatchedHome, fault: SlackError, isRequested: boolean): void => {
    const { person } = one;
    one.failures += 1;
    one.isRequested ||= isRequested;
    const now = clock.now();
    log.warn(
      { event: 'home.unpublished', person, failures: one.failures, reason: slackErrorText(fault) },
      'could not publish a Home',
    );
    if (fault.kind === 'throttled') pausedUntil = later(now, fault.retryAfterMs);
    if (one.failures >= MAX_FAILURES) watched.forget(one);
    if (fault.kind === 'uncertain' && fault.inFlight) one.uncertainUntil = later(now, MINUTE);
    // A change during the attempt is no reason to retry sooner.
    one.dueAt = later(now, FIRST_BACKOFF_MS * 2 ** (one.failures - 1));
  };

  return { run, pausedUntil: () => pausedUntil };
}

/** After a publish: the next check, or another publish once an abandoned call can no longer replace this one. */
function scheduleNext(one: WatchedHome, now: Instant): void {
  one.failures = 0;
  soon(one, later(now, CHECK_INTERVAL_MS));
  if (one.uncertainUntil === null) return;
  if (one.uncertainUntil <= now) one.uncertainUntil = null;
  else {
    one.isRequested = true;
    soon(one, one.uncertainUntil);
  }
}

/** Moves the next check earlier, never later, and not into the pause after a failure. */
function soon(one: WatchedHome, at: Instant): void {
  if (one.failures > 0) return;
  one.dueAt = instant(Math.min(one.dueAt, at));
}

type WatchedHomes = ReturnType<typeof createWatchedHomes>;

function createWatchedHomes(clock: Clock) {
  const homes = new Map<PersonId, WatchedHome>();
  return {
    all: () => [...homes.values()],
    forget: ({ person }: WatchedHome) => homes.delete(person),
    forgetOld(): void {
      for (const { person, openedAt } of homes.values())
        if (clock.now() > later(openedAt, WATCHED_MS)) homes.delete(person);
    },
    admit(person: PersonId): WatchedHome {
      const now = clock.now();
      const known = homes.get(person);
      const one: WatchedHome = known ?? {
        person,
        openedAt: now,
        dueAt: now,
        endedAt: null,
        failures: 0,
        isRequested: true,
        uncertainUntil: null,
        running: null,
      };
      one.openedAt = now;
      one.isRequested = true;
      setNewest(homes, person, one, MAX_WATCHED);
      return one;
    },
  };
}
