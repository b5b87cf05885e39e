/** `POST /policies/device-filters-preview` (§4.2): the devices that filters match. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import { EXACT_FIELDS, matchesAll, organizationalUnit, TEXT_FIELDS } from '../world/devices.ts';
import type { DeviceFilterClause, DeviceFilterField, WorldDevice, WorldGroup } from '../world/model.ts';
import type { World } from '../world/world.ts';
import { briefGroupJson } from './groups.ts';
import {
  allGroupsExist,
  type EndpointContext,
  forbiddenResponse,
  integerField,
  invalidResponse,
  limitParameter,
  listField,
  oneOfField,
  pageParameter,
  parseBody,
  parseQuery,
  plainErrorResponse,
  requiredField,
  selectedField,
  slicePage,
  textField,
} from './requests.ts';

/** §8 */
const ROWS_MAX = 200;
const DEFAULT_ROWS = 25;

const Query = z.object({ limit: limitParameter('limit', ROWS_MAX), page: pageParameter() });
const Groups = z.object({
  server_groups: listField('server_groups', integerField('server_groups')).nullish(),
});

export function previewFilters(service: EndpointContext, params: URLSearchParams, text: string): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const body = parseBody(text, Groups);
  if (body instanceof Response) return body;
  const groupIds = body.server_groups ?? [];
  if (groupIds.length === 0) return withoutGroups(service);
  const requested = parseBody(text, z.object({ device_filters: deviceFilters(service.profile) }));
  if (requested instanceof Response) return requested;
  if (!allGroupsExist(service, groupIds)) return forbiddenResponse();
  const { state } = service.world();
  const found = devicesIn(state, groupIds, requested.device_filters);
  const view: PreviewView = { ...state, profile: service.profile };
  const rows = slicePage(found, query, DEFAULT_ROWS).map((device) => previewJson(device, view));
  return Response.json({ size: found.length, results: rows });
}

/**
 * The live service fails where no groups are named ("in practice" 8).
 * Assumption (§4.2): an empty list names none.
 */
function withoutGroups({ profile }: EndpointContext): Response {
  return profile.previewWithoutGroups === 500
    ? plainErrorResponse(500, 'Server Error')
    : invalidResponse({ server_groups: [requiredField('server_groups')] });
}

function devicesIn(world: World, groupIds: readonly number[], filters: readonly DeviceFilterClause[]) {
  const groups = new Set(groupIds);
  return [...world.devices.values()].filter(
    (device) => groups.has(device.groupId) && matchesAll(device, filters),
  );
}

/** Device filters of a request body (§2.9): as documented, each field has its own operators, and no others. */

/** Other spellings of upper and lower case are refused ("in practice" 5.1). */
export const FAMILIES: readonly string[] = ['Windows', 'Mac', 'Linux'];
/** Fields of the document; the profile adds newer ones. */
const FILTER_FIELDS: readonly DeviceFilterField[] = [
  'os_family',
  'os_version_id',
  'ip_addr',
  'tag',
  'hostname',
];

type Operators = Pick<Profile, 'filterOperators' | 'newerFilterFields' | 'notInOperator'>;
const ANY: Operators = { filterOperators: 'any', newerFilterFields: TEXT_FIELDS, notInOperator: 'not_in' };

/**
 * Which devices of its groups a policy is for. Without `device_filters_enabled` the live service ignores them
 * (automox-mcp, CHANGELOG, seen 2026-06-03). Assumption (in practice 9): a field that is not known here excludes nothing.
 */
export function enabledFilters(
  configuration: Readonly<Record<string, unknown>>,
): readonly DeviceFilterClause[] {
  const { device_filters_enabled: isOn, device_filters: sent } = configuration;
  if (isOn !== true || !Array.isArray(sent)) return [];
  return sent.flatMap((clause) => deviceFilters(ANY).safeParse([clause]).data ?? []);
}

function deviceFilters(profile: Operators) {
  const known = [
    ...FILTER_FIELDS,
    ...TEXT_FIELDS.filter((field) => profile.newerFilterFields.includes(field)),
  ];
  return listField(
    'device_filters',
    z
      .object(
        {
          field: oneOfField('field', known),
          op: textField('op'),
          value: listField('value', valueField(profile)),
        },
        'Each of the device_filters must be an object.',
      )
      .transform((clause, context): DeviceFilterClause => {
        const filter = filterClauseOf(clause, profile);
        if (filter !== undefined) return filter;
        context.addIssue({ code: 'custom', message: selectedField(`op for ${clause.field}`) });
        return z.NEVER;
      })
      .refine(
        ({ field, values }) => field !== 'os_family' || values.every((value) => FAMILIES.includes(value)),
        {
          error: selectedField('value for os_family'),
        },
      ),
  );
}

/** Newer descriptions take numbers and booleans beside texts. */
function valueField(profile: Operators) {
  const text = textField('value');
  return profile.filterOperators === 'any' ? z.union([text, z.number().transform(String)]) : text;
}

type Clause = { readonly field: DeviceFilterField; readonly op: string; readonly value: readonly string[] };

/** Undefined where the field does not have the operator. */
function filterClauseOf({ field, op, value }: Clause, profile: Operators): DeviceFilterClause | undefined {
  const found = operators(profile).find(({ name }) => name === op);
  if (found === undefined) return undefined;
  const whole: readonly string[] = EXACT_FIELDS;
  const own = whole.includes(field) ? 'is' : 'contains';
  if (profile.filterOperators === 'by field' && found.test !== own) return undefined;
  return { field, test: found.test, turned: found.turned, values: value };
}

function operators(profile: Operators) {
  return [
    { name: 'in', test: 'is', turned: false },
    { name: profile.notInOperator, test: 'is', turned: true },
    { name: 'like_any', test: 'contains', turned: false },
    { name: 'not_like_any', test: 'contains', turned: true },
  ] as const;
}

/** A device as a row of a filter preview (§4.2). */

type PreviewView = {
  readonly organizationId: number;
  readonly profile: Profile;
  readonly groups: ReadonlyMap<number, WorldGroup>;
};

function previewJson(device: WorldDevice, { organizationId, profile, groups }: PreviewView): object {
  const group = groups.get(device.groupId);
  return {
    id: device.id,
    uuid: device.uuid,
    name: device.name,
    custom_name: device.customName ?? '',
    server_group: group === undefined ? null : briefGroupJson(group, organizationId),
    os_version: device.platform.osVersion,
    os_family: device.platform.family,
    ...addresses(device, profile),
    tags: device.tags,
    ...(profile.newerFields ? { organizational_unit: unitsOf(device) } : {}),
  };
}

/** A list here, although the device itself has a text. */
function unitsOf(device: WorldDevice): readonly string[] {
  const unit = organizationalUnit(device);
  return unit === '' ? [] : [unit];
}

function addresses(device: WorldDevice, { previewAddresses: names }: Profile): object {
  return {
    [names.public]: names.public === 'ip_addr' ? (device.addresses[0] ?? '') : device.addresses,
    [names.private]: device.privateAddresses,
  };
}
