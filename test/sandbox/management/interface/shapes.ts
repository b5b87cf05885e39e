/** The fields of answers, by resource: those of the document (§2) from its text, newer ones from practice. */
import { answerIn, deviceFields, fieldsIn, formsIn, type NamedType } from './document.ts';

/**
 * Answer fields by path, such as `detail.NICS[].MAC`, with their types (`TESTS` of ../coverage/stage.ts). `or null`: the
 * document says so. A question mark: the document does not, but the service was seen to send nothing there, or to leave
 * the field out.
 */
export type FieldTypes = Readonly<Record<string, string>>;

/** Types of texts with a form. */
const TYPES_OF_FORMS: Readonly<Record<string, string>> = {
  digits: 'digits',
  '#RRGGBB': 'color',
  'YYYY-MM-DDThh:mm:ss+0000': 'device time',
  'YYYY-MM-DDThh:mm:ss.fffZ': 'queue time',
  'YYYY-MM-DD hh:mm:ss.ffffff': 'event time',
};

/** The document's fields; `seen` says what it does not show, or what was seen to differ. */
function documented(
  fields: readonly NamedType[],
  forms: ReadonlyMap<string, string>,
  seen: FieldTypes = {},
): FieldTypes {
  const types = fields.map(({ name, type, nullable }) => {
    const form = type === 'string' ? forms.get(name) : undefined;
    const base = TYPES_OF_FORMS[form ?? ''] ?? type;
    return [name, seen[name] ?? `${base}${nullable ? ' or null' : ''}`];
  });
  return Object.fromEntries(types);
}

/** §2.2 to §2.5, with everything nested in it. */
export const DEVICE_SHAPE = documented(
  deviceFields(),
  new Map([
    ...formsIn('2.2'),
    ...formsIn('2.3', 'detail.'),
    ...formsIn('2.4', 'policy_status[].'),
    ...formsIn('2.5', 'status.'),
  ]),
  {
    'detail.LAST_USER_LOGON.TIME': 'logon time',
    last_update_time: 'device time?',
    last_refresh_time: 'device time?',
    last_process_time: 'device time?',
    last_disconnect_time: 'device time or null',
    next_patch_time: 'device time?',
    uptime: 'digits?',
  },
);

export const DEVICE_LIVE_FIELDS: FieldTypes = {
  'detail.DISTINGUISHED_NAME': 'string',
  'detail.SECURE_TOKEN_ACCOUNT': 'string or null',
  'detail.MDM_SERVER': 'string or null',
  'detail.MDM_PROFILE_INSTALLED': 'string or null',
  'policy_status[].will_reboot': 'boolean',
  'policy_status[].pending_count': 'integer',
  is_compatible: 'boolean',
  compatibility_checks: 'object',
  'compatibility_checks.low_diskspace': 'boolean',
  'compatibility_checks.missing_wmi_integrity_check': 'boolean?',
  'compatibility_checks.missing_powershell': 'boolean?',
  'compatibility_checks.wsus_disconnected': 'boolean?',
  'compatibility_checks.windows_update_server_disconnected': 'boolean?',
  'compatibility_checks.missing_secure_token': 'boolean?',
  'compatibility_checks.app_store_disconnected': 'boolean?',
  organizational_unit: 'string',
};

/** §2.1; two fields are accepted on create and not returned. */
export const GROUP_SHAPE = documented(
  fieldsIn('2.1').filter(({ name }) => name !== 'enable_wsus' && name !== 'wsus_server'),
  formsIn('2.1'),
  { ui_color: 'color?' },
);

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
export const CREATED_GROUP_SHAPE = documented(answerIn('4.1'), new Map(), GROUP_SHAPE);

/** §2.6 */
export const PACKAGE_SHAPE = documented(fieldsIn('2.6'), formsIn('2.6'), { display_name: 'string?' });

export const PACKAGE_LIVE_FIELDS: FieldTypes = { kev_cves: 'value or null', epss_score: 'value or null' };

/** §2.7; types that it does not show are from practice. */
export const QUEUE_ENTRY_SHAPE = documented(fieldsIn('2.7'), formsIn('2.7'), {
  command_id: 'integer or null',
  // 0 instead of false: seen live.
  reboot: 'boolean?',
  response: 'value or null',
  response_time: 'queue time or null',
  policy_id: 'integer?',
  agent_command_type: 'integer',
});

/** §2.8; in practice `data` is null for some events. */
export const EVENT_SHAPE = documented(fieldsIn('2.8'), formsIn('2.8'), { data: 'object?' });

const PREVIEW = Object.entries(documented(answerIn('4.2'), new Map(), { ip_addr: 'string?' }));
/** §4.2; the group's fields are from practice. */
export const PREVIEW_SHAPE: FieldTypes = Object.fromEntries(
  PREVIEW.filter(([name]) => !name.startsWith('ip_')),
);
/** Renamed on the live service; the misspelling is the document's. */
export const PREVIEW_DOCUMENTED_FIELDS: FieldTypes = Object.fromEntries(
  PREVIEW.filter(([name]) => name.startsWith('ip_')),
);
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
