/** Device filters of a request (§2.9), and `POST /policies/device-filters-preview` (§4.2): the devices that they match. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import { EXACT_FIELDS, matchesAll, organizationalUnit, TEXT_FIELDS } from '../world/devices.ts';
import type { DeviceFilterClause, WorldDevice } from '../world/model.ts';
import { briefGroupJson } from './groups.ts';
import {
  type Call,
  integerField,
  invalid,
  limitParameter,
  listField,
  oneOfField,
  PageQuery,
  parseBody,
  parseQuery,
  plainErrorResponse,
  Refusal,
  requiredField,
  requireGroups,
  selectedField,
  slicePage,
  textField,
  type View,
} from './requests.ts';

/** §8 */
const ROWS_MAX = 200;
const DEFAULT_ROWS = 25;

const Query = PageQuery.extend({ limit: limitParameter('limit', ROWS_MAX) });
const Groups = z.object({
  server_groups: listField('server_groups', integerField('server_groups')).nullish(),
});

/**
 * The live service fails where no groups are named ("in practice" 8).
 * Assumption (§4.2): an empty list names none.
 */
export function previewFilters(call: Call): Response {
  const { profile, world } = call;
  const query = parseQuery(call, Query);
  const groupIds = parseBody(call, Groups).server_groups ?? [];
  if (groupIds.length === 0)
    throw profile.previewWithoutGroups === 500
      ? new Refusal(plainErrorResponse(500, 'Server Error'))
      : invalid({ server_groups: [requiredField('server_groups')] });
  const { device_filters: filters } = parseBody(call, z.object({ device_filters: deviceFilters(profile) }));
  requireGroups(call, groupIds);
  const groups = new Set(groupIds);
  const found = world.devices
    .values()
    .filter((device) => groups.has(device.groupId) && matchesAll(device, filters));
  const rows = slicePage(found, query, DEFAULT_ROWS).map((device) => previewJson(device, call));
  return Response.json({ size: found.length, results: rows });
}

function previewJson(device: WorldDevice, { world, profile }: View): object {
  const group = world.groups.get(device.groupId);
  const unit = organizationalUnit(device);
  const { previewAddresses: names } = profile;
  return {
    id: device.id,
    uuid: device.uuid,
    name: device.name,
    custom_name: device.customName ?? '',
    server_group: group === undefined ? null : briefGroupJson(group, world.organizationId),
    os_version: device.platform.osVersion,
    os_family: device.platform.family,
    [names.public]: names.public === 'ip_addr' ? (device.addresses[0] ?? '') : device.addresses,
    [names.private]: device.privateAddresses,
    tags: device.tags,
    // A list here, although the device itself has a text.
    ...(profile.newerFields ? { organizational_unit: unit === '' ? [] : [unit] } : {}),
  };
}

/** Other spellings of upper and lower case are refused ("in practice" 5.1). */
export const FAMILIES: readonly string[] = ['Windows', 'Mac', 'Linux'];

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

/** As documented, each field has its own operators, and no others. */
function deviceFilters(profile: Operators) {
  const { filterOperators, newerFilterFields, notInOperator } = profile;
  const operators = [
    { name: 'in', test: 'is', turned: false },
    { name: notInOperator, test: 'is', turned: true },
    { name: 'like_any', test: 'contains', turned: false },
    { name: 'not_like_any', test: 'contains', turned: true },
  ] as const;
  const newer: readonly string[] = ['organizational_unit', 'serial_number'];
  const isKnown = (field: string) => !newer.includes(field) || newerFilterFields.includes(field);
  const exact: readonly string[] = EXACT_FIELDS;
  const text = textField('value');
  const clause = z.object(
    {
      field: oneOfField('field', [...EXACT_FIELDS, ...TEXT_FIELDS.filter(isKnown)]),
      op: textField('op'),
      // Newer descriptions take numbers and booleans beside texts.
      value: listField(
        'value',
        filterOperators === 'any' ? z.union([text, z.number().transform(String)]) : text,
      ),
    },
    'Each of the device_filters must be an object.',
  );
  return listField(
    'device_filters',
    clause
      .transform(({ field, op, value: values }, context): DeviceFilterClause => {
        const found = operators.find(({ name }) => name === op);
        const own = exact.includes(field) ? 'is' : 'contains';
        if (found !== undefined && (filterOperators === 'any' || found.test === own))
          return { field, test: found.test, turned: found.turned, values };
        context.addIssue({ code: 'custom', message: selectedField(`op for ${field}`) });
        return z.NEVER;
      })
      .refine(
        ({ field, values }) => field !== 'os_family' || values.every((value) => FAMILIES.includes(value)),
        { error: selectedField('value for os_family') },
      ),
  );
}
