/** What is stored, for commands: settings of people, channels and alerts, and requests with their cards. */
import type { RecordsReader } from '../../commands/core/command.ts';
import {
  type AlertSettings,
  type ChannelFound,
  MAX_NAMES,
  type NamedLines,
  type SettingsPort,
} from '../../commands/core/settings-port.ts';
import { findZone } from '../../commands/timezone.ts';
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { type Clock, HOUR, type Instant, later } from '../../lib/clock.ts';
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import { withOfflineCounts } from '../../requests/decide/hold-rollout.ts';
import { createPauseSwitch, type PauseSwitchOptions } from '../../requests/decide/pause-switch.ts';
import type { AlertSettingChanges } from '../../store/port/alert-records.ts';
import type { StoredLineKind } from '../../store/port/settings-records.ts';
import type { Store } from '../../store/port/store.ts';
import { requestsWithTargets, requestWithTargets, withTargets } from '../../store/requests-with-targets.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

export type SettingsOptions = PauseSwitchOptions & {
  readonly alerts: AlertSettings;
  readonly web: Pick<SlackWeb, 'timeZone'>;
};

/** Used where neither the person nor Slack names a time zone. */
const NO_ZONE = 'UTC';

export function createSettingsPort(options: SettingsOptions): SettingsPort {
  const { store, web, clock } = options;
  const zoneInSlack = createTimeZoneCache(web, clock);

  const namedLinesOf = (kind: StoredLineKind): NamedLines => ({
    save: (line) =>
      store.transaction(async (tables) => {
        const at = clock.now();
        const saved = await tables.namedLines.put(kind, { ...line, at }, MAX_NAMES);
        // A shared alias changes what others run, so its author is recorded.
        if (saved === 'kept' && line.owner === null) {
          const detail = { line: line.line };
          await tables.audit.append({
            at,
            actor: line.by,
            action: `${kind}.shared`,
            subject: line.name,
            detail,
          });
        }
        return saved;
      }),
    remove: ({ owner, name, by }) =>
      store.transaction(async (tables) => {
        const removed = await tables.namedLines.remove(kind, owner, name);
        if (removed && owner === null) {
          const at = clock.now();
          await tables.audit.append({ at, actor: by, action: `${kind}.removed`, subject: name, detail: {} });
        }
        return removed;
      }),
    find: (person, name) => store.namedLines.find(kind, person, name),
    list: (person) => store.namedLines.list(kind, person),
  });

  const timezoneChoice: SettingsPort['people']['timezoneChoice'] = async (person) => {
    const zone = await store.people.timeZone(person);
    if (zone !== null) return { zone, timezoneChoice: true };
    return { zone: (await zoneInSlack(person)) ?? NO_ZONE, timezoneChoice: false };
  };

  return {
    aliases: namedLinesOf('alias'),
    saved: namedLinesOf('saved'),
    people: {
      timezoneChoice,
      timezone: async (person) => (await timezoneChoice(person)).zone,
      setTimezone: store.people.setTimeZone,
    },
    pause: createPauseSwitch(options),
    alerts: options.alerts,
    recordAcceptedRemovals: (by, missing) =>
      store.transaction(async (tables) => {
        const line = { actor: by, action: 'removals.accepted', subject: 'fleet', detail: { missing } };
        await tables.audit.append({ at: clock.now(), ...line });
      }),
  };
}

/** People travel, but not within the hour. */
const ZONE_TTL_MS = HOUR;
const MAX_CACHED_ZONES = 1_000;

/** Null where Slack has none that this runtime knows, or does not answer. */
export function createTimeZoneCache(web: Pick<SlackWeb, 'timeZone'>, clock: Clock) {
  const known = new Map<PersonId, { readonly zone: string | null; readonly until: Instant }>();
  return async (person: PersonId): Promise<string | null> => {
    const before = known.get(person);
    if (before !== undefined && clock.now() < before.until) return before.zone;
    const answer = await web.timeZone(person);
    if (answer.kind !== 'ok') return before?.zone ?? null;
    const found = answer.value === null ? null : findZone(answer.value);
    const zone = found?.kind === 'zone' ? found.zone : null;
    if (known.size >= MAX_CACHED_ZONES) known.clear();
    known.set(person, { zone, until: later(clock.now(), ZONE_TTL_MS) });
    return zone;
  };
}

type AlertSettingsOptions = {
  readonly store: Pick<Store, 'subscriptions' | 'silences' | 'alerts' | 'members'>;
  readonly changes: AlertSettingChanges;
  readonly web: Pick<SlackWeb, 'memberChannels' | 'privateChannelsWith' | 'openDirect'>;
  readonly readersOf: ChannelReadersOf;
  readonly channels: Pick<ConfigurationFile['channels'], 'patchAlerts' | 'newDevices'>;
};

export function createAlertSettings(options: AlertSettingsOptions): AlertSettings {
  const { store, web, readersOf, channels } = options;
  const { subscribe, unsubscribe, silence, unsilence, acknowledge } = options.changes;
  const asMember = async (channel: ChannelId): Promise<ChannelFound> => {
    const readers = await readersOf(channel);
    return readers === 'internal'
      ? { kind: 'member', channel }
      : { kind: 'external', channel, isKnown: readers === 'external' };
  };
  return {
    subscribe,
    unsubscribe,
    silence,
    unsilence,
    acknowledge,
    fixed: [
      { kind: 'patch-failed', channel: channels.patchAlerts },
      { kind: 'device-added', channel: channels.newDevices },
    ],
    subscriptions: store.subscriptions.open,
    silences: store.silences.open,
    list: store.alerts.list,
    shown: store.alerts.shown,
    ofEvent: store.alerts.ofEvent,
    members: store.members.list,
    async channel(typedName, asker): Promise<ChannelFound> {
      const found = await web.memberChannels();
      if (found.kind !== 'ok') return { kind: 'unread' };
      const foldedName = fold(typedName).replace(/^#/, '');
      const channel = found.value.find(
        ({ id, name }) => fold(id) === foldedName || fold(name) === foldedName,
      );
      if (channel === undefined) return { kind: 'stranger' };
      if (!channel.isPrivate) return asMember(channel.id);
      // People outside a private channel must not learn that it exists.
      const shared = await web.privateChannelsWith(asker);
      if (shared.kind !== 'ok') return { kind: 'unread' };
      return shared.value.some(({ id }) => id === channel.id) ? asMember(channel.id) : { kind: 'stranger' };
    },
    async direct(person) {
      const opened = await web.openDirect(person);
      return opened.kind === 'ok' ? opened.value : null;
    },
  };
}

export type RecordsOptions = {
  readonly store: Pick<Store, 'requests' | 'targets' | 'audit' | 'cards' | 'pause'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly ticketUrl?: string | undefined;
};

/** A reader of the store without its writes. */
export function createRecordsReader({ store, web, clock, ticketUrl }: RecordsOptions): RecordsReader {
  const tables = { ...store, ticketUrl };
  return {
    requests: async (filter, limit) => {
      const found = await requestsWithTargets(tables, filter, limit);
      return withOfflineCounts(store, found, clock.now());
    },
    request: (id) => requestWithTargets(tables, id, null),
    shownRequest: (id) => requestWithTargets(tables, id),
    targets: store.targets.of,
    async byRequestKey(requestKey) {
      const request = await store.requests.byRequestKey(requestKey);
      return request && withTargets(tables, request);
    },
    requestedSince: store.requests.requestedSince,
    audit: store.audit.latest,
    pause: store.pause.current,
    async cardLink(key) {
      const card = await store.cards.get(key);
      if (card === null || card.postedChannel === null || card.ts === null) return null;
      return web.permalink({ channel: card.postedChannel, ts: card.ts });
    },
  };
}
