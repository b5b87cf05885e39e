/** What Patchbay remembers of people's and channels' wishes, as settings commands see it: one part per kind of wish. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { PauseControl } from '../../requests/decide/pause-switch.ts';
import type {
  AlertSettingChanges,
  AlertStore,
  MemberStore,
  SilenceRecord,
  SubscriptionRecord,
} from '../../store/port/alert-records.ts';
import type { NamedLine } from '../../store/port/settings-records.ts';
import type { ConfiguredRoute } from '../../views/models/problem-model.ts';

export type SettingsPort = {
  readonly aliases: NamedLines;
  readonly saved: NamedLines;
  readonly people: PeopleSettings;
  readonly pause: PauseControl;
  readonly alerts: AlertSettings;
  /** Writes into the audit trail that lists may lack so many devices, groups or policies. */
  readonly recordAcceptedRemovals: (by: PersonId, missing: number) => Promise<void>;
};

/** Lines with names, each of one person or (owner null) of everybody. */
export type NamedLines = {
  readonly save: (named: Omit<NamedLine, 'at'>) => Promise<'kept' | 'full'>;
  /** False: there was none. */
  readonly remove: (named: Pick<NamedLine, 'owner' | 'name' | 'by'>) => Promise<boolean>;
  /** The person's own one before everybody's. */
  readonly find: (person: PersonId, name: string) => Promise<NamedLine | null>;
  readonly list: (person: PersonId) => Promise<readonly NamedLine[]>;
};

type PeopleSettings = {
  /** IANA name: what the person chose, else what Slack says, else UTC. */
  readonly timezone: (person: PersonId) => Promise<string>;
  readonly timezoneChoice: (
    person: PersonId,
  ) => Promise<{ readonly zone: string; readonly timezoneChoice: boolean }>;
  /** Null: as if nothing had been chosen. */
  readonly setTimezone: (person: PersonId, zone: string | null) => Promise<void>;
};

/** How many names one person may keep of a kind, and as many are everybody's. Our own limit: a list that is read. */
export const MAX_NAMES = 50;

export type AlertSettings = AlertSettingChanges & {
  /** Those of the configuration file. */
  readonly fixed: readonly ConfiguredRoute[];
  /** Those that are not ended, by number. */
  readonly subscriptions: () => Promise<readonly SubscriptionRecord[]>;
  readonly silences: () => Promise<readonly SilenceRecord[]>;
  readonly list: AlertStore['list'];
  readonly shown: AlertStore['shown'];
  readonly ofEvent: AlertStore['ofEvent'];
  readonly members: MemberStore['list'];
  /** By id or name: one that the bot is a member of, and a private one only where the asker is, too. */
  readonly channel: (given: string, asker: PersonId) => Promise<ChannelFound>;
  /** The direct message with this person; null: Slack did not open it. */
  readonly direct: (person: PersonId) => Promise<ChannelId | null>;
};

export type ChannelFound =
  | { readonly kind: 'member'; readonly channel: ChannelId }
  | { readonly kind: 'stranger' }
  /** Another organization reads it; `isKnown` false: Slack did not say whether one does. */
  | { readonly kind: 'external'; readonly channel: ChannelId; readonly isKnown: boolean }
  /** Slack did not say. */
  | { readonly kind: 'unread' };
