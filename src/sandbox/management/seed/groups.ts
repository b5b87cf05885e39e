/** The organization's group tree, in three levels. */
import type { Group } from '../world/model.ts';
import { MADE_AT } from './organization.ts';
import { POLICY } from './policies.ts';

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
