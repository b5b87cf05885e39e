/** The organization: its group tree in three levels, its policies and its people. */
import { instant } from '../../../clock.ts';
import type { Group, Policy, Schedule } from '../world/model.ts';

export const ORGANIZATION_ID = 102_270;

const MADE_AT = instant(Date.parse('2022-04-29T01:30:09Z'));

/** The key is no secret, it opens nothing; a client has to treat it as one all the same. */
export const ORGANIZATION = {
  name: 'Example Corporation',
  uuid: '5f0c2a4e-6d1b-4b8e-a3f7-9c2d1e0b4a68',
  createTime: MADE_AT,
  accessKey: 'sandbox-access-key-not-for-chat',
} as const;

/** People of the organization's console, by their ids there. */
export const CONSOLE_USERS = [
  { id: 701, email: 'ada@example.com', firstname: 'Ada', lastname: 'Kowalska' },
  { id: 702, email: 'ben@example.com', firstname: 'Ben', lastname: 'Okafor' },
  { id: 703, email: 'chi@example.com', firstname: 'Chi', lastname: 'Nguyen' },
] as const;

export const POLICY = {
  allPatches: 2_101,
  criticalPatches: 2_102,
  smbWorklet: 2_103,
  vpnRequired: 2_104,
} as const;

/** Every night: Monday to Sunday, in every week and month. */
const NIGHTLY: Schedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '02:00' };
/** Runs only by hand. */
const NEVER: Schedule = { days: 0, weeksOfMonth: 0, months: 0, time: '00:00' };

const patching = { type: 'patch', notes: '', schedule: NIGHTLY, createTime: MADE_AT } as const;

/** The script and the password are of no use to anybody: a client must show neither. */
export const POLICIES: readonly Policy[] = [
  {
    ...patching,
    id: POLICY.allPatches,
    name: 'Apply All Patches',
    configuration: {
      patch_rule: 'all',
      filter_type: 'all',
      auto_patch: true,
      auto_reboot: false,
      notify_user: true,
    },
  },
  {
    ...patching,
    id: POLICY.criticalPatches,
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
    id: POLICY.smbWorklet,
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
    createTime: MADE_AT,
  },
  {
    id: POLICY.vpnRequired,
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
    createTime: MADE_AT,
  },
];

export const GROUP = {
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

const plain = {
  parentId: GROUP.default,
  refreshMinutes: 1_440,
  color: null,
  notes: '',
  policies: [],
  osAutoUpdate: null,
  wsus: null,
} satisfies Omit<Group, 'id' | 'name'>;

/** The Default group has a blank name and is its own parent; a parent of that id makes a group top-level (§2.1). */
export const GROUPS: readonly Group[] = [
  { ...plain, id: GROUP.default, name: '', policies: [POLICY.allPatches, POLICY.criticalPatches] },
  { ...plain, id: GROUP.servers, name: 'Servers', color: '#059F1D', policies: [POLICY.criticalPatches] },
  {
    ...plain,
    id: GROUP.linuxServers,
    name: 'Linux servers',
    parentId: GROUP.servers,
    refreshMinutes: 360,
    policies: [POLICY.allPatches, POLICY.criticalPatches],
  },
  {
    ...plain,
    id: GROUP.windowsServers,
    name: 'Windows servers',
    parentId: GROUP.servers,
    policies: [POLICY.allPatches, POLICY.smbWorklet],
    wsus: { managed: true, server: 'http://wsus.example.com:8530', setAt: MADE_AT },
  },
  {
    ...plain,
    id: GROUP.databaseServers,
    name: 'Database servers',
    parentId: GROUP.servers,
    notes: 'Patch only in the window.',
    policies: [POLICY.criticalPatches],
  },
  {
    ...plain,
    id: GROUP.laptops,
    name: 'Laptops',
    color: '#D78500',
    policies: [POLICY.allPatches, POLICY.vpnRequired],
  },
  {
    ...plain,
    id: GROUP.financeLaptops,
    name: 'Finance laptops',
    parentId: GROUP.laptops,
    policies: [POLICY.allPatches, POLICY.smbWorklet, POLICY.vpnRequired],
  },
  {
    ...plain,
    id: GROUP.engineeringLaptops,
    name: 'Engineering laptops',
    parentId: GROUP.laptops,
    policies: [POLICY.allPatches, POLICY.vpnRequired],
  },
  { ...plain, id: GROUP.macs, name: 'Macs', policies: [POLICY.allPatches] },
  {
    ...plain,
    id: GROUP.designMacs,
    name: 'Design Macs',
    parentId: GROUP.macs,
    policies: [POLICY.allPatches],
  },
  { ...plain, id: GROUP.kiosks, name: 'Kiosks', color: '#FFa4c0', refreshMinutes: 240 },
];
