/** The fields of answers (§2), by resource. */
import type { FieldTypes } from './row-types.ts';

export { DEVICE_LIVE_FIELDS, DEVICE_SHAPE } from './device-shape.ts';

/** §2.1 */
export const GROUP_SHAPE: FieldTypes = {
  id: 'integer',
  name: 'string',
  organization_id: 'integer',
  parent_server_group_id: 'integer',
  refresh_interval: 'integer',
  ui_color: 'color?',
  notes: 'string',
  enable_os_auto_update: 'boolean or null',
  wsus_config: 'object or null',
  policies: 'integers',
};

/** Newer than the document. */
export const GROUP_NEWER_FIELDS: FieldTypes = { uuid: 'string' };

/** Content of `wsus_config` from practice; the document does not show its shape. */
export const GROUP_LIVE_FIELDS: FieldTypes = {
  server_count: 'integer',
  'wsus_config.id': 'integer',
  'wsus_config.server_group_id': 'integer',
  'wsus_config.is_managed': 'boolean?',
  'wsus_config.server_url': 'string?',
  'wsus_config.created_at': 'device time',
  'wsus_config.updated_at': 'device time',
};

/** §4.1: the answer to a create. */
export const CREATED_GROUP_SHAPE: FieldTypes = {
  name: 'string',
  parent_server_group_id: 'integer',
  refresh_interval: 'integer',
  ui_color: 'color?',
  notes: 'string',
  enable_os_auto_update: 'boolean or null',
  organization_id: 'integer',
  id: 'integer',
  wsus_config: 'object or null',
};

/** §2.6 */
export const PACKAGE_SHAPE: FieldTypes = {
  id: 'integer',
  server_id: 'integer',
  package_id: 'integer',
  software_id: 'integer',
  installed: 'boolean',
  ignored: 'boolean',
  group_ignored: 'boolean',
  deferred_until: 'device time or null',
  group_deferred_until: 'device time or null',
  name: 'string',
  display_name: 'string?',
  version: 'string',
  repo: 'string',
  cves: 'value or null',
  cve_score: 'value or null',
  agent_severity: 'value or null',
  severity: 'value or null',
  package_version_id: 'integer',
  os_name: 'string',
  os_version: 'string',
  os_version_id: 'integer',
  create_time: 'device time',
  requires_reboot: 'boolean',
  patch_classification_category_id: 'value or null',
  patch_scope: 'value or null',
  is_uninstallable: 'boolean',
  secondary_id: 'value or null',
  is_managed: 'boolean',
  impact: 'value or null',
  organization_id: 'integer',
};

export const PACKAGE_LIVE_FIELDS: FieldTypes = { kev_cves: 'value or null', epss_score: 'value or null' };

/** §2.7; types that it does not show are from practice. */
export const QUEUE_ENTRY_SHAPE: FieldTypes = {
  id: 'integer',
  server_id: 'integer',
  command_id: 'integer or null',
  organization_id: 'integer',
  // 0 instead of false: seen live.
  reboot: 'boolean?',
  response: 'value or null',
  response_time: 'queue time or null',
  policy_id: 'integer?',
  agent_command_type: 'integer',
  command_type_name: 'string',
  args: 'string',
  exec_time: 'queue time',
};

/** §2.8; in practice `data` is null for some events. */
export const EVENT_SHAPE: FieldTypes = {
  id: 'integer',
  name: 'string',
  user_id: 'integer or null',
  server_id: 'integer or null',
  organization_id: 'integer',
  policy_id: 'integer or null',
  data: 'object?',
  server_name: 'string or null',
  policy_name: 'string or null',
  policy_type_name: 'string or null',
  create_time: 'event time',
};

/** §4.2; the group's fields are from practice. */
export const PREVIEW_SHAPE: FieldTypes = {
  id: 'integer',
  uuid: 'string',
  name: 'string',
  custom_name: 'string',
  server_group: 'object',
  os_version: 'string',
  os_family: 'string',
  tags: 'strings',
};
/** The misspelling is the document's. */
export const PREVIEW_DOCUMENTED_FIELDS: FieldTypes = { ip_addr: 'string?', ip_addrs_prviate: 'strings' };
export const PREVIEW_LIVE_FIELDS: FieldTypes = {
  ip_addrs: 'strings',
  ip_addrs_private: 'strings',
  organizational_unit: 'strings',
};

/** §4.10; the shape is from practice. */
export const POLICY_SHAPE: FieldTypes = {
  id: 'integer',
  uuid: 'string',
  name: 'string',
  policy_type_name: 'string',
  organization_id: 'integer',
  configuration: 'object',
  schedule_days: 'integer',
  schedule_weeks_of_month: 'integer',
  schedule_months: 'integer',
  schedule_time: 'string',
  notes: 'string',
  create_time: 'device time',
  server_groups: 'integers or null',
  server_count: 'integer',
  status: 'string',
  next_remediation: 'device time or null',
};

export const POLICY_LIVE_FIELDS: FieldTypes = {
  policy_uuid: 'string',
  account_id: 'string',
  use_scheduled_timezone: 'boolean',
  scheduled_timezone: 'string or null',
  community_worklet_id: 'integer or null',
  community_worklet_uuid: 'string or null',
  policy_template_id: 'integer or null',
  policy_template_uuid: 'string or null',
};

/** §4.10; the shape is from practice. `access_key` is a secret that a client must not show. */
export const ORGANIZATION_SHAPE: FieldTypes = {
  id: 'integer',
  name: 'string',
  uuid: 'string',
  create_time: 'device time',
  tier: 'string',
  device_limit: 'integer or null',
  device_count: 'integer',
  soft_device_limit: 'integer or null',
  parent_id: 'integer or null',
  trial_end_time: 'device time or null',
  metadata: 'object',
  access_key: 'string',
};

/** `POST /servers/batch`: the job that edits the devices. */
export const BATCH_SHAPE: FieldTypes = {
  id: 'string',
  total_jobs: 'integer',
  pending_jobs: 'integer',
  processed_jobs: 'integer',
  progress: 'integer',
  failed_jobs: 'integer',
  created_at: 'value',
  cancelled_at: 'value or null',
  finished_at: 'value or null',
};
