/** A call as it comes in: GET query, form or JSON body, and the token wherever Slack takes it. */
import { parseJson } from '../../json.ts';
import { type Fields, isFields, wordOf } from '../json.ts';
import { type Refusal, refuse } from '../reply.ts';

export type Warning = 'missing_charset' | 'superfluous_charset';
export type Call =
  | {
      readonly ok: true;
      readonly fields: Fields;
      readonly token: string | undefined;
      readonly isJson: boolean;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** The longest name that an argument is taken to have; Slack speaks only of "very long names". */
const NAME_MAX = 100;

export async function readCall(request: Request): Promise<Call> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const body = request.method === 'GET' ? EMPTY : await readBody(request);
  if (!body.ok) return body;
  const { isJson, warnings } = body;
  const fields = { ...query, ...body.fields };
  const fault = nameFault(Object.keys(fields));
  if (fault !== null) return refused(fault);
  const header = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  // A token inside JSON does not count (docs.slack.dev/apis/web-api#post-bodies).
  const inside = wordOf(isJson ? query['token'] : fields['token']);
  return { ok: true, fields, token: header ?? (inside === '' ? undefined : inside), isJson, warnings };
}

type Body =
  | {
      readonly ok: true;
      readonly fields: Fields;
      readonly isJson: boolean;
      readonly warnings: readonly Warning[];
    }
  | { readonly ok: false; readonly refusal: Refusal };

const EMPTY = { ok: true, fields: {}, isJson: false, warnings: [] } as const;

function refused(error: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: refuse(error) };
}

async function readBody(request: Request): Promise<Body> {
  const header = (request.headers.get('content-type') ?? '').toLowerCase();
  const [type = ''] = header.split(';', 1);
  const charset = /;\s*charset="?([^";\s]+)/.exec(header)?.[1];
  if (charset !== undefined && !['utf-8', 'iso-8859-1'].includes(charset)) return refused('invalid_charset');
  switch (type.trim()) {
    case 'application/json':
      return readJson(await request.text(), charset === undefined ? ['missing_charset'] : []);
    case 'multipart/form-data':
      return readMultipart(request);
    case 'application/x-www-form-urlencoded':
      return readForm(await request.text(), charset === undefined ? [] : ['superfluous_charset']);
    // Taken, but nothing is read from it.
    case 'text/plain':
      return EMPTY;
    case '':
      return (await request.text()) === '' ? EMPTY : refused('missing_post_type');
    default:
      return refused('invalid_post_type');
  }
}

function readForm(text: string, warnings: readonly Warning[]): Body {
  return { ok: true, fields: Object.fromEntries(new URLSearchParams(text)), isJson: false, warnings };
}

async function readMultipart(request: Request): Promise<Body> {
  try {
    return { ...EMPTY, fields: Object.fromEntries(await request.formData()) };
  } catch {
    return refused('invalid_form_data');
  }
}

function readJson(text: string, warnings: readonly Warning[]): Body {
  if (text.trim() === '') return { ok: true, fields: {}, isJson: true, warnings };
  const json = parseJson(text);
  if (isFields(json)) return { ok: true, fields: json, isJson: true, warnings };
  return refused(json === undefined ? 'invalid_json' : 'json_not_object');
}

function nameFault(names: readonly string[]): string | null {
  if (names.some((name) => /\[.*\]$/.test(name))) return 'invalid_array_arg';
  return names.every((name) => /^\w+$/.test(name) && name.length <= NAME_MAX) ? null : 'invalid_arg_name';
}
