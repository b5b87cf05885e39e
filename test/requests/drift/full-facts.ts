/** Facts that have every field that they can have. */
import { deviceId, groupId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import type { DeviceFacts } from '../../../src/store/port/records.ts';
import { NOW } from '../builders.ts';

export const POLICY = { id: policyId(12), name: 'Harden SSH', digest: 'a' };
export const IDENTITY = { serial: 'SN-1', uuid: 'u-1', created: NOW };
export const PACKAGE = {
  name: 'curl',
  version: '8.1',
  severity: 'low',
  cves: ['CVE-1'],
  requiresReboot: false,
};
export const device: Partial<DeviceFacts> = {
  identity: IDENTITY,
  osVersion: '24.04',
  lastDisconnectTime: NOW,
  needsReboot: true,
  packages: [PACKAGE],
};
export const policy = { name: 'Harden SSH', type: 'custom', status: 0, digest: 'a' };
export const editable = { policies: [POLICY] };
export const removal = { policies: [POLICY], queued: [{ id: queueEntryId(1), type: 'Reboot' }] };
export const groupRemoval = {
  devices: { count: 1, listed: [{ id: deviceId(1), name: 'web-01' }] },
  subgroups: [{ id: groupId(8), name: 'Web' }],
  policiesAfter: [POLICY],
};
export const wsus = { managed: true, server: 'wsus' };
