/** The organization's group tree, in three levels. */
import type { WorldGroup } from '../world/model.ts';
import { CREATED_AT } from './seed-organization.ts';
import { POLICY_IDS } from './seed-policies.ts';

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

const plain = {
  parentId: GROUP_IDS.default,
  refreshMinutes: 1_440,
  color: null,
  notes: '',
  policies: [],
  osAutoUpdate: null,
  wsus: null,
} satisfies Omit<WorldGroup, 'id' | 'name'>;

/** The Default group has a blank name and is its own parent; its id as a parent makes a group top-level (§2.1). */
export const SEEDED_GROUPS: readonly WorldGroup[] = [
  {
    ...plain,
    id: GROUP_IDS.default,
    name: '',
    policies: [POLICY_IDS.allPatches, POLICY_IDS.criticalPatches],
  },
  {
    ...plain,
    id: GROUP_IDS.servers,
    name: 'Servers',
    color: '#059F1D',
    policies: [POLICY_IDS.criticalPatches],
  },
  {
    ...plain,
    id: GROUP_IDS.linuxServers,
    name: 'Linux servers',
    parentId: GROUP_IDS.servers,
    refreshMinutes: 360,
    policies: [POLICY_IDS.allPatches, POLICY_IDS.criticalPatches],
  },
  {
    ...plain,
    id: GROUP_IDS.windowsServers,
    name: 'Windows servers',
    parentId: GROUP_IDS.servers,
    policies: [POLICY_IDS.allPatches, POLICY_IDS.smbWorklet],
    wsus: { managed: true, server: 'http://wsus.example.com:8530', setAt: CREATED_AT },
  },
  {
    ...plain,
    id: GROUP_IDS.databaseServers,
    name: 'Database servers',
    parentId: GROUP_IDS.servers,
    notes: 'Patch only in the window.',
    policies: [POLICY_IDS.criticalPatches],
  },
  {
    ...plain,
    id: GROUP_IDS.laptops,
    name: 'Laptops',
    color: '#D78500',
    policies: [POLICY_IDS.allPatches, POLICY_IDS.vpnRequired],
  },
  {
    ...plain,
    id: GROUP_IDS.financeLaptops,
    name: 'Finance laptops',
    parentId: GROUP_IDS.laptops,
    policies: [POLICY_IDS.allPatches, POLICY_IDS.smbWorklet, POLICY_IDS.vpnRequired],
  },
  {
    ...plain,
    id: GROUP_IDS.engineeringLaptops,
    name: 'Engineering laptops',
    parentId: GROUP_IDS.laptops,
    policies: [POLICY_IDS.allPatches, POLICY_IDS.vpnRequired],
    // As recorded of a group that leaves its devices their own settings.
    wsus: { managed: null, server: null, setAt: CREATED_AT },
  },
  { ...plain, id: GROUP_IDS.macs, name: 'Macs', policies: [POLICY_IDS.allPatches] },
  {
    ...plain,
    id: GROUP_IDS.designMacs,
    name: 'Design Macs',
    parentId: GROUP_IDS.macs,
    policies: [POLICY_IDS.allPatches],
  },
  { ...plain, id: GROUP_IDS.kiosks, name: 'Kiosks', color: '#FFa4c0', refreshMinutes: 240 },
];
