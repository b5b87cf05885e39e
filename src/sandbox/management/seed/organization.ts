/** The organization itself and its people. */
import { instant } from '../../../lib/clock.ts';
import type { WorldGroup, WorldPolicy, WorldSchedule } from '../world/model.ts';

export const ORGANIZATION_ID = 102_270;

/** When the organization was set up. */
const CREATED_AT = instant(Date.parse('2022-04-29T01:30:09Z'));

/** The key opens nothing; a client must still treat it as a secret. */
export const SEEDED_ORGANIZATION = {
  name: 'Example Corporation',
  uuid: '5f0c2a4e-6d1b-4b8e-a3f7-9c2d1e0b4a68',
  createTime: CREATED_AT,
  accessKey: 'sandbox-access-key-not-for-chat',
} as const;

type ConsoleUser = {
  readonly id: number;
  readonly email: string;
  readonly firstname: string | null;
  readonly lastname: string | null;
};

/** Users of the organization's console, by their ids there. An invited one has no name yet. */
export const CONSOLE_USERS: readonly ConsoleUser[] = [
  { id: 701, email: 'ada@example.com', firstname: 'Ada', lastname: 'Kowalska' },
  { id: 702, email: 'ben@example.com', firstname: 'Ben', lastname: 'Okafor' },
  { id: 703, email: 'chi@example.com', firstname: 'Chi', lastname: 'Nguyen' },
  { id: 704, email: 'night-shift@example.com', firstname: null, lastname: null },
];

const POLICY_IDS = {
  allPatches: 2_101,
  criticalPatches: 2_102,
  smbWorklet: 2_103,
  vpnRequired: 2_104,
} as const;

/** Every night: Monday to Sunday, in every week and month. */
const NIGHTLY: WorldSchedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00', timezone: null };
/** Runs only by hand. */
const NEVER: WorldSchedule = { days: 0, weeksOfMonth: 0, months: 0, time: '00:00', timezone: null };

const patching = { type: 'patch', notes: '', schedule: NIGHTLY, createTime: CREATED_AT } as const;

/** The script and the password are useless to anybody, but a client must show neither. */
export const SEEDED_POLICIES: readonly WorldPolicy[] = [
  {
    ...patching,
    id: POLICY_IDS.allPatches,
    name: 'Apply All Patches',
    configuration: {
      patch_rule: 'all',
      filter_type: 'all',
      auto_patch: true,
      auto_reboot: false,
      notify_user: true,
      notify_reboot_user: false,
      custom_notification_patch_message: 'Updates are about to be installed. Please save your work.',
      custom_notification_max_delays: 3,
      custom_notification_deferment_periods: [1, 4, 8],
    },
  },
  {
    ...patching,
    id: POLICY_IDS.criticalPatches,
    name: 'Apply Critical Patches',
    configuration: {
      patch_rule: 'filter',
      filter_type: 'severity',
      severity_filter: ['critical'],
      auto_patch: true,
      auto_reboot: false,
      notify_user: false,
    },
  },
  {
    id: POLICY_IDS.smbWorklet,
    name: 'Disable SMBv1',
    type: 'custom',
    notes: 'Turns the old file sharing protocol off.',
    configuration: {
      os_family: 'Windows',
      evaluation_code:
        "$feature = Get-WindowsOptionalFeature -Online -FeatureName 'SMB1Protocol'\n" +
        "if ($feature.State -eq 'Disabled') { Exit 0 } else { Exit 1 }\n",
      remediation_code:
        "$password = 'hunter2-not-for-chat'\n" +
        "Disable-WindowsOptionalFeature -Online -FeatureName 'SMB1Protocol' -NoRestart\nExit 0\n",
    },
    schedule: NIGHTLY,
    createTime: CREATED_AT,
  },
  {
    id: POLICY_IDS.vpnRequired,
    name: 'Require VPN client',
    type: 'required_software',
    notes: '',
    configuration: {
      os_family: 'Windows',
      package_name: 'Acme VPN',
      package_version: '5.1.2',
      installation_code: 'msiexec /i acme-vpn.msi /qn',
      installation_secret: 'enrol-4f1d-not-for-chat',
    },
    schedule: NEVER,
    createTime: CREATED_AT,
  },
];

export const GROUP_IDS = {
  default: 3_100,
  servers: 3_110,
  linuxServers: 3_111,
  windowsServers: 3_112,
  databaseServers: 3_113,
  laptops: 3_120,
  financeLaptops: 3_121,
  engineeringLaptops: 3_122,
  macs: 3_130,
  designMacs: 3_131,
  kiosks: 3_140,
} as const;

const { default: top, servers, laptops, macs } = GROUP_IDS;
const { allPatches, criticalPatches, smbWorklet, vpnRequired } = POLICY_IDS;

function group(id: number, name: string, rest: Partial<WorldGroup>): WorldGroup {
  const settings = { color: null, notes: '', policies: [], osAutoUpdate: null, wsus: null };
  return { id, name, parentId: top, refreshMinutes: 1_440, ...settings, ...rest };
}

/** The Default group has a blank name and is its own parent; its id as a parent makes a group top-level (§2.1). */
export const SEEDED_GROUPS: readonly WorldGroup[] = [
  group(top, '', { policies: [allPatches, criticalPatches] }),
  group(servers, 'Servers', { color: '#059F1D', policies: [criticalPatches] }),
  group(GROUP_IDS.linuxServers, 'Linux servers', {
    parentId: servers,
    refreshMinutes: 360,
    policies: [allPatches, criticalPatches],
  }),
  group(GROUP_IDS.windowsServers, 'Windows servers', {
    parentId: servers,
    policies: [allPatches, smbWorklet],
    wsus: { managed: true, server: 'http://wsus.example.com:8530', setAt: CREATED_AT },
  }),
  group(GROUP_IDS.databaseServers, 'Database servers', {
    parentId: servers,
    notes: 'Patch only in the window.',
    policies: [criticalPatches],
  }),
  group(laptops, 'Laptops', { color: '#D78500', policies: [allPatches, vpnRequired] }),
  group(GROUP_IDS.financeLaptops, 'Finance laptops', {
    parentId: laptops,
    policies: [allPatches, smbWorklet, vpnRequired],
  }),
  group(GROUP_IDS.engineeringLaptops, 'Engineering laptops', {
    parentId: laptops,
    policies: [allPatches, vpnRequired],
    // As recorded of a group that leaves its devices their own settings.
    wsus: { managed: null, server: null, setAt: CREATED_AT },
  }),
  group(macs, 'Macs', { policies: [allPatches] }),
  group(GROUP_IDS.designMacs, 'Design Macs', { parentId: macs, policies: [allPatches] }),
  group(GROUP_IDS.kiosks, 'Kiosks', { color: '#FFa4c0', refreshMinutes: 240 }),
];
