/** Parses a call: GET query, form or JSON body, and the token from its header or its form. */
import { parseJson } from '../../../parse-json.ts';
import { asString, isJsonObject, type JsonObject } from '../../core/json-object.ts';
import { type ApiError, errorReply } from './replies.ts';

export type CallWarning = 'missing_charset' | 'superfluous_charset';
export type WebApiCall =
  | {
      readonly ok: true;
      readonly fields: JsonObject;
      readonly token: string | undefined;
      readonly warnings: readonly CallWarning[];
    }
  | { readonly ok: false; readonly refusal: ApiError };

/** Maximum length of an argument name; Slack speaks only of "very long names". */
const MAX_NAME_LENGTH = 100;

/** With `formOnly`, JSON is read but its fields do not count. */
export async function readCall(request: Request, formOnly = false): Promise<WebApiCall> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const body = request.method === 'GET' ? EMPTY : await readBody(request);
  if (!body.ok) return body;
  const { isJson, warnings } = body;
  const fields = { ...query, ...(isJson && formOnly ? {} : body.fields) };
  const fault = nameProblem(Object.keys(fields));
  if (fault !== null) return refusedBody(fault);
  const header = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  // A token inside JSON does not count (docs.slack.dev/apis/web-api#post-bodies).
  const inside = isJson || !('token' in body.fields) ? '' : asString(fields['token']);
  const token = header ?? (inside === '' ? tokenOfQuery(query) : inside);
  return { ok: true, fields, token, warnings };
}

/**
 * Apps that were created after February 2021 may send no token there
 * (docs.slack.dev/changelog/2020-11-no-more-tokens-in-querystrings-for-newly-created-apps); it is answered as an unknown
 * one (github.com/pvzig/SlackKit/issues/204).
 */
function tokenOfQuery(query: JsonObject): string | undefined {
  return query['token'] === undefined ? undefined : '';
}

type CallBody =
  | {
      readonly ok: true;
      readonly fields: JsonObject;
      readonly isJson: boolean;
      readonly warnings: readonly CallWarning[];
    }
  | { readonly ok: false; readonly refusal: ApiError };

const EMPTY = { ok: true, fields: {}, isJson: false, warnings: [] } as const;

function refusedBody(error: string): { readonly ok: false; readonly refusal: ApiError } {
  return { ok: false, refusal: errorReply(error) };
}

async function readBody(request: Request): Promise<CallBody> {
  const header = (request.headers.get('content-type') ?? '').toLowerCase();
  const [type = ''] = header.split(';', 1);
  const charset = /;\s*charset="?([^";\s]+)/.exec(header)?.[1];
  if (charset !== undefined && !['utf-8', 'iso-8859-1'].includes(charset))
    return refusedBody('invalid_charset');
  switch (type.trim()) {
    case 'application/json':
      return readJson(await request.text(), charset === undefined ? ['missing_charset'] : []);
    case 'multipart/form-data':
      return readMultipart(request);
    case 'application/x-www-form-urlencoded':
      return readForm(await request.text(), charset === undefined ? [] : ['superfluous_charset']);
    // Accepted, but its content is ignored.
    case 'text/plain':
      return EMPTY;
    case '':
      return (await request.text()) === '' ? EMPTY : refusedBody('missing_post_type');
    default:
      return refusedBody('invalid_post_type');
  }
}

function readForm(text: string, warnings: readonly CallWarning[]): CallBody {
  return { ok: true, fields: Object.fromEntries(new URLSearchParams(text)), isJson: false, warnings };
}

async function readMultipart(request: Request): Promise<CallBody> {
  try {
    return { ...EMPTY, fields: Object.fromEntries(await request.formData()) };
  } catch {
    return refusedBody('invalid_form_data');
  }
}

function readJson(text: string, warnings: readonly CallWarning[]): CallBody {
  if (text.trim() === '') return { ok: true, fields: {}, isJson: true, warnings };
  const json = parseJson(text);
  if (isJsonObject(json)) return { ok: true, fields: json, isJson: true, warnings };
  return refusedBody(json === undefined ? 'invalid_json' : 'json_not_object');
}

function nameProblem(names: readonly string[]): string | null {
  if (names.some((name) => /\[.*\]$/.test(name))) return 'invalid_array_arg';
  return names.every((name) => /^\w+$/.test(name) && name.length <= MAX_NAME_LENGTH)
    ? null
    : 'invalid_arg_name';
}
