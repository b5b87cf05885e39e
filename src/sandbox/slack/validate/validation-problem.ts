/** A problem in a payload: enough for `invalid_blocks` and for the answer of `blocks.validate`. */
import { isJsonObject } from '../core/json-object.ts';

/** The codes of Slack's own validator of JSON schemas (slackhq/hack-json-schema, src/Exceptions.php). */
export type ValidationCode = 'failed_constraint' | 'invalid_type' | 'missing_field';
/** Expected and actual value, in words, as the method returns them. */
export type Constraint = {
  readonly type: string;
  readonly expected?: readonly string[];
  readonly got: string;
};
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

/** The problem of a value that breaks a rule. */
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

/** The problem of a value of another type. */
export function invalidType(pointer: string, message: string): readonly ValidationProblem[] {
  return [{ pointer, code: 'invalid_type', message }];
}

export function missingField(pointer: string, field: string): readonly ValidationProblem[] {
  return [{ pointer, code: 'missing_field', message: `missing required field: ${field}`, field }];
}

export function additionalField(pointer: string, name: string): readonly ValidationProblem[] {
  const got = shownValue(name);
  const constraint = { type: 'additional_properties', got };
  return failedConstraint(pointer, `invalid additional property: ${got}`, constraint);
}

/** A constraint and its sentence. */
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
