/** Parses the body of a signed request. Pure; never throws or overflows, whatever the body is. */
import { tryParseJson } from '../../lib/json.ts';

export type RequestBody =
  | { readonly kind: 'payload'; readonly payload: Payload }
  /** Slack checks that this address belongs to the app (docs.slack.dev/reference/events/url_verification). */
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'unreadable'; readonly reason: string };
export type Payload = Readonly<Record<string, unknown>>;

/** Slack's payloads nest about 15 deep; their readers recurse once per level. */
const MAX_DEPTH = 64;
/** Our own limit: Slack's challenges have under 100 characters. */
const MAX_CHALLENGE_LENGTH = 1_000;

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Commands are a form, interactions a form with JSON in its field `payload`, events JSON. */
export function readRequestBody(contentType: string | undefined, raw: Buffer): RequestBody {
  const text = raw.toString('utf8');
  if (!isForm(contentType)) return readJson(text);
  const form = new URLSearchParams(text);
  const [payload, ...others] = form.getAll('payload');
  if (others.length > 0) return unreadable('several payloads');
  if (payload !== undefined) return readJson(payload);
  const fields = Object.fromEntries(form);
  return Object.keys(fields).length === 0 ? unreadable('empty') : { kind: 'payload', payload: fields };
}

/**
 * Slack's certificate check, the one request that it does not sign; nothing of it is used
 * (docs.slack.dev/interactivity/implementing-slash-commands).
 */
export function isCertificateCheck(contentType: string | undefined, raw: Buffer): boolean {
  return isForm(contentType) && /(?:^|&)ssl_check=1(?:&|$)/.test(raw.toString('latin1'));
}

/** Whether JSON text nests deeper than Slack's payloads do, without parsing it. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return false;
}

export function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isForm(contentType: string | undefined): boolean {
  return (contentType ?? '').trim().toLowerCase().startsWith(FORM_CONTENT_TYPE);
}

function readJson(text: string): RequestBody {
  if (isTooDeep(text)) return unreadable('nested too deep');
  const parsed = tryParseJson(text);
  if (parsed === undefined) return unreadable('not JSON');
  if (!isPayload(parsed)) return unreadable('not an object');
  if (parsed['type'] !== 'url_verification') return { kind: 'payload', payload: parsed };
  const { challenge } = parsed;
  const isChallenge = typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_LENGTH;
  return isChallenge ? { kind: 'challenge', challenge } : unreadable('no challenge');
}

function unreadable(reason: string): RequestBody {
  return { kind: 'unreadable', reason };
}
