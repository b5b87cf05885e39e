/** A group as the service has it. */
import { groupId } from '../../../src/ids.ts';
import { ORGANIZATION } from '../harness.ts';
import type { Thing } from './harness.ts';

export const GROUP = groupId(5);

export const stored = (more: Thing = {}): Thing => ({
  id: 5,
  organization_id: ORGANIZATION,
  name: 'Web',
  refresh_interval: 1440,
  parent_server_group_id: 1,
  ui_color: '#059F1D',
  notes: 'Old',
  enable_os_auto_update: null,
  server_count: 3,
  wsus_config: null,
  policies: [9, 10],
  quiet_hours: { from: 22 },
  ...more,
});
