/** Device filters of a request body (§2.9): as documented, each field has its own operators, and no others. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import type { DeviceFilterClause, DeviceFilterField } from '../world/model.ts';
import { EXACT_FIELDS, TEXT_FIELDS } from '../world/queries/device-filters.ts';
import { listField, oneOfField, selectedField, textField } from './body-fields.ts';

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

export function deviceFilters(profile: Operators) {
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
