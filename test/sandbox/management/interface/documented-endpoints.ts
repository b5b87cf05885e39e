/** Every endpoint of the document (§4.1 to §4.9): parameters with defaults and limits, and answers. */

import {
  LISTED_COMMAND_TYPES,
  LISTED_EVENT_NAMES,
  LISTED_FILTER_OPERATORS,
  LIVE_FILTER_OPERATORS,
} from './listed-values.ts';
import type { EndpointSpec, ParameterSpec, ParameterSpecs } from './row-types.ts';
import * as shapes from './shapes.ts';

const required: ParameterSpec = { type: 'integer', required: true };
const assumed: ParameterSpec = { type: 'integer', required: true, otherwise: 'organization of the key' };
const integer: ParameterSpec = { type: 'integer' };
const text: ParameterSpec = { type: 'string' };
/** 0 or 1. */
const flag: ParameterSpec = { type: 'boolean' };
const page: ParameterSpec = { type: 'integer', least: 0, otherwise: 0 };
const limit: ParameterSpec = { type: 'integer', least: 1, most: 500, otherwise: 500 };
const KEY = ['Authorization'];
const practice = { source: 'in practice', only: 'live' } as const;

/** A field with one of its operators. */
function clauses(operators: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(operators).flatMap(([field, ops]) => ops.map((op) => `${field} ${op}`));
}

const includes: ParameterSpecs = {
  include_details: { ...flag, ...practice },
  include_server_events: { ...flag, ...practice },
  include_next_patch_time: { ...flag, ...practice },
  exclude_policy_status: { ...flag, ...practice },
};

export const DOCUMENTED_ENDPOINTS: readonly EndpointSpec[] = [
  {
    method: 'POST',
    path: '/servergroups',
    section: '4.1',
    query: { o: required },
    body: {
      name: { type: 'string', required: true },
      refresh_interval: { type: 'integer', required: true, least: 360, leastLive: 240, most: 1_440 },
      parent_server_group_id: required,
      ui_color: text,
      notes: text,
      enable_os_auto_update: flag,
      enable_wsus: flag,
      wsus_server: text,
      policies: { type: 'integers' },
    },
    headers: KEY,
    statuses: [201, 400, 401, 403],
    answer: { as: 'one', shape: shapes.CREATED_GROUP_SHAPE },
  },
  {
    method: 'POST',
    path: '/policies/device-filters-preview',
    section: '4.2',
    query: { o: required, limit: { ...limit, most: 200, otherwise: 25 }, page },
    body: {
      device_filters: {
        type: 'array',
        required: true,
        values: clauses(LISTED_FILTER_OPERATORS),
        newerValues: clauses(LIVE_FILTER_OPERATORS),
      },
      server_groups: { type: 'integers', required: true },
    },
    headers: KEY,
    statuses: [200, 400, 401, 403],
    answer: {
      as: 'page',
      shape: shapes.PREVIEW_SHAPE,
      older: shapes.PREVIEW_DOCUMENTED_FIELDS,
      newer: shapes.PREVIEW_LIVE_FIELDS,
    },
  },
  {
    method: 'POST',
    path: '/servers/{id}/queues',
    section: '4.3',
    query: { o: required },
    body: {
      command_type_name: { type: 'string', required: true, values: LISTED_COMMAND_TYPES },
      args: text,
      exec_time: { type: 'string', source: 'sample' },
    },
    headers: KEY,
    statuses: [201, 400, 401, 403, 404],
  },
  {
    method: 'PUT',
    path: '/servers/{id}',
    section: '4.4',
    query: { o: { type: 'string', required: true }, server_group_id: text },
    body: {
      ip_addrs: { type: 'strings' },
      exception: flag,
      tags: { type: 'strings' },
      custom_name: text,
      server_group_id: { type: 'integer', source: 'sample' },
    },
    headers: [...KEY, 'Content-Type'],
    statuses: [204, 400, 401, 403, 404],
  },
  {
    method: 'GET',
    path: '/servers',
    section: '4.5',
    query: {
      o: assumed,
      limit,
      page,
      groupId: integer,
      PS_VERSION: text,
      pending: flag,
      patchStatus: { type: 'string', values: ['missing'] },
      policyId: integer,
      exception: flag,
      managed: flag,
      l: { type: 'integer', least: 1, most: 500 },
      p: { type: 'integer', least: 0 },
      needsAttention: { ...flag, source: 'sample' },
      ...includes,
    },
    headers: KEY,
    statuses: [200, 400, 401, 403],
    answer: { as: 'list', shape: shapes.DEVICE_SHAPE, newer: shapes.DEVICE_LIVE_FIELDS },
  },
  {
    method: 'GET',
    path: '/servers/{id}',
    section: '4.6',
    query: { o: required, PS_VERSION: integer },
    headers: KEY,
    statuses: [200, 400, 401, 403, 404],
    answer: { as: 'one', shape: shapes.DEVICE_SHAPE, newer: shapes.DEVICE_LIVE_FIELDS },
  },
  {
    method: 'GET',
    path: '/servers/{id}/packages',
    section: '4.7',
    query: { o: required, limit, page },
    headers: KEY,
    statuses: [200, 400, 401, 403, 404],
    answer: { as: 'list', shape: shapes.PACKAGE_SHAPE, newer: shapes.PACKAGE_LIVE_FIELDS },
  },
  {
    method: 'GET',
    path: '/servers/{id}/queues',
    section: '4.8',
    query: { o: required },
    headers: KEY,
    statuses: [200, 400, 401, 403, 404],
    answer: { as: 'list', shape: shapes.QUEUE_ENTRY_SHAPE },
  },
  {
    method: 'GET',
    path: '/events',
    section: '4.9',
    query: {
      o: assumed,
      limit,
      page,
      countOnly: { type: 'integer', least: 0, most: 1 },
      policyId: integer,
      serverId: integer,
      userId: integer,
      eventName: { type: 'string', values: LISTED_EVENT_NAMES },
      startDate: text,
      endDate: text,
    },
    headers: KEY,
    statuses: [200, 400, 401, 403],
    answer: { as: 'list', shape: shapes.EVENT_SHAPE },
  },
];
