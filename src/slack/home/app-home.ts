/** The app's Home: published for the person who opens it, updated for a while, and its buttons. */
import { z } from 'zod';
import type { SharedPorts } from '../../commands/core/command.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { countDevices } from '../../inventory/device-counts.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { ResolvedRole } from '../../lib/access.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import { alertId, cardKey, channelId, type PersonId, personId, readCardKey } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { withOfflineCounts } from '../../requests/decide/waits-offline.ts';
import type { CardKey, CardRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets } from '../../store/requests-with-targets.ts';
import {
  type FleetGlance,
  type HomeData,
  type HomeRole,
  homeView,
  linkedCards,
  MAX_READ_ROWS,
  RECENT_MS,
  type RoleGranters,
} from '../../views/home/home-model.ts';
import { simplifiedHome } from '../../views/home/home-plain.ts';
import { type HomeTab, renderHome } from '../../views/home/home-tab.ts';
import { roleSeesPersonal } from '../access/personal-data.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { OpenForm } from '../forms/open-form.ts';
import type { DirectChannels } from '../replies/direct-channels.ts';
import type { CommandSource, SendReply } from '../replies/private-replies.ts';
import { isWindowRefused, type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';
import { createHomeActions, type HomeActions, type HomeActionsOptions } from './home-actions.ts';
import { createHomeUpdates, type HomeUpdates } from './home-updates.ts';

const openedSchema = z.object({
  user: z.string().transform(personId),
  channel: z.string().transform(channelId),
  tab: z.string(),
});

export type AppHome = HomeActions &
  Pick<HomeUpdates, 'changed' | 'stop'> & {
    /** Listener of `app_home_opened`. */
    readonly opened: (payload: unknown) => Promise<void>;
  };

export type AppHomeOptions = Omit<HomeDataOptions, 'store' | 'onFleet'> & {
  readonly store: HomeDataOptions['store'] & Pick<Store, 'cards'>;
  readonly web: SlackWeb;
  readonly actions: HomeActionsOptions['actions'];
  readonly openForm: OpenForm;
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
export function createCardLinkCache(
  store: Pick<Store, 'cards' | 'deliveries'>,
  web: Pick<SlackWeb, 'permalink'>,
) {
  const cache = new Map<string, string>();

  const linkTo = async (key: CardKey): Promise<string | null> => {
    const card = (await store.cards.get(key)) ?? (await sharedCard(store, key));
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

/** The card of an alert that was added to the card of an earlier one. */
async function sharedCard(
  store: Pick<Store, 'cards' | 'deliveries'>,
  key: CardKey,
): Promise<CardRecord | null> {
  const { kind, id } = readCardKey(key);
  if (kind !== 'alert') return null;
  for (const { card } of await store.deliveries.of(alertId(id))) {
    const found = card === null ? null : await store.cards.get(cardKey('alert', card));
    if (found !== null) return found;
  }
  return null;
}

/**
 * Returns the outcome of the last attempt. The same blocks would be refused again, so the second attempt uses the
 * simple form.
 */
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
  readonly store: Pick<Store, 'requests' | 'targets' | 'deliveries' | 'pause'>;
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
  const deciders = roleGranters(configuration);

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
    const since = later(asOf, -RECENT_MS);
    const answered = await people.roleOf(person);
    const role = homeRole(answered);
    const known = { person, role, root, asOf, deciders, channels };
    // People without access cost no further reads.
    if (role === 'none' || role === 'unknown') return { ...known, ...NO_COUNTS };
    const personal = roleSeesPersonal(answered, configuration.personal);
    const [waiting, requests, rollouts, failures, fleet, { troubles, events, silences }, pause] =
      await Promise.all([
        requestsWithTargets(tables, { states: ['waiting'], oldestFirst: true }, MAX_READ_ROWS),
        requestsWithTargets(tables, { requesterId: person }, MAX_READ_ROWS),
        requestsWithTargets(tables, { states: ['approved', 'running'], inWaves: true }, MAX_READ_ROWS),
        store.deliveries.shown({ of: 'all', kind: 'patch-failed', since }, { limit: MAX_READ_ROWS, skip: 0 }),
        readFleet(),
        ports.health(),
        store.pause.current(),
      ]);
    const counted = await withOfflineCounts(store, [...requests, ...rollouts], asOf);
    const own = { requests: counted.slice(0, requests.length), rollouts: counted.slice(requests.length) };
    const failed = { failures: failures.rows, eventsReadAt: events.lastSuccess };
    return { ...known, ...own, ...failed, personal, waiting, fleet, troubles, silences, pause };
  };
}

/** The certain role; unknown when there is none and an unread user group might give one. */
function homeRole({ role, maybe }: ResolvedRole): HomeRole {
  return role ?? (maybe === null ? 'none' : 'unknown');
}

const NO_COUNTS = {
  personal: false,
  waiting: [],
  requests: [],
  rollouts: [],
  failures: [],
  eventsReadAt: null,
  fleet: { kind: 'unread' },
  pause: null,
  troubles: [],
  silences: [],
} as const satisfies Partial<HomeData>;

/** Admins come first, because they run Patchbay. */
function roleGranters({ roles: { admin, approver } }: ConfigurationFile): RoleGranters {
  return {
    people: [...new Set([...admin.people, ...approver.people])],
    userGroups: [...new Set([...admin.userGroups, ...approver.userGroups])],
  };
}

function fleetGlance({ devices, unlisted, asOf, partial, overdue }: Snapshot): FleetGlance {
  const isPartial = partial !== null;
  return { kind: 'counted', asOf, unlisted, partial: isPartial, overdue, ...countDevices(devices) };
}
