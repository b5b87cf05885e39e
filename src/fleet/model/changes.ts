/** What a change of a device, a group or a policy may set (§4.1, §4.4, §4.10): types only. */
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { PolicySettingName, PolicySettings } from './policy-settings.ts';

export type NewGroup = {
  readonly name: string;
  /** 360 to 1440 (documented), 240 to 1440 (live). */
  readonly refreshIntervalMinutes: number;
  /** The Default Group's id makes it top-level. */
  readonly parentId: GroupId;
  /** `#RRGGBB`, or one of the nine names of `colors.ts`. */
  readonly color?: string;
  readonly notes?: string;
  /** Null keeps the devices' own setting. */
  readonly osAutoUpdate?: boolean | null;
  /** True forces WSUS, false the Windows update service, null keeps the setting; `server` is `http://HOST:PORT`. */
  readonly wsus?: { readonly enabled: boolean | null; readonly server?: string };
  readonly policyIds?: readonly PolicyId[];
};
export type GroupField = keyof NewGroup;
/** Only the fields present change. `wsus` without a server keeps the one that is set while WSUS stays forced. */
export type GroupChange = Partial<NewGroup>;

/**
 * Only the fields present change. The others are read and sent again, because the document does not say what an
 * omitted field does (§4.4).
 */
export type DeviceChange = {
  readonly groupId?: GroupId;
  readonly exception?: boolean;
  /** Null removes it. */
  readonly customName?: string | null;
  /** The whole list. */
  readonly tags?: readonly string[];
  /** Added to and removed from the list as it is when the change is made; `tags` wins over it. */
  readonly retag?: TagChange;
  readonly addresses?: readonly string[];
};
/** Both ways to change the tags change one field. */
export type DeviceField = Exclude<keyof DeviceChange, 'retag'>;
/** Any field that an edit of a device, a group or a policy may change. */
export type EditedField = DeviceField | GroupField | PolicyField;

export type TagChange = { readonly add: readonly string[]; readonly remove: readonly string[] };
/** Only the fields present change. Every other key of the policy and of its configuration is sent back as it was read. */
export type PolicyChange = {
  readonly name?: string;
  readonly notes?: string;
  /** The whole list. */
  readonly groupIds?: readonly GroupId[];
  /** Bit masks as in the policy's schedule. */
  readonly days?: number;
  readonly weeksOfMonth?: number;
  readonly months?: number;
  /** `HH:MM` */
  readonly time?: string;
  /** `device`, or an offset such as `UTC+0100`. */
  readonly timezone?: string;
  readonly settings?: PolicySettings;
};
/** A new policy installs patches: of these severities, or all where it names none. Scripts are not written in Slack. */
export type NewPolicy = PolicyChange & { readonly name: string; readonly severities: readonly string[] };
/** `configuration`: the rest of it, which no edit sets, but which may read differently afterwards. */
export type PolicyField = Exclude<keyof NewPolicy, 'settings'> | PolicySettingName | 'configuration';
