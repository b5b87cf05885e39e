/** Arguments of a call, from JSON or from a form's text. */
import { parseJson } from '../../../parse-json.ts';
import type { JsonObject } from '../../core/json-object.ts';

export type CallArguments = {
  readonly all: JsonObject;
  readonly has: (name: string) => boolean;
  /** A text; an empty one counts as absent, as in Slack's form fields. */
  readonly text: (name: string) => string | undefined;
  readonly number: (name: string) => number | undefined;
  readonly flag: (name: string) => boolean;
  /** A structure, which inside a form is JSON text; undefined when it is no JSON. */
  readonly structure: (name: string) => unknown;
};

export function createCallArguments(fields: JsonObject): CallArguments {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    all: fields,
    has: (name) => ![undefined, null, ''].some((nothing) => nothing === fields[name]),
    text,
    number: (name) => {
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
    flag: (name) => [true, 'true', '1', 1].some((yes) => yes === fields[name]),
    structure: (name) => {
      const value = fields[name];
      return typeof value === 'string' ? parseJson(value) : value;
    },
  };
}
