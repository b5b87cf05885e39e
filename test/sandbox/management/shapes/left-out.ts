/** Keys that the client does not read, beyond those of which `test/fleet/schema/field-mappings.ts` says why. */
import { FIELD_COVERAGE, type FieldMappings } from '../../../fleet/schema/field-mappings.ts';

const DEVICE_SECTIONS = {
  '': FIELD_COVERAGE['§2.2'],
  'detail.': FIELD_COVERAGE['§2.3'],
  'policy_status[].': FIELD_COVERAGE['§2.4'],
  'status.': FIELD_COVERAGE['§2.5'],
};

/** By endpoint and by the object that holds the fields. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, FieldMappings>>>> = {
  'GET /servers': DEVICE_SECTIONS,
  'GET /servers/{id}': DEVICE_SECTIONS,
  'GET /events': { 'data.': FIELD_COVERAGE['§6'] },
};

const POLICY_KEYS = [
  'policy_uuid',
  'account_id',
  'community_worklet_id',
  'community_worklet_uuid',
  'policy_template_id',
  'policy_template_uuid',
];

type LeftOut = { readonly endpoint: RegExp; readonly paths: readonly string[]; readonly why: string };

export const LEFT_OUT: readonly LeftOut[] = [
  {
    endpoint: /^GET \/servers/,
    paths: [
      'timestamp',
      'result',
      'reason',
      'policy_id',
      'device_id',
      'device_uuid',
      'device_name',
      'zone_id',
    ].map((field) => `server_policies[].${field}`),
    why: 'of policyDeviceData, which no answer was seen to have; policies are read (the document, §2.2)',
  },
  {
    endpoint: /^GET \/servers/,
    paths: POLICY_KEYS.map((field) => `server_policies[].${field}`),
    why: 'where a policy came from; no answer is about it',
  },
  {
    endpoint: /^GET \/servers\/\{id\}$/,
    paths: ['details', 'hostname'],
    why: 'detail and name in the document (§2.2) and in every recording',
  },
  {
    endpoint: /^GET \/servers\/\{id\}\/queues$/,
    paths: ['create_time'],
    why: 'not in the document (§2.7) and not in queue-2026.json',
  },
  {
    endpoint: /^GET \/servergroups/,
    paths: ['id', 'server_group_id', 'created_at', 'updated_at'].map((field) => `wsus_config.${field}`),
    why: 'the group has its own id; when the settings were made is not shown',
  },
  {
    endpoint: /device-filters-preview$/,
    paths: ['organization_id', 'refresh_interval', 'parent_server_group_id'].map(
      (field) => `server_group.${field}`,
    ),
    why: 'the group is read by its id',
  },
  {
    endpoint: /device-filters-preview$/,
    paths: ['organizational_unit'],
    why: 'the device has it',
  },
  {
    endpoint: /^GET \/policies/,
    paths: POLICY_KEYS,
    why: 'where a policy came from; a change sends back what it may (src/fleet/editor/policy-fields.ts)',
  },
  {
    endpoint: /^GET \/orgs$/,
    paths: ['access_key', 'billing_name', 'billing_email'],
    why: 'a secret, and personal data: never read',
  },
  {
    endpoint: /^GET \/orgs$/,
    paths: ['soft_device_limit', 'trial_end_time', 'trial_expired', 'metadata', 'rate_id', 'sub_plan'],
    why: 'about the subscription, not about the fleet',
  },
];

/** Why the client does not read the key; null if nothing says so. */
export function whyLeftOut(endpoint: string, path: string): string | null {
  const row = LEFT_OUT.find(
    (one) => one.endpoint.test(endpoint) && one.paths.some((own) => isWithin(path, own)),
  );
  return row?.why ?? whyInTable(endpoint, path);
}

function whyInTable(endpoint: string, path: string): string | null {
  for (const [holder, fields] of Object.entries(SECTIONS[endpoint] ?? {}))
    for (const [field, place] of Object.entries(fields))
      if (typeof place === 'object' && 'leftOut' in place && isWithin(path, holder + field))
        return place.leftOut;
  return null;
}

function isWithin(path: string, own: string): boolean {
  return path === own || path.startsWith(`${own}.`) || path.startsWith(`${own}[]`);
}
