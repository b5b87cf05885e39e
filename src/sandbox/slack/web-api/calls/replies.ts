/** Answers of the Web API: `ok` and its fields. */
import { randomBytes } from 'node:crypto';
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

/** In every recorded answer (slack-ruby/slack-ruby-client, spec/fixtures/slack/web, 2021 and 2025). */
const ALWAYS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache, no-store, must-revalidate',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-slack-req-id, retry-after',
  'x-content-type-options': 'nosniff',
};

/** An answer of Slack; each has an id of its own. */
export function jsonAnswer(body: unknown, { headers, ...init }: ResponseInit = {}): Response {
  const answer = Response.json(body, { ...init, headers: headers ?? {} });
  for (const [name, value] of Object.entries(ALWAYS)) answer.headers.set(name, value);
  answer.headers.set('x-slack-req-id', randomBytes(16).toString('hex'));
  // ansible-collections/community.general, pull request 12032, an answer of 2026-05-17
  const { ok, error } = asJsonObject(body);
  if (ok === false) answer.headers.set('x-slack-failure', String(error));
  return answer;
}
