/**
 * The endpoints that the document names without a shape (§4.10), and the one newer endpoint that edits many devices;
 * both as observed on the live service.
 */
import type { EndpointSpec, ParameterSpec } from './row-types.ts';
import * as shapes from './shapes.ts';

const required: ParameterSpec = { type: 'integer', required: true };
const integer: ParameterSpec = { type: 'integer' };
const text: ParameterSpec = { type: 'string' };
const page: ParameterSpec = { type: 'integer', least: 0, otherwise: 0 };
const limit: ParameterSpec = { type: 'integer', least: 1, most: 500, otherwise: 500 };
const common = { source: 'in practice', headers: ['Authorization'] } as const;

/** A replacement takes the same fields as a create, and replaces the whole group. */
const group = {
  name: { type: 'string', required: true },
  refresh_interval: { type: 'integer', required: true, least: 360, leastLive: 240, most: 1_440 },
  parent_server_group_id: required,
  ui_color: text,
  notes: text,
  enable_os_auto_update: { type: 'boolean' },
  enable_wsus: { type: 'boolean' },
  wsus_server: text,
  policies: { type: 'integers' },
} as const;

/** The fields of a policy; `configuration` depends on its type. */
const policy = {
  name: { type: 'string', required: true },
  policy_type_name: { type: 'string', required: true },
  configuration: { type: 'object', required: true },
  schedule_days: required,
  schedule_weeks_of_month: integer,
  schedule_months: integer,
  schedule_time: { type: 'string', required: true },
  use_scheduled_timezone: { type: 'boolean', only: 'live' },
  scheduled_timezone: { ...text, only: 'live' },
  notes: text,
  server_groups: { type: 'integers' },
  organization_id: required,
} as const;

export const UNDOCUMENTED_ENDPOINTS: readonly EndpointSpec[] = [
  {
    ...common,
    method: 'GET',
    path: '/servers/{id}/queues/{entry}',
    section: '4.10',
    query: { o: required },
    statuses: [200, 400, 401, 403, 404],
    answer: { as: 'one', shape: shapes.QUEUE_ENTRY_SHAPE },
  },
  {
    ...common,
    method: 'GET',
    path: '/servergroups',
    section: '4.10',
    query: { o: required, limit, page },
    statuses: [200, 400, 401, 403],
    answer: {
      as: 'list',
      shape: { ...shapes.GROUP_SHAPE, ...shapes.GROUP_LIVE_FIELDS },
      newer: shapes.GROUP_NEWER_FIELDS,
    },
  },
  {
    ...common,
    method: 'GET',
    path: '/servergroups/{id}',
    section: '4.10',
    query: { o: required },
    // 403, not 404, for a group that does not exist.
    statuses: [200, 400, 401, 403],
    answer: {
      as: 'one',
      shape: { ...shapes.GROUP_SHAPE, ...shapes.GROUP_LIVE_FIELDS },
      newer: shapes.GROUP_NEWER_FIELDS,
    },
  },
  {
    ...common,
    method: 'PUT',
    path: '/servergroups/{id}',
    section: '4.10',
    query: { o: required },
    body: group,
    statuses: [204, 400, 401, 403],
  },
  {
    ...common,
    method: 'DELETE',
    path: '/servergroups/{id}',
    section: '4.10',
    query: { o: required },
    statuses: [204, 400, 401, 403],
  },
  {
    ...common,
    method: 'DELETE',
    path: '/servers/{id}',
    section: '4.10',
    query: { o: required },
    statuses: [204, 400, 401, 403, 404],
  },
  {
    ...common,
    method: 'GET',
    path: '/policies',
    section: '4.10',
    query: { o: required, limit, page },
    statuses: [200, 400, 401, 403],
    answer: { as: 'list', shape: shapes.POLICY_SHAPE, newer: shapes.POLICY_LIVE_FIELDS },
  },
  {
    ...common,
    method: 'GET',
    path: '/policies/{id}',
    section: '4.10',
    query: { o: required },
    statuses: [200, 400, 401, 403, 404],
    answer: { as: 'one', shape: shapes.POLICY_SHAPE, newer: shapes.POLICY_LIVE_FIELDS },
  },
  {
    ...common,
    method: 'POST',
    path: '/policies',
    section: '4.10',
    query: { o: required },
    body: policy,
    // The body is empty: the new policy is found by its name.
    statuses: [201, 400, 401, 403],
  },
  {
    ...common,
    method: 'PUT',
    path: '/policies/{id}',
    section: '4.10',
    query: { o: required },
    body: { id: required, ...policy },
    statuses: [204, 400, 401, 403, 404],
  },
  {
    ...common,
    method: 'POST',
    path: '/policies/{id}/action',
    section: '4.10',
    only: 'live',
    query: { o: required },
    body: {
      action: { type: 'string', required: true, values: ['remediateAll', 'remediateServer'] },
      serverId: integer,
    },
    statuses: [201, 400, 401, 403, 404],
  },
  {
    ...common,
    method: 'GET',
    path: '/orgs',
    section: '4.10',
    query: { limit, page },
    statuses: [200, 400, 401],
    answer: { as: 'list', shape: shapes.ORGANIZATION_SHAPE },
  },
  {
    ...common,
    method: 'GET',
    path: '/orgs/{id}/packages',
    section: '4.10',
    only: 'live',
    query: { o: required, awaiting: integer, includeUnmanaged: integer, limit, page },
    statuses: [200, 400, 401, 403],
    answer: { as: 'list', shape: shapes.PACKAGE_SHAPE, newer: shapes.PACKAGE_LIVE_FIELDS },
  },
  {
    ...common,
    method: 'POST',
    path: '/servers/batch',
    section: '4.10',
    only: 'live',
    query: { o: required },
    body: { devices: { type: 'integers', required: true }, actions: { type: 'array', required: true } },
    statuses: [200, 400, 401, 403],
    answer: { as: 'one', shape: shapes.BATCH_SHAPE },
  },
];
