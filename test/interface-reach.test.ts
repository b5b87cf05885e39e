/**
 * Each operation, parameter and field of the interface document, with the typed line that reaches it or the reason why
 * none does. Operations and parameters are those of the local service's table, which is compared with the document;
 * fields are those of the client's table, which is compared with its readers.
 */

import { describe, expect, it } from 'vitest';
import { registry } from '../src/commands/index.ts';
import { createLineParser } from '../src/commands/parser/line-parser.ts';
import { readPreviewFilter, toServiceFilters } from '../src/commands/preview.ts';
import { personId } from '../src/lib/ids.ts';
import { createFakeSettings } from './commands/harness/fake-settings.ts';
import { FIELD_COVERAGE } from './fleet/schema/field-mappings.ts';
import { CODE } from './harness/sources.ts';
import {
  DOCUMENTED_ENDPOINTS,
  ENDPOINTS,
  LISTED_COMMAND_TYPES,
  LISTED_EVENT_NAMES,
  LISTED_FILTER_OPERATORS,
} from './sandbox/management/interface/endpoints.ts';

/** A line, or why there is none. */
type Reach = string | { readonly leftOut: string };

const ORGANIZATION: Reach = { leftOut: 'the configured organization, sent with every request' };
const PAGING = {
  limit: { leftOut: 'chosen by the client; lists have their own pages' },
  page: { leftOut: 'chosen by the client; lists have their own pages' },
} as const satisfies Record<string, Reach>;

const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Reach>>>> = {
  'POST /servergroups': {
    o: ORGANIZATION,
    name: 'group-create Kiosks',
    refresh_interval: 'group-create Kiosks every:12h',
    parent_server_group_id: 'group-create Kiosks parent:Servers',
    ui_color: 'group-create Kiosks color:"Pine Green"',
    notes: 'group-create Kiosks notes:"by the door"',
    enable_os_auto_update: 'group-create Kiosks updates:on',
    enable_wsus: 'group-create Kiosks wsus:off',
    wsus_server: 'group-create Kiosks wsus:http://wsus.example:8530',
    policies: 'group-create Kiosks policy:"Apply All Patches"',
  },
  'POST /policies/device-filters-preview': {
    o: ORGANIZATION,
    ...PAGING,
    device_filters: 'preview host:web',
    server_groups: 'preview host:web group:Servers',
  },
  'POST /servers/{id}/queues': {
    o: ORGANIZATION,
    command_type_name: 'scan web-01',
    args: 'patch web-01 openssl',
    exec_time: { leftOut: 'in samples only, not in the parameter list (§4.3)' },
  },
  'PUT /servers/{id}': {
    o: ORGANIZATION,
    server_group_id: 'device-edit web-01 group:Servers',
    ip_addrs: 'device-edit web-01 ip:192.0.2.9',
    exception: 'device-edit web-01 exception:yes',
    tags: 'device-edit web-01 tag:dmz -tag:old',
    custom_name: 'device-edit web-01 name:"Front door"',
  },
  'GET /servers': {
    o: ORGANIZATION,
    ...PAGING,
    groupId: 'devices group:Servers',
    PS_VERSION: 'devices powershell:5.1',
    pending: 'devices is:pending',
    patchStatus: 'devices is:patches-available',
    policyId: 'devices policy:"Apply All Patches"',
    exception: 'devices is:exception',
    managed: 'devices is:unmanaged',
    l: { leftOut: 'deprecated (§4.5)' },
    p: { leftOut: 'deprecated (§4.5)' },
    needsAttention: 'devices is:attention',
    include_details: 'devices powershell:5.1',
    include_server_events: { leftOut: 'the device itself is read with them' },
    include_next_patch_time: { leftOut: 'the device itself is read with it' },
    exclude_policy_status: { leftOut: 'chosen by the client' },
  },
  'GET /servers/{id}': {
    o: ORGANIZATION,
    PS_VERSION: { leftOut: 'the document does not say what it does for one device (§4.6)' },
  },
  'GET /servers/{id}/packages': { o: ORGANIZATION, ...PAGING },
  'GET /servers/{id}/queues': { o: ORGANIZATION },
  'GET /events': {
    o: ORGANIZATION,
    ...PAGING,
    countOnly: 'events',
    policyId: 'events policy:"Apply All Patches"',
    serverId: 'events web-01',
    userId: 'events user:#5',
    eventName: 'events web-01 name:patch-failed',
    startDate: 'events days:30',
    endDate: 'events until:2026-11-20',
  },
};

/** Lines of the operations that have no parameters of their own, that §4.10 only names, or that are newer. */
const OPERATIONS: Readonly<Record<string, Reach>> = {
  'GET /servers/{id}': 'device web-01',
  'DELETE /servers/{id}': 'device-remove web-01',
  'GET /servers/{id}/packages': 'packages web-01 is:all',
  'GET /servers/{id}/queues': 'queue web-01',
  'GET /servers/{id}/queues/{entry}': 'scan web-01',
  'POST /servers/batch': 'device-edit web-01,db-01 tag:dmz',
  'GET /servergroups': 'groups',
  'GET /servergroups/{id}': 'group Servers',
  'PUT /servergroups/{id}': 'group-edit Servers every:6h',
  'DELETE /servergroups/{id}': 'group-remove Servers',
  'GET /policies': 'policies',
  'GET /policies/{id}': 'policy "Apply All Patches"',
  'POST /policies': 'policy-create "Weekly patches"',
  'PUT /policies/{id}': 'policy-edit "Apply All Patches" time:05:00',
  'POST /policies/{id}/action': 'policy-remediate web-01 policy:"Disable SMBv1"',
  'GET /orgs': 'organization',
  'GET /orgs/{id}/packages': 'missing openssl',
};

const COMMAND_LINES: Readonly<Record<string, string>> = {
  GetOS: 'scan web-01',
  InstallUpdate: 'patch web-01 openssl',
  InstallAllUpdates: 'patch web-01',
  'policy_{id}_test': 'policy-test web-01 policy:"Disable SMBv1"',
  'policy_{id}_remediate': 'policy-remediate web-01 policy:"Disable SMBv1"',
  Reboot: 'reboot web-01',
};

/** The line that shows the fields of each table. */
const SHOWN_BY: Readonly<Record<keyof typeof FIELD_COVERAGE, string>> = {
  '§2.1': 'group Servers',
  '§2.2': 'device web-01',
  '§2.3': 'device web-01 hardware',
  '§2.4': 'device web-01 policies',
  '§2.5': 'device web-01 policies',
  '§2.6': 'packages web-01 is:all',
  '§2.7': 'queue web-01',
  '§2.8': 'events web-01',
  '§6': 'events name:notification-answered',
  '§4.2': 'preview host:web',
};

const parse = createLineParser({ registry, settings: createFakeSettings() });
const kindOf = async (line: string) => {
  const read = await parse(line, personId('UOPERATOR'));
  return read.kind === 'command' ? 'taken' : JSON.stringify(read);
};
const linesIn = (table: Readonly<Record<string, Reach>>) =>
  Object.values(table).filter((reach) => typeof reach === 'string');

describe('operations and parameters', () => {
  it.each(DOCUMENTED_ENDPOINTS)('of $method $path are all in the table', ({ method, path, query, body }) => {
    const names = Object.keys({ ...query, ...body });
    expect(Object.keys(PARAMETERS[`${method} ${path}`] ?? {}).sort()).toEqual(names.sort());
  });

  it('have a row for each endpoint, those of §4.10 and newer ones included', () => {
    const rows = Object.keys({ ...PARAMETERS, ...OPERATIONS });
    expect(rows.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(
    [...Object.values(PARAMETERS), OPERATIONS, COMMAND_LINES, SHOWN_BY].flatMap((table) => linesIn(table)),
  )('are reached by “%s”', async (line) => {
    expect(await kindOf(line)).toBe('taken');
  });

  it('have a command for each command type', () => {
    const types = LISTED_COMMAND_TYPES.map((type) =>
      type.replace(/^policy_.*_(?=test|remediate)/, 'policy_{id}_'),
    );
    expect(Object.keys(COMMAND_LINES).sort()).toEqual([...new Set(types)].sort());
  });

  it.each(LISTED_EVENT_NAMES)('have both ways to ask for the event %s', async (name) => {
    expect(await kindOf(`events web-01 name:${name}`)).toBe('taken');
    expect(await kindOf(`subscribe here to ${name}`)).toBe('taken');
  });

  it('have every operator of every field of a device filter', () => {
    const keys = ['os', 'version', 'tag', 'ip', 'host'];
    const typed = keys.flatMap((key) =>
      [false, true].map((negated) => ({ key, value: '1', negated, text: key })),
    );
    const filters = typed.map((part) => readPreviewFilter(part));
    const sent = toServiceFilters(filters.flatMap((read) => (read.kind === 'input' ? [read.input] : [])));
    const asTyped = sent.map(({ field, op }) => `${field} ${op.replace('not_in', 'not in')}`);
    const listed = Object.entries(LISTED_FILTER_OPERATORS).flatMap(([field, ops]) =>
      ops.map((op) => `${field} ${op}`),
    );
    expect(asTyped.sort()).toEqual(listed.sort());
  });
});

/** All code that uses the client's model. */
const OUTSIDE_CLIENT = CODE.filter(({ path }) =>
  /^src\/(views|inventory|commands|requests|watch)\//.test(path),
)
  .map(({ text }) => text)
  .join('\n');

describe('methods of the client', () => {
  const source = (path: string) => CODE.find((file) => file.path === path)?.text ?? '';
  const methodsOf = (type: string, path: string) => {
    const [, body = ''] =
      new RegExp(`export type ${type} = \\{\\n(.*?)\\n\\};`, 's').exec(source(path)) ?? [];
    return [...body.matchAll(/^ {2}readonly (\w+): \(/gm)].map(([, name = '']) => name);
  };
  const CALLERS = CODE.filter(({ path }) => !/^src\/(fleet|sandbox)\//.test(path));

  it.each([
    ['FleetReader', 'src/fleet/fleet.ts', 13],
    ['FleetWriter', 'src/fleet/fleet.ts', 1],
    ['FleetEditor', 'src/fleet/fleet.ts', 11],
  ])('of %s are all called outside of it', (type, path, least) => {
    const methods = methodsOf(type, path);
    expect(methods.length).toBeGreaterThanOrEqual(least);
    const called = (name: string) => new RegExp(`\\b(fleet|reader|writer|editor)\\s*\\.${name}\\(`);
    expect(methods.filter((name) => !CALLERS.some(({ text }) => called(name).test(text)))).toEqual([]);
  });
});

describe('fields', () => {
  it('of the model are used outside the client', () => {
    const paths = Object.values(FIELD_COVERAGE)
      .flatMap((table) => Object.values(table))
      .filter((place): place is string => typeof place === 'string');
    const unused = paths.filter((place) => {
      const [last = ''] = place.replaceAll('[]', '').split('.').slice(-1);
      return !new RegExp(`\\b${last}\\b`).test(OUTSIDE_CLIENT);
    });
    expect(unused).toEqual([]);
  });

  it('and parameters that are left out have a reason', () => {
    const reaches: readonly unknown[] = [
      ...[...Object.values(PARAMETERS), OPERATIONS].flatMap((table) => Object.values(table)),
      ...Object.values(FIELD_COVERAGE).flatMap((table) => Object.values(table)),
    ];
    const reasons = reaches.flatMap((one) =>
      typeof one === 'object' && one !== null && 'leftOut' in one ? [String(one.leftOut)] : [],
    );
    expect(reasons.filter((reason) => reason.trim().length < 10)).toEqual([]);
  });
});
