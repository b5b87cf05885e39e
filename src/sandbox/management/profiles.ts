/**
 * Where the service as documented in 2021 and the live service differ: every difference stands in this table,
 * and nothing else asks which profile is served.
 */
import { MINUTE, SECOND } from '../../clock.ts';
import type { ManagementOptions } from '../contracts.ts';
import type { TimeForm } from './json/time.ts';

export type Profile = {
  /** `GET /servers/{id}`: the document's sample wraps the object in an array. */
  readonly singleDevice: 'object' | 'array';
  /** What `custom_name` is where none was set. */
  readonly unsetName: '' | null;
  /** List rows carry details, next patch time and deferral counts without being asked (until 2025-01-27). */
  readonly listDetails: boolean;
  /** List rows of a device that was never scanned have `policy_status: [null]` and `status: {}`. */
  readonly bareUnscannedRows: boolean;
  /** `server_policies` holds whole policies on the single read. */
  readonly serverPolicies: boolean;
  /** Fields that came after the document. */
  readonly newerFields: boolean;
  /** Unit of `uptime`; disputed, and found to be minutes by a live check. */
  readonly uptimeUnitMs: number;
  /** Rows of some packages lack fields. */
  readonly sparsePackages: boolean;
  /** `policies` of a group that has none. */
  readonly noPolicies: readonly number[] | null;
  /** `notification_id` in event data. */
  readonly notificationId: 'number' | 'uuid';
  readonly eventTime: TimeForm;
  readonly queueTime: TimeForm;
};

const PROFILES: Readonly<Record<NonNullable<ManagementOptions['profile']>, Profile>> = {
  documented: {
    singleDevice: 'array',
    unsetName: null,
    listDetails: true,
    bareUnscannedRows: false,
    serverPolicies: false,
    newerFields: false,
    uptimeUnitMs: SECOND,
    sparsePackages: false,
    noPolicies: [],
    notificationId: 'number',
    eventTime: 'microseconds',
    queueTime: 'milliseconds',
  },
  live: {
    singleDevice: 'object',
    unsetName: '',
    listDetails: false,
    bareUnscannedRows: true,
    serverPolicies: true,
    newerFields: true,
    uptimeUnitMs: MINUTE,
    sparsePackages: true,
    noPolicies: null,
    notificationId: 'uuid',
    eventTime: 'seconds',
    queueTime: 'offset',
  },
};

export function profileOf(name: ManagementOptions['profile'] = 'live'): Profile {
  return PROFILES[name];
}
