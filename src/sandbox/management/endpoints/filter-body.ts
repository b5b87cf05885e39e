/** Device filters of a request body (§2.9): each field has its own operators, and no others. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import {
  type DeviceFilterClause,
  type DeviceFilterField,
  EXACT_FIELDS,
  TEXT_FIELDS,
} from '../world/queries/device-filters.ts';
import { listField, oneOfField, selectedField, textField } from './body-fields.ts';

/** Other spellings of upper and lower case are refused ("in practice" 5.1). */
const FAMILIES = ['Windows', 'Mac', 'Linux'];
/** Fields of the document; the profile adds newer ones. */
const FILTER_FIELDS: readonly DeviceFilterField[] = [
  'os_family',
  'os_version_id',
  'ip_addr',
  'tag',
  'hostname',
];

export function deviceFilters(profile: Profile) {
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
          value: listField('value', textField('value')),
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

type Clause = { readonly field: DeviceFilterField; readonly op: string; readonly value: readonly string[] };

/** Undefined where the field does not have the operator. */
function filterClauseOf({ field, op, value }: Clause, profile: Profile): DeviceFilterClause | undefined {
  const whole: readonly string[] = EXACT_FIELDS;
  const test = whole.includes(field) ? 'is' : 'contains';
  const [straight, turned] = test === 'is' ? ['in', profile.notInOperator] : ['like_any', 'not_like_any'];
  if (op !== straight && op !== turned) return undefined;
  return { field, test, turned: op === turned, values: value };
}
