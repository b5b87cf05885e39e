/** Where the local service differs from something that is known of the real one, and what it follows instead. */
import { FIELD_COVERAGE, type FieldMappings } from '../../../fleet/schema/field-mappings.ts';

type KnownDisagreement = {
  readonly endpoints: readonly string[];
  readonly paths: readonly string[];
  readonly what: string;
  /** Who says so. */
  readonly source: string;
  /** Nothing recorded or published says so. */
  readonly assumed?: true;
};

const DEVICES = ['GET /servers', 'GET /servers/{id}'];
/** Of openapi-defs; no answer was seen to have them. */
const POLICY_DEVICE_DATA = [
  'policy_id',
  'device_id',
  'timestamp',
  'result',
  'reason',
  'device_uuid',
  'device_name',
  'zone_id',
].map((field) => `server_policies[].${field}`);
const QUEUE = ['GET /servers/{id}/queues'];

export const KNOWN_DISAGREEMENTS: readonly KnownDisagreement[] = [
  {
    endpoints: DEVICES,
    paths: ['custom_name'],
    what: 'is null there only',
    source: 'null in the document, empty text in servers-list-2022.json (profiles.ts, unsetName)',
  },
  {
    endpoints: DEVICES,
    paths: ['detail.FQDNS'],
    what: 'is null there only',
    source:
      'empty in servers-list-2022.json, whose personal fields were taken out; lists in openapi-defs and Google SecOps',
  },
  {
    endpoints: DEVICES,
    paths: ['last_refresh_time', 'uptime'],
    what: 'is null here only',
    source: 'no recording shows a device before its first scan',
    assumed: true,
  },
  {
    endpoints: ['GET /servers/{id}'],
    paths: POLICY_DEVICE_DATA,
    what: 'is missing',
    source:
      'policyDeviceData in Server of openapi-defs; ServerWithPolicies there has whole policies, as the document',
  },
  {
    endpoints: ['GET /servers/{id}'],
    paths: ['details'],
    what: 'is missing',
    source: '`detail` in the document (§2.2) and in test_get_device_by_id of insightconnect-plugins',
  },
  {
    endpoints: ['GET /servers/{id}'],
    paths: ['hostname'],
    what: 'is missing',
    source: '`name` in the document (§2.2); not in test_get_device_by_id of insightconnect-plugins',
  },
  {
    endpoints: QUEUE,
    paths: ['create_time'],
    what: 'is missing',
    source: 'queue-2026.json and the document (§2.7)',
  },
  {
    endpoints: QUEUE,
    paths: ['exec_time', 'args'],
    what: 'is null there only',
    source: 'null for a reboot in openapi-defs; a time and empty text for a reboot in queue-2026.json',
  },
  {
    endpoints: QUEUE,
    paths: ['command_id'],
    what: 'is null here only',
    source: 'splunk-soar-connectors/automox, automox.json: null among the examples of “get command queues”',
  },
  {
    endpoints: QUEUE,
    paths: ['response'],
    what: 'is object, there list or string',
    source: 'of policies only; noted of the live service (profiles.ts, queueResponse) and not recorded',
    assumed: true,
  },
  {
    endpoints: ['GET /events'],
    paths: ['data'],
    what: 'is null here only',
    source: 'management API in practice, 4',
  },
  {
    endpoints: ['GET /events'],
    paths: ['data.status'],
    what: 'is string, there number',
    source: 'AutomoxCommunity/automox-mcp, CHANGELOG: exit codes are text or numbers',
  },
  {
    endpoints: ['GET /servergroups', 'GET /servergroups/{id}'],
    paths: ['uuid'],
    what: 'is added',
    source: 'sweetgreen/terraform-provider-automox, server_group/model.go and crud.go, seen live in 2026-07',
  },
  {
    endpoints: ['POST /servergroups'],
    paths: ['server_count', 'policies'],
    what: 'is missing',
    source: 'the document (§4.1) lists the fields of this answer',
  },
  {
    endpoints: ['POST /policies/device-filters-preview'],
    paths: ['ip_addr', 'ip_addrs_prviate'],
    what: 'is missing',
    source: 'in the document; renamed in openapi-defs (profiles.ts, previewAddresses)',
  },
  {
    endpoints: ['GET /orgs'],
    paths: ['rate_id', 'sub_plan', 'billing_name', 'billing_email', 'trial_expired'],
    what: 'is missing',
    source: 'recorded in 2023; no longer in Organization of openapi-defs, 2025',
  },
  {
    endpoints: ['GET /orgs'],
    paths: ['device_count'],
    what: 'is null there only',
    source: 'empty only for the second organization of test_list_organizations; the local service has one',
  },
];

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
  'GET /servers/{id}/packages': { '': FIELD_COVERAGE['§2.6'] },
  'GET /servers/{id}/queues': { '': FIELD_COVERAGE['§2.7'] },
  'GET /events': { '': FIELD_COVERAGE['§2.8'], 'data.': FIELD_COVERAGE['§6'] },
  'POST /policies/device-filters-preview': { '': FIELD_COVERAGE['§4.2'] },
};

const POLICY_KEYS = [
  'uuid',
  'policy_uuid',
  'organization_id',
  'account_id',
  'community_worklet_id',
  'community_worklet_uuid',
  'policy_template_id',
  'policy_template_uuid',
];

type LeftOut = { readonly endpoint: RegExp; readonly paths: readonly string[]; readonly why: string };

/** Keys that the client does not read, beyond those of which `test/fleet/schema/field-mappings.ts` says why. */
export const LEFT_OUT: readonly LeftOut[] = [
  {
    endpoint: /^GET \/servers/,
    paths: POLICY_DEVICE_DATA,
    why: 'of policyDeviceData, which no answer was seen to have; policies are read (the document, §2.2)',
  },
  {
    endpoint: /^GET \/servers/,
    paths: POLICY_KEYS.map((field) => `server_policies[].${field}`),
    why: 'where a policy came from, and other names of it; no answer is about them',
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
    paths: ['uuid', 'parent_id'],
    why: 'the number names the organization, and no answer is about another one',
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
