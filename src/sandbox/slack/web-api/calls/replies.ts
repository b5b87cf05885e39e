/** Answers of the Web API: `ok` and its fields. */
import { asJsonObject, type JsonObject } from '../../core/json-object.ts';
import { problemLines, type ValidationProblem } from '../../validate/validation-problem.ts';

export type ApiReply = JsonObject & { readonly ok: boolean };
export type ApiError = JsonObject & { readonly ok: false; readonly error: string };

export function okReply(fields: JsonObject = {}): ApiReply {
  return { ok: true, ...fields };
}

export function errorReply(error: string, fields: JsonObject = {}): ApiError {
  return { ok: false, error, ...fields };
}

/** The answer with Slack's warnings (docs.slack.dev/apis/web-api). */
export function withWarnings(
  reply: ApiReply,
  warnings: readonly string[],
  lines: readonly string[] = [],
): ApiReply {
  if (warnings.length === 0) return reply;
  const metadata = asJsonObject(reply['response_metadata']);
  const all = [...wordsOf(metadata['warnings']), ...warnings];
  const messages = [...wordsOf(metadata['messages']), ...lines.map((line) => `[WARN] ${line}`)];
  return {
    ...reply,
    warning: all.join(','),
    response_metadata: { ...metadata, warnings: all, ...(messages.length === 0 ? {} : { messages }) },
  };
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** An error with the positions of the problems; only those of a message also have them in `errors`. */
export function validationErrorReply(error: string, problems: readonly ValidationProblem[]): ApiError {
  const lines = problemLines(problems);
  return errorReply(error, {
    // github.com/F3-Nation/archive-f3-nation-slack-bot/issues/42 and others: views have none.
    ...(error === 'invalid_arguments' ? {} : { errors: lines }),
    response_metadata: { messages: lines.map((line) => `[ERROR] ${line}`) },
  });
}

export function missingArgumentReply(name: string): ApiError {
  return errorReply('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
  });
}
