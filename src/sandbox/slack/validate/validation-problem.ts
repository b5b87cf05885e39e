/** What is wrong with a payload: enough for `invalid_blocks` and for the answer of `blocks.validate`. */
import { isJsonObject } from '../core/json-object.ts';

/**
 * Assumption (docs.slack.dev/reference/methods/blocks.validate): the page shows `failed_constraint` alone; the
 * other two are named after Slack's sentences for them.
 */
export type ValidationCode = 'failed_constraint' | 'missing_required_field' | 'invalid_additional_property';
/** What was asked for and what was found, in words, as the method answers it. */
export type Constraint = {
  readonly type: string;
  readonly expected: readonly string[];
  readonly got: string;
};
export type ValidationProblem = {
  /** A JSON pointer into what was sent; it always leads somewhere. */
  readonly pointer: string;
  readonly code: ValidationCode;
  readonly message: string;
  /** The property that is missing or too much. */
  readonly field?: string;
  readonly constraint?: Constraint;
  /** The error word of the call, where it is not the usual one. */
  readonly word?: 'invalid_attachments';
  /** Slack refuses the payload when it is sent, but `blocks.validate` does not say so. */
  readonly onlyWhenSent?: true;
};
type Details = Omit<ValidationProblem, 'pointer' | 'message' | 'code'>;

/** A value that breaks a rule. */
export function validationProblem(
  pointer: string,
  message: string,
  details: Details = {},
): readonly ValidationProblem[] {
  return [{ pointer, code: 'failed_constraint', message, ...details }];
}

export function missingField(pointer: string, field: string): readonly ValidationProblem[] {
  return [{ pointer, code: 'missing_required_field', message: `missing required field: ${field}`, field }];
}

export function additionalField(pointer: string, name: string): readonly ValidationProblem[] {
  const field = shownValue(name);
  const message = `invalid additional property: ${field}`;
  return [{ pointer, code: 'invalid_additional_property', message, field }];
}

/** A constraint with its sentence. */
export function failedConstraint(
  pointer: string,
  message: string,
  constraint: Constraint,
): readonly ValidationProblem[] {
  return validationProblem(pointer, message, { constraint });
}

const MAX_SHOWN_VALUE = 100;
/** A value as it may stand in a sentence, whatever it is: short, and never its inside. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MAX_SHOWN_VALUE);
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : String(value);
}

/** As Slack writes problems into `errors` and, after `[ERROR] `, into `response_metadata.messages`. */
export function problemLines(problems: readonly ValidationProblem[]): readonly string[] {
  return problems.map(({ pointer, message }) => `${message} [json-pointer:${pointer}]`);
}

/** The error word of a message with these problems. */
export function blocksError(
  problems: readonly ValidationProblem[],
): 'invalid_blocks' | 'invalid_attachments' {
  return problems.find(({ word }) => word !== undefined)?.word ?? 'invalid_blocks';
}

/** The `errors` of `blocks.validate`, which leaves out what it does not see. */
export function validationErrors(
  problems: readonly ValidationProblem[],
): readonly Omit<ValidationProblem, 'word' | 'onlyWhenSent'>[] {
  return problems
    .filter(({ onlyWhenSent }) => onlyWhenSent !== true)
    .map(({ word: _word, onlyWhenSent: _only, ...error }) => error);
}
