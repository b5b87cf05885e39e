/** What a change of a device, a group or a policy may set (§4.1, §4.4, §4.10). */
import { z } from 'zod';
import {
  groupField,
  nullableFlag,
  nullableText,
  policyField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { POLICY_SETTING_NAMES, type PolicySettingName, policySettings } from './policy.ts';

const texts = z.array(z.string());

export const newGroup = z.object({
  name: z.string(),
  /** 360 to 1440 (documented), 240 to 1440 (live). */
  refreshIntervalMinutes: wholeNumber,
  /** The Default Group's id makes it top-level. */
  parentId: groupField,
  /** `#RRGGBB`, or one of the nine names of `derived-fields.ts`. */
  color: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  /** Null keeps the devices' own setting. */
  osAutoUpdate: nullableFlag.exactOptional(),
  /** True forces WSUS, false the Windows update service, null keeps the setting; `server` is `http://HOST:PORT`. */
  wsus: z.object({ enabled: nullableFlag, server: z.string().exactOptional() }).exactOptional(),
  policyIds: z.array(policyField).exactOptional(),
});
export type NewGroup = Stored<typeof newGroup>;
export type GroupField = keyof NewGroup;

const { name, refreshIntervalMinutes, parentId } = newGroup.shape;
/** Only the fields present change. `wsus` without a server keeps the one that is set while WSUS stays forced. */
export const groupChange = newGroup.extend({
  name: name.exactOptional(),
  refreshIntervalMinutes: refreshIntervalMinutes.exactOptional(),
  parentId: parentId.exactOptional(),
});
export type GroupChange = Stored<typeof groupChange>;

const tagChange = z.object({ add: texts, remove: texts });
export type TagChange = Stored<typeof tagChange>;

/** Absent fields are read and sent again: what an omitted one does is not documented (§4.4). */
export const deviceChange = z.object({
  groupId: groupField.exactOptional(),
  exception: z.boolean().exactOptional(),
  /** Null removes it. */
  customName: nullableText.exactOptional(),
  /** The whole list. */
  tags: texts.exactOptional(),
  /** Added to and removed from the list as it is when the change is made; `tags` wins over it. */
  retag: tagChange.exactOptional(),
  addresses: texts.exactOptional(),
});
export type DeviceChange = Stored<typeof deviceChange>;
/** Both ways to change the tags change one field. */
export type DeviceField = Exclude<keyof DeviceChange, 'retag'>;

/** Only the fields present change. Every other key of the policy and of its configuration is sent back as it was read. */
export const policyChange = z.object({
  name: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  /** The whole list. */
  groupIds: z.array(groupField).exactOptional(),
  /** Bit masks as in the policy's schedule. */
  days: wholeNumber.exactOptional(),
  weeksOfMonth: wholeNumber.exactOptional(),
  months: wholeNumber.exactOptional(),
  /** `HH:MM` */
  time: z.string().exactOptional(),
  /** `device`, or an offset such as `UTC+0100`. */
  timezone: z.string().exactOptional(),
  settings: policySettings.exactOptional(),
});
export type PolicyChange = Stored<typeof policyChange>;
/** A new policy installs patches: of these severities, or all where it names none. Scripts are not written in Slack. */
export const newPolicy = policyChange.extend({ name: z.string(), severities: texts });
export type NewPolicy = Stored<typeof newPolicy>;
/** `configuration`: the rest of it, which no edit sets, but which may read differently afterwards. */
export type PolicyField = Exclude<keyof NewPolicy, 'settings'> | PolicySettingName | 'configuration';

/** Any field that an edit of a device, a group or a policy may change. */
export const editedField = z.union([
  deviceChange.omit({ retag: true }).keyof(),
  newGroup.keyof(),
  newPolicy.omit({ settings: true }).keyof(),
  z.enum([...POLICY_SETTING_NAMES, 'configuration']),
]);
export type EditedField = Stored<typeof editedField>;

const hiddenField = z.enum([
  'device-group',
  'device-exception',
  'device-tags',
  'device-name',
  'group-name',
  'group-refresh-interval',
  'group-parent',
  'policy-configuration',
]);
export type HiddenField = Stored<typeof hiddenField>;

/** Why a change cannot be sent: found before anything was sent. Texts that people typed are cut. */
export const changeFault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nothing-named'), what: z.enum(['change', 'package', 'tag']) }),
  z.object({ kind: z.literal('package-name'), name: z.string() }),
  z.object({ kind: z.literal('tag-both-ways'), tag: z.string() }),
  z.object({ kind: z.literal('no-address'), address: z.string() }),
  z.object({
    kind: z.enum(['blank-tag', 'blank-group-name', 'group-color', 'wsus-not-forced', 'wsus-address']),
  }),
  z.object({ kind: z.enum(['group-below-itself', 'default-group', 'no-more-batches']) }),
  z.object({ kind: z.literal('refresh-interval'), least: z.number(), most: z.number() }),
  /** The service would not take the value. */
  z.object({ kind: z.literal('policy-field'), field: editedField }),
  /** The service does not show it, so that sending the rest could remove it. */
  z.object({ kind: z.literal('not-shown'), what: hiddenField }),
]);
export type ChangeFault = Stored<typeof changeFault>;

/** Of a text that somebody typed. */
export const MAX_FAULT_TEXT = 80;
