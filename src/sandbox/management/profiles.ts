/**
 * Differences between the documented service and the live one. Every difference is a row of this table, and no other
 * code asks for the profile. What the document does not show is as observed, in both profiles.
 */
import { MINUTE, SECOND } from '../../lib/clock.ts';
import type { ManagementOptions } from '../contracts/services.ts';
import type { TimeForm } from './endpoints/time-formats.ts';

export type ProfileName = NonNullable<ManagementOptions['profile']>;

type ProfileDifference<T> = {
  readonly about: string;
  readonly documented: T;
  readonly live: T;
  /** §n of the document; "in practice n" is a section of the notes on the live service. */
  readonly source: string;
};

/** Field names of a device's addresses in a row of a preview. */
type AddressNames =
  /** Public as text, private as a list; the misspelling is the document's. */
  | { readonly public: 'ip_addr'; readonly private: 'ip_addrs_prviate' }
  /** Both as lists. */
  | { readonly public: 'ip_addrs'; readonly private: 'ip_addrs_private' };

function profileDifference<T>(difference: ProfileDifference<T>): ProfileDifference<T> {
  return difference;
}

export const PROFILE_DIFFERENCES = {
  singleDevice: profileDifference<'object' | 'array'>({
    about: 'what GET /servers/{id} answers: the device, or a list with the device in it',
    documented: 'array',
    live: 'object',
    source: '§4.6; in practice 1',
  }),
  uuidPaths: profileDifference({
    about: 'whether a path names a device by its UUID too',
    documented: false,
    live: true,
    source: '§4.6; in practice 3.2',
  }),
  unsetName: profileDifference<'' | null>({
    about: 'what custom_name of a device is where none was set',
    documented: null,
    live: '',
    source: '§2.2; in practice 1',
  }),
  listDetails: profileDifference({
    about: 'whether list rows carry details, next patch time and deferral counts without being asked',
    documented: true,
    live: false,
    source: '§2.2; in practice 3.3',
  }),
  listSwitches: profileDifference({
    about:
      'whether include_details, include_server_events, include_next_patch_time and exclude_policy_status have an effect',
    documented: false,
    live: true,
    source: '§4.5; in practice 3.3',
  }),
  bareUnscannedRows: profileDifference({
    about:
      'whether never scanned devices have null as last_update_time and uptime, and in lists [null] as policy_status and {} as status',
    documented: false,
    live: true,
    source: '§2.5; in practice 3.3',
  }),
  serverPolicies: profileDifference({
    about: 'whether server_policies holds whole policies on the single read',
    documented: false,
    live: true,
    source: '§2.2; in practice 1',
  }),
  newerFields: profileDifference({
    about: 'whether devices, groups, policy statuses and packages have fields that came after the document',
    documented: false,
    live: true,
    source: '§2.2, §2.4, §2.6; in practice 5',
  }),
  // Disputed; minutes according to a live check against known boot times.
  uptimeUnitMs: profileDifference<number>({
    about: 'the unit of uptime in milliseconds: seconds or minutes',
    documented: SECOND,
    live: MINUTE,
    source: '§2.2; in practice 5.1',
  }),
  sparsePackages: profileDifference({
    about: 'whether rows of some packages lack display_name',
    documented: false,
    live: true,
    source: '§2.6; in practice 5.2',
  }),
  noCves: profileDifference<readonly string[] | null>({
    about: 'what cves is in a missing package that has none',
    documented: null,
    live: [],
    source: '§2.6; in practice 5.2',
  }),
  logonTime: profileDifference<'offset' | 'agent'>({
    about:
      'how LAST_USER_LOGON.TIME is written: with an offset, or as the agent of each system writes it, mostly by the clock of the device',
    documented: 'offset',
    live: 'agent',
    source: '§2.3; in practice 5.1',
  }),
  emptyLogon: profileDifference({
    about: 'whether LAST_USER_LOGON is {} where nobody ever logged on',
    documented: false,
    live: true,
    source: '§2.3; in practice 5.1',
  }),
  notificationId: profileDifference<'number' | 'uuid'>({
    about: 'the kind of notification_id in the data of an event',
    documented: 'number',
    live: 'uuid',
    source: '§6; in practice 1, 4',
  }),
  eventTime: profileDifference<TimeForm>({
    about: 'the form of create_time in events',
    documented: 'microseconds',
    live: 'seconds',
    source: '§2.8; in practice 3.4',
  }),
  queueTime: profileDifference<TimeForm>({
    about: 'the form of exec_time in the queue',
    documented: 'milliseconds',
    live: 'offset',
    source: '§2.7; in practice 6',
  }),
  queueResponse: profileDifference<'text' | 'list'>({
    about:
      'what response is in an answered entry of the queue: text, or a list of exit code, output and rest (of a policy an object)',
    documented: 'text',
    live: 'list',
    source: '§2.7; in practice 6',
  }),
  plainCommandFields: profileDifference({
    about:
      'whether command_id is always null, reboot always a boolean and policy_id always a number; else only a scan has no command_id, only a reboot and a policy have a policy_id, and reboot is 0 where it is not true',
    documented: true,
    live: false,
    source: '§2.7; in practice 1, 6',
  }),
  leastRefreshMinutes: profileDifference<number>({
    about: 'the least refresh_interval that a group may have, in minutes',
    documented: 360,
    live: 240,
    source: '§2.1, §8; in practice 1',
  }),
  notInOperator: profileDifference<'not in' | 'not_in'>({
    about:
      'how the operator of a device filter that leaves values out is spelled; the other spelling is refused',
    documented: 'not in',
    live: 'not_in',
    source: '§2.9; in practice 1, 8',
  }),
  filterOperators: profileDifference<'by field' | 'any'>({
    about: 'whether each field of a device filter has operators of its own, or takes every operator',
    documented: 'by field',
    live: 'any',
    source: '§2.9; in practice 8',
  }),
  newerFilterFields: profileDifference<readonly string[]>({
    about: 'fields of device filters that came after the document',
    documented: [],
    live: ['organizational_unit', 'serial_number'],
    source: '§2.9; in practice 1',
  }),
  previewAddresses: profileDifference<AddressNames>({
    about: 'how the addresses in a row of a preview are called',
    documented: { public: 'ip_addr', private: 'ip_addrs_prviate' },
    live: { public: 'ip_addrs', private: 'ip_addrs_private' },
    source: '§4.2; in practice 1',
  }),
  previewWithoutGroups: profileDifference<400 | 500>({
    about: 'the status that refuses a preview without server_groups',
    documented: 400,
    live: 500,
    source: '§4.2; in practice 8',
  }),
  assumedOrganization: profileDifference({
    about: 'whether every endpoint assumes the organization of the key where `o` is missing',
    documented: false,
    live: true,
    source: '§5; in practice 2.5',
  }),
  policyActions: profileDifference({
    about: 'whether POST /policies/{id}/action is there',
    documented: false,
    live: true,
    source: '§4; in practice 6',
  }),
  policyStats: profileDifference({
    about: 'whether GET /policystats is there',
    documented: false,
    live: true,
    source: '§4; in practice 9',
  }),
  batch: profileDifference({
    about: 'whether POST /servers/batch is there',
    documented: false,
    live: true,
    source: '§4; in practice 7',
  }),
  fleetPackages: profileDifference({
    about: 'whether GET /orgs/{id}/packages is there',
    documented: false,
    live: true,
    source: '§4.7; in practice 5.2, 9',
  }),
  newerServices: profileDifference({
    about: 'whether newer services stand under /global, closed to the key of one organization',
    documented: false,
    live: true,
    source: '§4; in practice 2.1, 2.5',
  }),
  rateHeaders: profileDifference({
    about: 'whether every answer counts the requests in x-ratelimit-… headers',
    documented: false,
    live: true,
    source: '§8; in practice 2.3',
  }),
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
