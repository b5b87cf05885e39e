/**
 * Entry point of the Web API: parses the call, checks its token and scopes, and runs the method. Every answer is HTTP
 * 200 with `ok`, like Slack's, except when the rate limit is reached.
 */

import { type Clock, type Instant, MINUTE, SECOND } from '../../../lib/clock.ts';
import { parseJson } from '../../parse-json.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import { basicMethods } from './basic-methods.ts';
import {
  type ApiError,
  type ApiReply,
  type CallArguments,
  createCallArguments,
  errorReply,
  jsonAnswer,
  type WebApiMethod,
} from './calls.ts';
import { channelOrPerson } from './channel-access.ts';
import { chatMethods } from './chat-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { viewMethods } from './view-methods.ts';

export type WebApi = ReturnType<typeof createWebApi>;
type WebApiOptions = {
  readonly core: WorkspaceCore;
  /** Returns the address of one Socket Mode connection. */
  readonly openConnection: () => string;
  /** Absent: no limits. */
  readonly rateLimits?: SlackRateLimits | undefined;
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

export function createWebApi({ core, openConnection, rateLimits }: WebApiOptions) {
  const byName = new Map(allMethods(openConnection).map((method) => [method.name, method]));
  return {
    async answer(name: string, request: Request): Promise<Response> {
      const method = byName.get(name);
      if (!method) return jsonAnswer(errorReply('unknown_method', { req_method: name }));
      const call = await readCall(request, method.formOnly);
      if (!call.ok) return jsonAnswer(call.refusal);
      const refusal = refuseToken(core, method, call.token);
      if (refusal) return jsonAnswer(refusal);
      const args = createCallArguments(call.fields);
      const wait = rateLimits?.refuses(method, args, core) ?? null;
      if (wait !== null) return rateLimitedResponse(wait);
      return jsonAnswer(run(core, method, args), { headers: scopeHeaders(core, method) });
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

type WebApiCall =
  | { readonly ok: true; readonly fields: JsonObject; readonly token: string | undefined }
  | { readonly ok: false; readonly refusal: ApiError };

/** Reads the arguments from a form or from JSON, and the token from the header or the form. */
async function readCall(request: Request, formOnly = false): Promise<WebApiCall> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';', 1);
  const header = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const text = await request.text();
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded': {
      const fields = Object.fromEntries(new URLSearchParams(text));
      return { ok: true, fields, token: header ?? fields['token'] };
    }
    case 'application/json': {
      const json = text.trim() === '' ? {} : parseJson(text);
      if (!isJsonObject(json)) return refusedCall(json === undefined ? 'invalid_json' : 'json_not_object');
      // Slack drops the arguments where the page of the method does not offer JSON, and a token in it never counts
      // (docs.slack.dev/apis/web-api#post-bodies).
      return { ok: true, fields: formOnly ? {} : json, token: header };
    }
    case '':
      return text === '' ? { ok: true, fields: {}, token: header } : refusedCall('missing_post_type');
    default:
      return refusedCall('invalid_post_type');
  }
}

function refusedCall(error: string): WebApiCall {
  return { ok: false, refusal: errorReply(error) };
}

type SlackRateLimits = Readonly<ReturnType<typeof createSlackRateLimits>>;

/** chat.postMessage: one per second and channel, in addition to its limit per minute. */
const POSTING = 'chat.postMessage';

type Limit = { readonly key: string; readonly most: number; readonly windowMs: number };

/** Slack's published rate limits (docs.slack.dev/apis/web-api/rate-limits), counted on the clock. */
export function createSlackRateLimits(clock: Pick<Clock, 'now'>) {
  const calls = new Map<string, readonly Instant[]>();
  const recent = ({ key, windowMs }: Limit) =>
    (calls.get(key) ?? []).filter((at) => clock.now() - at < windowMs);
  const waitFor = (limit: Limit): number => {
    const [first] = recent(limit);
    if (first === undefined || recent(limit).length < limit.most) return 0;
    return Math.ceil((first + limit.windowMs - clock.now()) / SECOND);
  };
  return {
    /** Seconds to wait, or null when the call is allowed; a refused call does not count. */
    refuses({ name, perMinute }: WebApiMethod, args: CallArguments, core: WorkspaceCore): number | null {
      const limits: Limit[] = [{ key: name, most: perMinute, windowMs: MINUTE }];
      const place = name === POSTING ? channelOrPerson(args.text('channel') ?? '', core) : undefined;
      if (place) limits.push({ key: `${name} ${place.id}`, most: 1, windowMs: SECOND });
      const wait = Math.max(...limits.map(waitFor));
      if (wait > 0) return wait;
      for (const limit of limits) calls.set(limit.key, [...recent(limit), clock.now()]);
      return null;
    },
    reset: () => calls.clear(),
  };
}
