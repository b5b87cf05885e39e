/**
 * The Web API's door: reads the call, checks its token and scopes, and runs the method. Every answer is HTTP
 * 200 with `ok`, as Slack's is, except when the rate limit is reached.
 */
import { type Arguments, createArguments } from '../arguments.ts';
import type { Core } from '../core.ts';
import { type Refusal, type Reply, refuse, warn } from '../reply.ts';
import { readCall, type Warning } from './call.ts';
import type { Method } from './method.ts';
import type { RateLimits } from './rate-limits.ts';

export type WebApi = { readonly answer: (name: string, request: Request) => Promise<Response> };
export type WebApiOptions = {
  readonly core: Core;
  readonly methods: readonly Method[];
  /** Absent: no limits. */
  readonly rateLimits?: RateLimits | undefined;
};

const CHARSET_LINES: Readonly<Record<Warning, readonly string[]>> = {
  missing_charset: [
    "A Content-Type HTTP header was presented but did not declare a charset, such as a 'utf-8'",
  ],
  superfluous_charset: [],
};

export function createWebApi({ core, methods, rateLimits }: WebApiOptions): WebApi {
  const byName = new Map(methods.map((method) => [method.name, method]));
  return {
    async answer(name, request) {
      const method = byName.get(name);
      if (!method) return Response.json(refuse('unknown_method', { req_method: name }));
      if (method.only === 'post' && request.method !== 'POST')
        return Response.json(refuse('insecure_request'));
      const call = await readCall(request);
      if (!call.ok) return Response.json(call.refusal);
      const refusal = refuseToken(core, method, call.token);
      if (refusal) return Response.json(refusal);
      const args = createArguments(method.only === 'form' && call.isJson ? {} : call.fields);
      const wait = rateLimits?.refuses(method, args, core) ?? null;
      if (wait !== null) return tooMany(wait);
      const lines = call.warnings.flatMap((warning) => CHARSET_LINES[warning]);
      return Response.json(warn(run(core, method, args), call.warnings, lines), {
        headers: scopeHeaders(core, method),
      });
    },
  };
}

function refuseToken({ app }: Core, method: Method, token: string | undefined): Refusal | null {
  if (method.token === 'none') return null;
  if (token === undefined) return refuse('not_authed');
  if (token !== app.botToken && token !== app.appToken) return refuse('invalid_auth');
  const wanted = method.token === 'bot' ? app.botToken : app.appToken;
  return token === wanted ? null : refuse('not_allowed_token_type');
}

function scopeHeaders({ manifest }: Core, { token, scopes }: Method): Headers {
  const headers = new Headers();
  if (token === 'none') return headers;
  const granted = token === 'app' ? ['connections:write'] : [...manifest.scopes];
  headers.set('x-oauth-scopes', granted.join(','));
  if (scopes.length > 0) headers.set('x-accepted-oauth-scopes', scopes.join(','));
  return headers;
}

function run(core: Core, method: Method, args: Arguments): Reply {
  const { scopes } = core.manifest;
  if (method.scopes.length > 0 && !method.scopes.some((scope) => scopes.has(scope)))
    return refuse('missing_scope', { needed: method.scopes.join(','), provided: [...scopes].join(',') });
  return method.run(args, core);
}

function tooMany(seconds: number): Response {
  return Response.json(refuse('ratelimited'), { status: 429, headers: { 'retry-after': String(seconds) } });
}
