/** Compares answers with the interface document: the build of the answer, and every field, type and form. */
import { type NamedType, wordsUnder } from '../coverage/interface-document.ts';
import { isObject, type Json } from '../coverage/json-fields.ts';
import { type Endpoint, objectsIn, type Reply } from './letter-client.ts';

/** Everything in which an answer differs from the document: each kind of difference once. */
export function disagreements(endpoint: Endpoint, { status, body }: Reply): readonly string[] {
  const found = new Set<string>();
  if (status !== endpoint.status) found.add(`the status is ${status}, documented as ${endpoint.status}`);
  if (endpoint.answer === 'nothing') {
    if (body !== null) found.add('there is a body');
    return [...found];
  }
  const isPage = isObject(body) && Number.isInteger(body['size']) && Array.isArray(body['results']);
  const isBuilt = {
    one: isObject(body),
    'one, perhaps in a list': isObject(body) || (Array.isArray(body) && body.length === 1),
    list: Array.isArray(body),
    page: isPage,
  }[endpoint.answer];
  if (!isBuilt) found.add(`the answer is no ${endpoint.answer}`);
  for (const object of objectsIn(endpoint, body))
    for (const field of endpoint.fields)
      for (const value of valuesAt(object, field.name)) {
        const what = fault(field, value, endpoint);
        if (what !== null) found.add(`${field.name} ${what}`);
      }
  return [...found];
}

const ABSENT = Symbol('absent');

/**
 * The values at a path; a missing key is {@link ABSENT}. Lists are entered where the path has `[]`. What an empty object
 * lacks is not said again.
 */
function valuesAt(object: Json, path: string): readonly unknown[] {
  return path.split('.').reduce<readonly unknown[]>(
    (holders, step) =>
      holders.filter(isFilled).flatMap((holder) => {
        const name = step.replace('[]', '');
        const value = name in holder ? holder[name] : ABSENT;
        return step.endsWith('[]') && Array.isArray(value) ? value : [value];
      }),
    [object],
  );
}

function isFilled(value: unknown): value is Json {
  return isObject(value) && Object.keys(value).length > 0;
}

const COMMANDS = wordsUnder('command_type_name | Effect').map((word) => word.replace('{policy_id}', '\\d+'));
const EVENTS = wordsUnder('Event name | Meaning');
/** Texts of which the document lists every value. */
const LISTED = {
  command_type_name: new RegExp(`^(?:${COMMANDS.join('|')})$`),
  name: new RegExp(`^(?:${EVENTS.join('|').replaceAll('.', '\\.')})$`),
};

function fault(
  { name, type, nullable }: NamedType,
  value: unknown,
  { fields, forms }: Endpoint,
): string | null {
  const form = forms.get(name);
  if (value === ABSENT) return 'is missing';
  if (value === null) return nullable || type === '' ? null : 'is null';
  if (!isOfType(type, value)) return `is no ${type}`;
  const hasFields = fields.some((field) => field.name.startsWith(`${name}.`));
  if (type === 'object' && hasFields && !isFilled(value)) return 'is empty';
  if (form !== undefined && typeof value === 'string' && !formPattern(form).test(value))
    return `is not of the form ${form}`;
  return null;
}

/** Whether a listed text, an event's or a command's, is one of the document. */
export function isListed(field: keyof typeof LISTED, value: unknown): boolean {
  return LISTED[field].test(String(value));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'integers':
      return Array.isArray(value) && value.every(Number.isSafeInteger);
    case 'object':
      return isObject(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    default:
      // "value" and what is not shown.
      return true;
  }
}

/** Letters of a form stand for digits: `YYYY`, `hh`, `ffffff`; `#RRGGBB` for hexadecimal ones. */
function formPattern(form: string): RegExp {
  if (form === 'digits') return /^\d+$/;
  if (form.startsWith('#')) return /^#[\da-f]{6}$/i;
  const pattern = form
    .replace('UTC-', 'UTC[+-]')
    .replace('+0000', '[+-]0000')
    .replaceAll('.', '\\.')
    .replaceAll(/Y{4}|M{2}|D{2}|h{2}|m{2}|s{2}|f{3,6}/g, (letters) => `\\d{${letters.length}}`);
  return new RegExp(`^${pattern}$`);
}
