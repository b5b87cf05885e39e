/**
 * Builders of JSON rules: a rule checks a value and reports what is wrong, where, in the words of Slack's own validator
 * (slackhq/hack-json-schema, src/Constraints).
 */
import { isJsonObject } from '../core/json-object.ts';

export type ValidationRule = (value: unknown, pointer: string) => readonly ValidationProblem[];
export type ValidationRules = Readonly<Record<string, ValidationRule>>;

/** Text of `min` to `max` characters, counted in code points. */
export function textRule({ min = 0, max }: { readonly min?: number; readonly max: number }): ValidationRule {
  return (value, pointer) => {
    if (typeof value !== 'string') return invalidType(pointer, 'must provide a string');
    // Counting code points is slow, and never gives more than the length.
    const length = value.length <= max ? value.length : [...value].length;
    const got = String(length);
    if (length < min) {
      const constraint = { type: 'min_length', expected: [String(min)], got };
      return failedConstraint(pointer, `must be more than ${min - 1} characters`, constraint);
    }
    if (length <= max) return [];
    const constraint = { type: 'max_length', expected: [String(max)], got };
    return failedConstraint(pointer, `must be less than ${max + 1} characters`, constraint);
  };
}

export function patternRule(form: RegExp): ValidationRule {
  const says = `input must match regex pattern: ${form.source}`;
  return (value, pointer) => {
    if (typeof value !== 'string') return invalidType(pointer, 'must provide a string');
    const constraint = { type: 'pattern', expected: [form.source], got: shownValue(value) };
    return form.test(value) ? [] : failedConstraint(pointer, says, constraint);
  };
}

export const booleanRule: ValidationRule = (value, pointer) =>
  typeof value === 'boolean' ? [] : invalidType(pointer, 'must be a boolean');

export function integerRule(min: number, max: number): ValidationRule {
  return (value, pointer) => {
    if (!Number.isSafeInteger(value)) return invalidType(pointer, 'must provide an integer');
    const size = Number(value);
    const got = String(size);
    if (size < min)
      return failedConstraint(pointer, `must be greater than ${min}`, {
        type: 'minimum',
        expected: [String(min)],
        got,
      });
    if (size <= max) return [];
    return failedConstraint(pointer, `must be less than ${max}`, {
      type: 'maximum',
      expected: [String(max)],
      got,
    });
  };
}

export const numberRule: ValidationRule = (value, pointer) =>
  typeof value === 'number' ? [] : invalidType(pointer, 'must provide a number');

export function oneOfRule(...words: readonly string[]): ValidationRule {
  return (value, pointer) => {
    if (typeof value !== 'string') return invalidType(pointer, 'must provide a string');
    const constraint = { type: 'enum', expected: words, got: shownValue(value) };
    return words.includes(value) ? [] : failedConstraint(pointer, 'must be a valid enum value', constraint);
  };
}

/** A list of `min` to `max` items, each checked by `rule`. */
export function listRule(
  rule: ValidationRule,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): ValidationRule {
  return (value, pointer) => {
    if (!Array.isArray(value)) return invalidType(pointer, 'must provide an array');
    const got = String(value.length);
    if (value.length < min) {
      const constraint = { type: 'min_items', expected: [String(min)], got };
      return failedConstraint(pointer, `must provide at least ${min} items`, constraint);
    }
    if (value.length > max) {
      const constraint = { type: 'max_items', expected: [String(max)], got };
      return failedConstraint(pointer, `no more than ${max} items allowed`, constraint);
    }
    return value.flatMap((item, index) => rule(item, `${pointer}/${index}`));
  };
}

/** A list of 1 to `max` items, each checked by `rule`, and no two the same. */
export function differentItemsRule(rule: ValidationRule, max: number): ValidationRule {
  const items = listRule(rule, { max });
  return (value, pointer) => {
    const problems = items(value, pointer);
    if (problems.length > 0 || !Array.isArray(value)) return problems;
    const constraint = { type: 'unique_items', got: shownValue(value) };
    return new Set(value).size === value.length
      ? []
      : failedConstraint(pointer, 'Input contains duplicate items', constraint);
  };
}

/** An object with exactly these fields; `also` checks the whole object once its fields are valid. */
export function objectRule(
  required: ValidationRules,
  optional: ValidationRules = {},
  ...also: readonly ValidationRule[]
): ValidationRule {
  const all = { ...optional, ...required };
  const needed = Object.keys(required);
  return (value, pointer) => {
    if (!isJsonObject(value)) return invalidType(pointer, 'must provide an object');
    const problems: ValidationProblem[] = [];
    for (const name of needed) if (value[name] === undefined) problems.push(...missingField(pointer, name));
    for (const name of Object.keys(value)) {
      const rule = Object.hasOwn(all, name) ? all[name] : undefined;
      if (!rule) problems.push(...additionalField(pointer, name));
      else if (value[name] !== undefined) problems.push(...rule(value[name], `${pointer}/${name}`));
    }
    return problems.length > 0 ? problems : also.flatMap((rule) => rule(value, pointer));
  };
}

/** An object whose `type` selects its rule. Rules may contain each other, so they are read at the first value. */
export function byTypeRule(rules: () => ValidationRules): ValidationRule {
  let known: ValidationRules | undefined;
  return (value, pointer) => {
    if (!isJsonObject(value)) return invalidType(pointer, 'must provide an object');
    const type = value['type'];
    if (type === undefined) return missingField(pointer, 'type');
    known ??= rules();
    const rule = typeof type === 'string' && Object.hasOwn(known, type) ? known[type] : undefined;
    return rule ? rule(value, pointer) : unsupported(`${pointer}/type`, type, Object.keys(known));
  };
}

function unsupported(
  pointer: string,
  type: unknown,
  expected: readonly string[],
): readonly ValidationProblem[] {
  const got = shownValue(type);
  return failedConstraint(pointer, `unsupported type: ${got}`, { type: 'enum', expected, got });
}

/** Only the rules of these types. */
export function pickRules(rules: ValidationRules, types: readonly string[]): ValidationRules {
  return Object.fromEntries(Object.entries(rules).filter(([type]) => types.includes(type)));
}

/** The codes of Slack's own validator of JSON schemas (slackhq/hack-json-schema, src/Exceptions.php). */
type ValidationCode = 'failed_constraint' | 'invalid_type' | 'missing_field';
/** Expected and actual value, in words, as the method returns them. */
type Constraint = {
  readonly type: string;
  readonly expected?: readonly string[];
  readonly got: string;
};
/** A problem in a payload: enough for `invalid_blocks` and for the answer of `blocks.validate`. */
export type ValidationProblem = {
  /** A JSON pointer into the payload; it always points to something. */
  readonly pointer: string;
  /** Slack's own pointer, where it points to nothing. */
  readonly shownPointer?: string;
  readonly code: ValidationCode;
  readonly message: string;
  /** The missing property. */
  readonly field?: string;
  readonly constraint?: Constraint;
  /** The call's error code, where it is not the usual one. */
  readonly word?: 'invalid_attachments';
  /** Slack refuses the payload when it is sent, but `blocks.validate` does not report it. */
  readonly onlyWhenSent?: true;
};
type Details = Omit<ValidationProblem, 'pointer' | 'message' | 'code'>;

export function validationProblem(
  pointer: string,
  message: string,
  details: Details = {},
): readonly ValidationProblem[] {
  return [{ pointer, code: 'failed_constraint', message, ...details }];
}

export const NO_MATCH = 'failed to match all allowed schemas';
/** What Slack also says of the object around some problems. */
export function noMatch(pointer: string): readonly ValidationProblem[] {
  return validationProblem(pointer, NO_MATCH, { onlyWhenSent: true });
}

function invalidType(pointer: string, message: string): readonly ValidationProblem[] {
  return [{ pointer, code: 'invalid_type', message }];
}

export function missingField(pointer: string, field: string): readonly ValidationProblem[] {
  return [{ pointer, code: 'missing_field', message: `missing required field: ${field}`, field }];
}

function additionalField(pointer: string, name: string): readonly ValidationProblem[] {
  const got = shownValue(name);
  const constraint = { type: 'additional_properties', got };
  return failedConstraint(pointer, `invalid additional property: ${got}`, constraint);
}

export function failedConstraint(
  pointer: string,
  message: string,
  constraint: Constraint,
): readonly ValidationProblem[] {
  return validationProblem(pointer, message, { constraint });
}

const MAX_SHOWN_VALUE = 100;
/** A value for use in a sentence: short, and without nested content. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_SHOWN_VALUE);
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : String(value);
}

/** Problems as Slack writes them into `errors` and, after `[ERROR] `, into `response_metadata.messages`. */
export function problemLines(problems: readonly ValidationProblem[]): readonly string[] {
  return problems.map(
    ({ pointer, shownPointer = pointer, message }) => `${message} [json-pointer:${shownPointer}]`,
  );
}

/** The error code of a message with these problems. */
export function blocksError(
  problems: readonly ValidationProblem[],
): 'invalid_blocks' | 'invalid_attachments' {
  return problems.find(({ word }) => word !== undefined)?.word ?? 'invalid_blocks';
}

/** The `errors` of `blocks.validate`, which leaves out problems that it does not check. */
export function validationErrors(
  problems: readonly ValidationProblem[],
): readonly Omit<ValidationProblem, 'word' | 'shownPointer' | 'onlyWhenSent'>[] {
  return problems
    .filter(({ onlyWhenSent }) => onlyWhenSent !== true)
    .map(({ word: _word, shownPointer: _shown, onlyWhenSent: _only, ...error }) => error);
}
