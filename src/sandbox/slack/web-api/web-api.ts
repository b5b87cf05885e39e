/**
 * Entry point of the Web API: parses the call, checks its token and scopes, and runs the method. Every answer is HTTP
 * 200 with `ok`, like Slack's, except when the rate limit is reached.
 */

import type { WorkspaceCore } from '../core/core.ts';
import { type CallArguments, createCallArguments } from './calls/arguments.ts';
import { jsonAnswer } from './calls/json-answer.ts';
import type { WebApiMethod } from './calls/method.ts';
import { type CallWarning, readCall } from './calls/read-call.ts';
import { type ApiError, type ApiReply, errorReply, withWarnings } from './calls/replies.ts';
import type { SlackRateLimits } from './calls/slack-rate-limits.ts';

export type WebApi = { readonly answer: (name: string, request: Request) => Promise<Response> };
export type WebApiOptions = {
  readonly core: WorkspaceCore;
  readonly methods: readonly WebApiMethod[];
  /** Absent: no limits. */
  readonly rateLimits?: SlackRateLimits | undefined;
};

const CHARSET_LINES: Readonly<Record<CallWarning, readonly string[]>> = {
  missing_charset: [
    "A Content-Type HTTP header was presented but did not declare a charset, such as a 'utf-8'",
  ],
  superfluous_charset: [],
};

export function createWebApi({ core, methods, rateLimits }: WebApiOptions): WebApi {
  const byName = new Map(methods.map((method) => [method.name, method]));
  return {
    async answer(name, request) {
      const named = byName.get(name);
      if (!named) return jsonAnswer(errorReply('unknown_method', { req_method: name }));
      if (named.postOnly === true && request.method !== 'POST')
        return jsonAnswer(errorReply('insecure_request'));
      const call = await readCall(request, named.formOnly);
      if (!call.ok) return jsonAnswer(call.refusal);
      const method = call.token === core.app.appToken ? (named.withAppToken ?? named) : named;
      const refusal = refuseToken(core, method, call.token);
      if (refusal) return jsonAnswer(refusal);
      const args = createCallArguments(call.fields);
      const wait = rateLimits?.refuses(method, args, core) ?? null;
      if (wait !== null) return rateLimitedResponse(wait);
      const lines = call.warnings.flatMap((warning) => CHARSET_LINES[warning]);
      return jsonAnswer(withWarnings(run(core, method, args), call.warnings, lines), {
        headers: scopeHeaders(core, method),
      });
    },
  };
}

function refuseToken(
  { app }: WorkspaceCore,
  method: WebApiMethod,
  token: string | undefined,
): ApiError | null {
  if (method.token === 'none') return null;
  if (token === undefined) return errorReply('not_authed');
  if (token !== app.botToken && token !== app.appToken) return errorReply('invalid_auth');
  const expected = method.token === 'bot' ? app.botToken : app.appToken;
  return token === expected ? null : errorReply('not_allowed_token_type');
}

function scopeHeaders({ manifest }: WorkspaceCore, { token, scopes }: WebApiMethod): Headers {
  const headers = new Headers();
  if (token === 'none') return headers;
  const granted = token === 'app' ? ['connections:write'] : [...manifest.scopes];
  headers.set('x-oauth-scopes', granted.join(','));
  if (scopes.length > 0) headers.set('x-accepted-oauth-scopes', scopes.join(','));
  return headers;
}

function run(core: WorkspaceCore, method: WebApiMethod, args: CallArguments): ApiReply {
  const { scopes } = core.manifest;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => scopes.has(scope)))
    return errorReply('missing_scope', { needed: method.scopes.join(','), provided: [...scopes].join(',') });
  return method.run(args, core);
}

function rateLimitedResponse(seconds: number): Response {
  return jsonAnswer(errorReply('ratelimited'), {
    status: 429,
    headers: { 'retry-after': String(seconds) },
  });
}
