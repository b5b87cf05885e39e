/** Where the local service differs from something that is known of the real one, and what it follows instead. */

export type KnownDisagreement = {
  readonly endpoints: readonly string[];
  readonly paths: readonly string[];
  readonly what: string;
  /** Who says so. */
  readonly source: string;
  /** Nothing recorded or published says so. */
  readonly assumed?: true;
};

const DEVICES = ['GET /servers', 'GET /servers/{id}'];
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
    paths: [
      'policy_id',
      'device_id',
      'timestamp',
      'result',
      'reason',
      'device_uuid',
      'device_name',
      'zone_id',
    ].map((field) => `server_policies[].${field}`),
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
