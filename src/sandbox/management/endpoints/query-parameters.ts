/** Types of query parameters, with the service's error texts. */
import { z } from 'zod';

/** Every list takes 1 to 500 rows (§8). */
export const MAX_ROWS = 500;

/** At most 15 digits, which a number holds exactly. */
const DIGITS = /^-?\d{1,15}$/;

function integerParameter(field: string) {
  return z.string().regex(DIGITS, `The ${field} must be an integer.`).transform(Number);
}

export function idParameter(field: string) {
  return integerParameter(field).optional();
}

/** Only 0 and 1; `true` is refused, as on the live service. */
export function flagParameter(field: string) {
  return z
    .enum(['0', '1'], `The ${field} field must be true or false.`)
    .transform((text) => text === '1')
    .optional();
}

/** A day (UTC), as its first moment. */
export function dayParameter(field: string) {
  const message = `The ${field} does not match the format Y-m-d.`;
  return z.iso
    .date(message)
    .transform((text) => Date.parse(`${text}T00:00:00Z`))
    .optional();
}

export function limitParameter(field = 'limit', max = MAX_ROWS) {
  return integerParameter(field)
    .pipe(
      z
        .number()
        .min(1, `The ${field} must be at least 1.`)
        .max(max, `The ${field} may not be greater than ${max}.`),
    )
    .optional();
}

export function pageParameter(field = 'page') {
  return integerParameter(field)
    .pipe(z.number().min(0, `The ${field} must be at least 0.`))
    .optional();
}
