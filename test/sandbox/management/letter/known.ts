/** Where the local service does not keep to the letter of the interface document, and what it follows instead. */
import type { ProfileName } from '../interface/row-types.ts';

export type KnownDisagreement = {
  readonly titles: readonly string[];
  readonly profiles: readonly ProfileName[];
  readonly lines: readonly string[];
  readonly source: string;
};

const BOTH: readonly ProfileName[] = ['documented', 'live'];
const LIVE: readonly ProfileName[] = ['live'];
const DEVICES = ['GET /servers', 'GET /servers/{id}'];

export const KNOWN: readonly KnownDisagreement[] = [
  {
    titles: DEVICES,
    profiles: BOTH,
    lines: ['next_patch_time is null'],
    source: 'servers-list-2022.json; of a device that no patch policy is for',
  },
  {
    titles: DEVICES,
    profiles: BOTH,
    lines: ['last_refresh_time is null'],
    source: 'assumed of a device before its first scan: no recording shows one',
  },
  {
    titles: DEVICES,
    profiles: LIVE,
    lines: ['last_update_time is null', 'uptime is null'],
    source: 'servers-list-2022.json; assumed of the uptime of a device before its first scan',
  },
  {
    titles: ['GET /servers'],
    profiles: LIVE,
    lines: ['detail is empty', 'status is empty'],
    source:
      'the example without details of openapi-defs, 2025 (profiles.ts, listDetails and bareUnscannedRows)',
  },
  {
    titles: ['GET /servers/{id}'],
    profiles: LIVE,
    lines: ['detail.LAST_USER_LOGON is empty'],
    source: 'servers-list-2022.json (profiles.ts, emptyLogon)',
  },
  {
    titles: ['GET /servers/{id}'],
    profiles: LIVE,
    lines: ['detail.LAST_USER_LOGON.TIME is not of the form YYYY-MM-DDThh:mm:ss+0000'],
    source: 'the example with details of openapi-defs, 2025 (profiles.ts, logonTime)',
  },
  {
    titles: ['GET /servers/{id}/packages'],
    profiles: LIVE,
    lines: ['display_name is missing'],
    source: 'packages-2026.json (profiles.ts, sparsePackages)',
  },
  {
    titles: ['GET /servers/{id}/queues'],
    profiles: LIVE,
    lines: ['exec_time is not of the form YYYY-MM-DDThh:mm:ss.fffZ'],
    source: 'queue-2026.json (profiles.ts, queueTime)',
  },
  {
    titles: ['GET /servers/{id}/queues'],
    profiles: LIVE,
    lines: ['policy_id is null'],
    source: 'Google SecOps, marketplace integration Automox: sample result of Execute Device Command',
  },
  {
    titles: ['GET /events'],
    profiles: BOTH,
    lines: ['data is null'],
    source: 'management API in practice, 4',
  },
  {
    titles: ['GET /events'],
    profiles: LIVE,
    lines: ['create_time is not of the form YYYY-MM-DD hh:mm:ss.ffffff'],
    source: 'Event of openapi-defs, 2025 (profiles.ts, eventTime)',
  },
  {
    titles: ['POST /policies/device-filters-preview'],
    profiles: LIVE,
    lines: ['ip_addr is missing', 'ip_addrs_prviate is missing'],
    source: 'PolicyDeviceFiltersOutput of openapi-defs, 2025 (profiles.ts, previewAddresses)',
  },
];
