/** Rules for JSON: each looks at a value and says what is wrong with it, where, in Slack's words. */
import { isFields } from '../json.ts';

/** `pointer` is a JSON pointer into what was sent. */
export type Problem = { readonly pointer: string; readonly message: string };
export type Rule = (value: unknown, pointer: string) => readonly Problem[];
export type Rules = Readonly<Record<string, Rule>>;

export function problem(pointer: string, message: string): readonly Problem[] {
  return [{ pointer, message }];
}

/**
 * Text of `min` to `max` characters. Slack does not say how it counts; UTF-16 units are never fewer than
 * characters, so what passes here passes there.
 */
export function text({ min = 0, max }: { readonly min?: number; readonly max: number }): Rule {
  return (value, pointer) => {
    if (typeof value !== 'string') return problem(pointer, 'must be a string');
    if (value.length < min) return problem(pointer, `must be more than ${min - 1} characters`);
    return value.length > max ? problem(pointer, `must be less than ${max + 1} characters`) : [];
  };
}

export function pattern(shape: RegExp, says: string): Rule {
  return (value, pointer) => (typeof value === 'string' && shape.test(value) ? [] : problem(pointer, says));
}

export const flag: Rule = (value, pointer) =>
  typeof value === 'boolean' ? [] : problem(pointer, 'must be a boolean');

export function integer(min: number, max: number): Rule {
  return (value, pointer) => {
    if (!Number.isSafeInteger(value)) return problem(pointer, 'must be an integer');
    const size = Number(value);
    if (size < min) return problem(pointer, `must be at least ${min}`);
    return size > max ? problem(pointer, `must be at most ${max}`) : [];
  };
}

export const number: Rule = (value, pointer) =>
  typeof value === 'number' ? [] : problem(pointer, 'must be a number');

export function oneOf(...words: readonly string[]): Rule {
  return (value, pointer) =>
    words.some((word) => word === value) ? [] : problem(pointer, 'must be a valid enum value');
}

export function webAddress(max: number): Rule {
  return (value, pointer) => {
    const problems = text({ min: 1, max })(value, pointer);
    if (problems.length > 0) return problems;
    return URL.canParse(String(value)) ? [] : problem(pointer, 'must be a valid URL');
  };
}

/** A list of `min` to `max` items, each held to `rule`. */
export function items(rule: Rule, { min = 1, max }: { readonly min?: number; readonly max: number }): Rule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return problem(pointer, 'must provide an array');
    if (value.length < min) return problem(pointer, `no fewer than ${min} items allowed`);
    if (value.length > max) return problem(pointer, `no more than ${max} items allowed`);
    return value.flatMap((item, index) => rule(item, `${pointer}/${index}`));
  };
}

/** An object with exactly these fields; `also` looks at the whole once its fields are in order. */
export function shape(required: Rules, optional: Rules = {}, ...also: readonly Rule[]): Rule {
  const all = { ...optional, ...required };
  return (value, pointer) => {
    if (!isFields(value)) return problem(pointer, 'must provide an object');
    const missing = Object.keys(required)
      .filter((name) => value[name] === undefined)
      .flatMap((name) => problem(pointer, `missing required field: ${name}`));
    const wrong = Object.entries(value).flatMap(([name, field]) => {
      const rule = Object.hasOwn(all, name) ? all[name] : undefined;
      if (!rule) return problem(pointer, `invalid additional property: ${name}`);
      return field === undefined ? [] : rule(field, `${pointer}/${name}`);
    });
    const problems = [...missing, ...wrong];
    return problems.length > 0 ? problems : also.flatMap((rule) => rule(value, pointer));
  };
}

/** An object whose `type` chooses its rule. */
export function byType(rules: () => Rules): Rule {
  return (value, pointer) => {
    if (!isFields(value)) return problem(pointer, 'must provide an object');
    const type = value['type'];
    if (type === undefined) return problem(pointer, 'missing required field: type');
    const known = rules();
    const rule = typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined;
    return rule ? rule(value, pointer) : problem(`${pointer}/type`, `unsupported type: ${String(type)}`);
  };
}

/** The rule of these types, and of no others. */
export function pick(rules: Rules, types: readonly string[]): Rules {
  return Object.fromEntries(Object.entries(rules).filter(([type]) => types.includes(type)));
}
