/** A call as it comes in: GET query, form or JSON body, and the token wherever Slack takes it. */
import { type Fields, isFields, parseJson, wordOf } from '../json.ts';
import { type Refusal, refuse } from '../reply.ts';

export type Call =
  | { readonly ok: true; readonly fields: Fields; readonly token: string | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

export async function readCall(request: Request): Promise<Call> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const body =
    request.method === 'GET' ? { ok: true as const, fields: {}, isJson: false } : await readBody(request);
  if (!body.ok) return body;
  const fields = { ...query, ...body.fields };
  const header = /^Bearer\s+(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  // A token inside JSON does not count (docs.slack.dev/apis/web-api#post-bodies).
  const inside = wordOf(body.isJson ? query['token'] : fields['token']);
  return { ok: true, fields, token: header ?? (inside === '' ? undefined : inside) };
}

type Body =
  | { readonly ok: true; readonly fields: Fields; readonly isJson: boolean }
  | { readonly ok: false; readonly refusal: Refusal };

async function readBody(request: Request): Promise<Body> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';', 1);
  switch (type.trim()) {
    case 'application/json':
      return readJson(await request.text());
    case 'multipart/form-data':
      return { ok: true, fields: Object.fromEntries(await request.formData()), isJson: false };
    case '':
    case 'application/x-www-form-urlencoded':
      return {
        ok: true,
        fields: Object.fromEntries(new URLSearchParams(await request.text())),
        isJson: false,
      };
    default:
      return { ok: false, refusal: refuse('invalid_post_type') };
  }
}

function readJson(text: string): Body {
  if (text.trim() === '') return { ok: true, fields: {}, isJson: true };
  const json = parseJson(text);
  if (isFields(json)) return { ok: true, fields: json, isJson: true };
  return { ok: false, refusal: refuse(json === undefined ? 'invalid_json' : 'json_not_object') };
}
