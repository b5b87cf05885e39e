/**
 * Entry point of the Web API: parses the call, checks its token and scopes, and runs the method. Every answer is HTTP
 * 200 with `ok`, like Slack's, except when the rate limit is reached.
 */

import type { WorkspaceCore } from '../core/core.ts';
import { basicMethods } from './basic-methods.ts';
import { type CallArguments, createCallArguments } from './calls/arguments.ts';
import type { WebApiMethod } from './calls/method.ts';
import { type CallWarning, readCall } from './calls/read-call.ts';
import { type ApiError, type ApiReply, errorReply, jsonAnswer, withWarnings } from './calls/replies.ts';
import type { SlackRateLimits } from './calls/slack-rate-limits.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { viewMethods } from './view-methods.ts';

export type WebApi = { readonly answer: (name: string, request: Request) => Promise<Response> };
export type WebApiOptions = {
  readonly core: WorkspaceCore;
  /** Returns the address of one Socket Mode connection. */
  readonly openConnection: () => string;
  /** Absent: no limits. */
  readonly rateLimits?: SlackRateLimits | undefined;
};

const CHARSET_LINES: Readonly<Record<CallWarning, readonly string[]>> = {
  missing_charset: [
    "A Content-Type HTTP header was presented but did not declare a charset, such as a 'utf-8'",
  ],
  superfluous_charset: [],
};

/** The methods that the bot calls; any other is unknown. */
export function allMethods(openConnection: () => string): readonly WebApiMethod[] {
  return [
    ...basicMethods(openConnection),
    ...chatMethods,
    ...conversationMethods,
    ...fileMethods,
    ...viewMethods,
  ];
}

export function createWebApi({ core, openConnection, rateLimits }: WebApiOptions): WebApi {
  const byName = new Map(allMethods(openConnection).map((method) => [method.name, method]));
  return {
    async answer(name, request) {
      const method = byName.get(name);
      if (!method) return jsonAnswer(errorReply('unknown_method', { req_method: name }));
      if (method.postOnly === true && request.method !== 'POST')
        return jsonAnswer(errorReply('insecure_request'));
      const call = await readCall(request, method.formOnly);
      if (!call.ok) return jsonAnswer(call.refusal);
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
