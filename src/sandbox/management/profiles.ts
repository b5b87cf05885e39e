/**
 * Differences between the documented service and the live one. Every difference is a row of this table, and no other
 * code asks for the profile. What the document does not show is as observed, in both profiles.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';
import type { ManagementOptions } from '../contracts/services.ts';
import type { TimeForm } from './endpoints/time-formats.ts';

export type ProfileName = NonNullable<ManagementOptions['profile']>;

/** Field names of a device's addresses in a row of a preview. */
type AddressNames =
  /** Public as text, private as a list; the misspelling is the document's. */
  | { readonly public: 'ip_addr'; readonly private: 'ip_addrs_prviate' }
  /** Both as lists. */
  | { readonly public: 'ip_addrs'; readonly private: 'ip_addrs_private' };

function difference<T>(documented: T, live: T): Readonly<Record<ProfileName, T>> {
  return { documented, live };
}

const liveOnly = difference(false, true);

/** With §n of the document, or the section of the notes on the live service, "in practice n". */
export const PROFILE_DIFFERENCES = {
  /** What GET /servers/{id} answers: the device, or a list with the device in it (§4.6; in practice 1). */
  singleDevice: difference<'object' | 'array'>('array', 'object'),
  /** What custom_name of a device is where none was set (§2.2; in practice 1). */
  unsetName: difference<'' | null>(null, ''),
  /**
   * Whether list rows carry details, next patch time and deferral counts without being asked (§2.2; in practice
   * 3.3).
   */
  listDetails: difference(true, false),
  /**
   * Whether include_details, include_server_events, include_next_patch_time and exclude_policy_status have an
   * effect (§4.5; in practice 3.3).
   */
  listSwitches: liveOnly,
  /**
   * Whether never scanned devices have null as last_update_time and uptime, and in lists [null] as
   * policy_status and {} as status (§2.5; in practice 3.3).
   */
  bareUnscannedRows: liveOnly,
  /** Whether server_policies holds whole policies on the single read (§2.2; in practice 1). */
  serverPolicies: liveOnly,
  /**
   * Whether devices, groups, policy statuses and packages have fields that came after the document (§2.2, §2.4,
   * §2.6; in practice 5).
   */
  newerFields: liveOnly,
  /**
   * The unit of uptime in milliseconds: seconds or minutes (§2.2; in practice 5.1). Disputed; minutes according
   * to a live check against known boot times.
   */
  uptimeUnitMs: difference<number>(SECOND, MINUTE),
  /** Whether rows of some packages lack display_name (§2.6; in practice 5.2). */
  sparsePackages: liveOnly,
  /** What cves is in a missing package that has none (§2.6; in practice 5.2). */
  noCves: difference<readonly string[] | null>(null, []),
  /**
   * How LAST_USER_LOGON.TIME is written: with an offset, or as the agent of each system writes it, mostly by
   * the clock of the device (§2.3; in practice 5.1).
   */
  logonTime: difference<'offset' | 'agent'>('offset', 'agent'),
  /** Whether LAST_USER_LOGON is {} where nobody ever logged on (§2.3; in practice 5.1). */
  emptyLogon: liveOnly,
  /** The kind of notification_id in the data of an event (§6; in practice 1, 4). */
  notificationId: difference<'number' | 'uuid'>('number', 'uuid'),
  /** The form of create_time in events (§2.8; in practice 3.4). */
  eventTime: difference<TimeForm>('microseconds', 'seconds'),
  /** The form of exec_time in the queue (§2.7; in practice 6). */
  queueTime: difference<TimeForm>('milliseconds', 'offset'),
  /**
   * What response is in an answered entry of the queue: text, or a list of exit code, output and rest (of a
   * policy an object) (§2.7; in practice 6).
   */
  queueResponse: difference<'text' | 'list'>('text', 'list'),
  /**
   * Whether command_id is always null, reboot always a boolean and policy_id always a number; else only a scan
   * has no command_id, only a reboot and a policy have a policy_id, and reboot is 0 where it is not true (§2.7;
   * in practice 1, 6).
   */
  plainCommandFields: difference(true, false),
  /** The least refresh_interval that a group may have, in minutes (§2.1, §8; in practice 1). */
  leastRefreshMinutes: difference<number>(360, 240),
  /**
   * How the operator of a device filter that leaves values out is spelled; the other spelling is refused (§2.9;
   * in practice 1, 8).
   */
  notInOperator: difference<'not in' | 'not_in'>('not in', 'not_in'),
  /**
   * Whether each field of a device filter has operators of its own, or takes every operator (§2.9; in practice
   * 8).
   */
  filterOperators: difference<'by field' | 'any'>('by field', 'any'),
  /** Fields of device filters that came after the document (§2.9; in practice 1). */
  newerFilterFields: difference<readonly string[]>([], ['organizational_unit', 'serial_number']),
  /** How the addresses in a row of a preview are called (§4.2; in practice 1). */
  previewAddresses: difference<AddressNames>(
    { public: 'ip_addr', private: 'ip_addrs_prviate' },
    { public: 'ip_addrs', private: 'ip_addrs_private' },
  ),
  /** The status that refuses a preview without server_groups (§4.2; in practice 8). */
  previewWithoutGroups: difference<400 | 500>(400, 500),
  /** Whether every endpoint assumes the organization of the key where `o` is missing (§5; in practice 2.5). */
  assumedOrganization: liveOnly,
  /** Whether POST /policies/{id}/action is there (§4; in practice 6). */
  policyActions: liveOnly,
  /** Whether POST /servers/batch is there (§4; in practice 7). */
  batch: liveOnly,
  /** Whether GET /orgs/{id}/packages is there (§4.7; in practice 5.2, 9). */
  fleetPackages: liveOnly,
  /** Whether every answer counts the requests in x-ratelimit-… headers (§8; in practice 2.3). */
  rateHeaders: liveOnly,
} as const;

type ProfileDifferences = typeof PROFILE_DIFFERENCES;

/** One value per row of the table. */
export type Profile = { readonly [Id in keyof ProfileDifferences]: ProfileDifferences[Id][ProfileName] };

/** The profile's column of the table; `live` by default. */
export function profileOf(name: ProfileName = 'live'): Profile {
  const column = Object.entries(PROFILE_DIFFERENCES).map(([id, difference]) => [id, difference[name]]);
  // Object.entries loses which value belongs to which id.
  return Object.fromEntries(column) as Profile;
}
