/** Device filters as a body gives them (§2.9): each field with its own operators, and no others. */
import { z } from 'zod';
import type { Profile } from '../profiles.ts';
import { type Filter, type FilterField, TEXT_FIELDS, WHOLE_FIELDS } from '../world/filters.ts';
import { list, oneOf, selected, text } from './body-fields.ts';

/** Other casings are refused ("in practice" 5.1). */
const FAMILIES = ['Windows', 'Mac', 'Linux'];
/** Fields of the document; the profile names those that came later. */
const FIELDS: readonly FilterField[] = ['os_family', 'os_version_id', 'ip_addr', 'tag', 'hostname'];

export function deviceFilters(profile: Profile) {
  const known = [...FIELDS, ...TEXT_FIELDS.filter((field) => profile.newerFilterFields.includes(field))];
  return list(
    'device_filters',
    z
      .object(
        {
          field: oneOf('field', known),
          op: text('op'),
          value: list('value', text('value')),
        },
        'Each of the device_filters must be an object.',
      )
      .transform((clause, context): Filter => {
        const filter = filterOf(clause, profile);
        if (filter !== undefined) return filter;
        context.addIssue({ code: 'custom', message: selected(`op for ${clause.field}`) });
        return z.NEVER;
      })
      .refine(
        ({ field, values }) => field !== 'os_family' || values.every((value) => FAMILIES.includes(value)),
        {
          error: selected('value for os_family'),
        },
      ),
  );
}

type Clause = { readonly field: FilterField; readonly op: string; readonly value: readonly string[] };

/** Undefined where the field does not have the operator. */
function filterOf({ field, op, value }: Clause, profile: Profile): Filter | undefined {
  const whole: readonly string[] = WHOLE_FIELDS;
  const test = whole.includes(field) ? 'is' : 'contains';
  const [straight, turned] = test === 'is' ? ['in', profile.notInOperator] : ['like_any', 'not_like_any'];
  if (op !== straight && op !== turned) return undefined;
  return { field, test, turned: op === turned, values: value };
}
