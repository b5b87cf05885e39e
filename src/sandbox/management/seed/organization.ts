/** The organization: its group tree in three levels, its policies and its people. */
import type { Group, Policy } from '../world/model.ts';

export const ORGANIZATION_ID = 102_270;

/** People of the organization's console, by their ids there. */
export const CONSOLE_USERS = [
  { id: 701, email: 'ada@example.com', firstname: 'Ada', lastname: 'Kowalska' },
  { id: 702, email: 'ben@example.com', firstname: 'Ben', lastname: 'Okafor' },
  { id: 703, email: 'chi@example.com', firstname: 'Chi', lastname: 'Nguyen' },
] as const;

const ALL_PATCHES = 2_101;
const CRITICAL_PATCHES = 2_102;
const SMB_WORKLET = 2_103;
const VPN_REQUIRED = 2_104;

export const POLICIES: readonly Policy[] = [
  { id: ALL_PATCHES, name: 'Apply All Patches', type: 'patch' },
  { id: CRITICAL_PATCHES, name: 'Apply Critical Patches', type: 'patch' },
  { id: SMB_WORKLET, name: 'Disable SMBv1', type: 'custom' },
  { id: VPN_REQUIRED, name: 'Require VPN client', type: 'required_software' },
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
  wsusServer: null,
} satisfies Omit<Group, 'id' | 'name'>;

/** The Default group has a blank name and is its own parent; a parent of that id makes a group top-level (§2.1). */
export const GROUPS: readonly Group[] = [
  { ...plain, id: GROUP.default, name: '', policies: [ALL_PATCHES, CRITICAL_PATCHES] },
  { ...plain, id: GROUP.servers, name: 'Servers', color: '#059F1D', policies: [CRITICAL_PATCHES] },
  {
    ...plain,
    id: GROUP.linuxServers,
    name: 'Linux servers',
    parentId: GROUP.servers,
    refreshMinutes: 360,
    policies: [ALL_PATCHES, CRITICAL_PATCHES],
  },
  {
    ...plain,
    id: GROUP.windowsServers,
    name: 'Windows servers',
    parentId: GROUP.servers,
    policies: [ALL_PATCHES, SMB_WORKLET],
    wsusServer: 'http://wsus.example.com:8530',
  },
  {
    ...plain,
    id: GROUP.databaseServers,
    name: 'Database servers',
    parentId: GROUP.servers,
    notes: 'Patch only in the window.',
    policies: [CRITICAL_PATCHES],
  },
  { ...plain, id: GROUP.laptops, name: 'Laptops', color: '#D78500', policies: [ALL_PATCHES, VPN_REQUIRED] },
  {
    ...plain,
    id: GROUP.financeLaptops,
    name: 'Finance laptops',
    parentId: GROUP.laptops,
    policies: [ALL_PATCHES, SMB_WORKLET, VPN_REQUIRED],
  },
  {
    ...plain,
    id: GROUP.engineeringLaptops,
    name: 'Engineering laptops',
    parentId: GROUP.laptops,
    policies: [ALL_PATCHES, VPN_REQUIRED],
  },
  { ...plain, id: GROUP.macs, name: 'Macs', policies: [ALL_PATCHES] },
  { ...plain, id: GROUP.designMacs, name: 'Design Macs', parentId: GROUP.macs, policies: [ALL_PATCHES] },
  { ...plain, id: GROUP.kiosks, name: 'Kiosks', color: '#FFa4c0', refreshMinutes: 240 },
];
