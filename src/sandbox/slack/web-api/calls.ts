/** Methods of the Web API, their arguments (from JSON or from the text of a form), and their answers. */

import { randomBytes } from 'node:crypto';
import { parseJson } from '../../parse-json.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asJsonObject, type JsonObject } from '../core/json-object.ts';
import { problemLines, type ValidationProblem } from '../validate/rules.ts';

/** Calls per minute of Slack's rate tiers (docs.slack.dev/apis/web-api/rate-limits). */
export const TIER = { one: 1, two: 20, three: 50, four: 100, special: 600 } as const;

export type WebApiMethod = {
  readonly name: string;
  /** The token that it needs: the bot's, the app's, or none. */
  readonly token: 'bot' | 'app' | 'none';
  /** It needs one of these; an empty list accepts any token. */
  readonly scopes: readonly string[];
  readonly perMinute: number;
  /** Reads no arguments from JSON. */
  readonly formOnly?: true;
  readonly run: (args: CallArguments, core: WorkspaceCore) => ApiReply;
};

/** Either the value, or the error to answer with. */
export type Lookup<T> = { readonly ok: true; readonly value: T } | ApiError;

export function botMethod(
  name: string,
  perMinute: number,
  scopes: readonly string[],
  run: WebApiMethod['run'],
): WebApiMethod {
  return { name, token: 'bot', scopes, perMinute, run };
}

/** The same for one whose page does not offer JSON: Slack drops the arguments there. */
export function formMethod(...parts: Parameters<typeof botMethod>): WebApiMethod {
  return { ...botMethod(...parts), formOnly: true };
}

export type CallArguments = Readonly<ReturnType<typeof createCallArguments>>;

export function createCallArguments(fields: JsonObject) {
  /** A text; an empty one counts as absent, as in Slack's form fields. */
  const text = (name: string): string | undefined => {
    const value = fields[name];
    if (typeof value === 'number') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    all: fields,
    has: (name: string) => ![undefined, null, ''].some((nothing) => nothing === fields[name]),
    text,
    number(name: string) {
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
    flag: (name: string) => [true, 'true', '1', 1].some((yes) => yes === fields[name]),
    /** A structure, which inside a form is JSON text; undefined when it is no JSON. */
    structure(name: string): unknown {
      const value = fields[name];
      return typeof value === 'string' ? parseJson(value) : value;
    },
  };
}

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
