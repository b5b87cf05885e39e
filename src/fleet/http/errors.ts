/** Turns an unsuccessful answer into a {@link FleetError}: its kind, and words that are safe to show. */
import { type Instant, SECOND } from '../../lib/clock.ts';
import { tryParseJson } from '../../lib/json.ts';
import { cut } from '../../lib/text.ts';
import type { FleetError } from '../fleet.ts';
import type { ChangeFault } from '../model/changes.ts';
import { asFlag, asId, asNumber, isObject } from '../schema/rows.ts';
import { parseHttpDate } from '../schema/timestamps.ts';

/** What was called; `path` is the template, without values. */
export type CallEndpoint = Pick<FleetError, 'method' | 'path'>;

export type FailureCause =
  | { readonly kind: Exclude<FleetError['kind'], 'throttled'> }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number };

const MAX_DETAIL_LENGTH = 300;

/** Wait after a 429 without `Retry-After`: the service limits for a minute (management API in practice, 2.3). */
const DEFAULT_THROTTLE_MS = 60 * SECOND;
/** Maximum wait, whatever the service asks for. */
const MAX_THROTTLE_MS = 300 * SECOND;

/** Of what could not be sent: the service never saw it. */
export function unsendable(call: CallEndpoint, fault: ChangeFault): FleetError {
  return { ...fleetError(call, null, { kind: 'invalid' }, ''), fault };
}

/** An error of the port; `status` is null when there was no answer. */
export function fleetError(
  { method, path }: CallEndpoint,
  status: number | null,
  cause: FailureCause,
  detail: string,
  reference: string | null = null,
): FleetError {
  return { method, path, status, detail, ...cause, ...(reference === null ? {} : { reference }) };
}

/** The service's id of a request, if it can be quoted and holds no secret. */
export function requestIdIn(header: string | null, secrets: readonly string[]): string | null {
  if (header === null || !/^[\w.:/+=-]{1,100}$/.test(header)) return null;
  return holdsSecret(header, secrets) ? null : header;
}

/** The kind of error for a status; null for 2xx. */
export function failureCause(status: number, retryAfterMs: number | null): FailureCause | null {
  if (status >= 200 && status < 300) return null;
  switch (status) {
    case 401:
      return { kind: 'unauthorized' };
    case 402:
    case 403:
      return { kind: 'forbidden' };
    case 404:
    case 410:
      return { kind: 'missing' };
    case 408:
      return { kind: 'timeout' };
    case 429:
      return { kind: 'throttled', retryAfterMs: retryAfterMs ?? DEFAULT_THROTTLE_MS };
    default:
      if (status >= 500) return { kind: 'broken' };
      // Redirects are not followed: the key would go to another address.
      return { kind: status >= 400 ? 'invalid' : 'unreadable' };
  }
}

/** A `Retry-After` in seconds or as an HTTP date. `answeredAt`: the answer's own time, whatever our clock says. */
export function retryAfterMs(header: string | null, answeredAt: Instant): number | null {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header) * SECOND, MAX_THROTTLE_MS);
  const date = parseHttpDate(header);
  return date === null ? null : Math.min(Math.max(date - answeredAt, 0), MAX_THROTTLE_MS);
}

/**
 * The message inside an error body: the envelopes seen are `{errors: [text]}`, `{errors: {field: [text]}}`, `{errors:
 * [{field, message}]}`, problem details (`detail`, `title`, `invalidFields`), `{message}` and `{error, path}`
 * (management API in practice, 2.1); gateways answer text or HTML. The result is short, has no control characters,
 * and holds none of `secrets`.
 */
export function errorDetail(body: string, secrets: readonly string[]): string {
  return safeDetail(messageIn(body), secrets);
}

/** `text` in a form that is safe to show: one line, secrets blanked, cut with a mark. */
function safeDetail(text: string, secrets: readonly string[]): string {
  const safe = redact(
    decodeCharacterReferences(text)
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
    secrets,
  );
  return cut(safe, MAX_DETAIL_LENGTH);
}

/** Decodes characters that pages write as numbers (`&#45;`): a secret must not hide behind them. */
function decodeCharacterReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Whether the body of a 2xx says that it failed. The service and what stands before it send errors with a good status:
 * `{errors: […]}`, `{error: …}`, `{success: false}`, and without a resource in it a failing `status`, or a `message` with a
 * failing `code`. A `message` alone may be that of a success.
 */
export function isErrorAnswer(json: unknown): boolean {
  const isOnly = Array.isArray(json) && json.length === 1;
  const value: unknown = isOnly ? json[0] : json;
  if (!isObject(value)) return false;
  const isResource = asId(value['id']) !== null;
  // In a list of one row the row may have such a field.
  if (isOnly && isResource) return false;
  if (isFilled(value['errors']) || isFilled(value['error'])) return true;
  if (asFlag(value['success']) === false || asFlag(value['ok']) === false) return true;
  if (isResource) return false;
  const { status, statusCode, code } = value;
  if (isFailingCode(status) || isFailingCode(statusCode)) return true;
  const hasMessage = typeof value['message'] === 'string' || typeof value['detail'] === 'string';
  return hasMessage && (isFailingCode(code) || (typeof code === 'string' && !SUCCESS_CODE.test(code)));
}

const SUCCESS_CODE = /^\s*(ok|success|successful|accepted|created|queued|0|2\d\d)?\s*$/i;

function isFailingCode(value: unknown): boolean {
  if (typeof value === 'string' && /^(error|fail|failed|failure)$/i.test(value)) return true;
  return (asNumber(value) ?? 0) >= 400;
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

function messageIn(body: string): string {
  const text = body.trim();
  if (text === '') return '';
  const json = tryParseJson(text);
  if (json === undefined) return text.startsWith('<') ? pageTitle(text) : text;
  return messageOfJson(json) ?? '';
}

function messageOfJson(json: unknown): string | null {
  if (typeof json === 'string') return json;
  if (typeof json !== 'object' || json === null) return null;
  if (Array.isArray(json)) return json.length === 1 && isObject(json[0]) ? messageOfJson(json[0]) : null;
  const errors = 'errors' in json ? messagesOf(json.errors) : [];
  const topLevel = ['detail', 'title', 'message', 'error', 'reason', 'description']
    .map((key) => textAt(json, key) || nestedMessage(Reflect.get(json, key)))
    .find((text) => text !== '');
  const fields = 'invalidFields' in json ? messagesOf(json.invalidFields) : [];
  const messages = [...(errors.length > 0 ? errors : topLevel === undefined ? [] : [topLevel]), ...fields];
  return messages.length > 0 ? messages.join('; ') : null;
}

/** Of `{error: {code, message}}`. */
function nestedMessage(value: unknown): string {
  return isObject(value) ? textAt(value, 'message') : '';
}

/** More messages would not fit into a detail. */
const MAX_MESSAGES = 10;

/** Messages in a list of texts or objects, or in an object of them by field. */
function messagesOf(errors: unknown): readonly string[] {
  if (typeof errors === 'string') return [errors];
  if (typeof errors !== 'object' || errors === null) return [];
  const messages = Array.isArray(errors)
    ? errors.slice(0, MAX_MESSAGES).flatMap(textsOf)
    : Object.entries(errors)
        .slice(0, MAX_MESSAGES)
        .flatMap(([field, value]) => textsOf(value).map((text) => withFieldName(field, text)));
  return messages.filter((message) => message !== '').slice(0, MAX_MESSAGES);
}

function textsOf(item: unknown): readonly string[] {
  if (typeof item === 'string') return [item];
  // One list deep: whatever is nested further is not a message.
  if (Array.isArray(item))
    return item.slice(0, MAX_MESSAGES).flatMap((one) => (Array.isArray(one) ? [] : textsOf(one)));
  if (typeof item !== 'object' || item === null) return [];
  return [withFieldName(textAt(item, 'field'), textAt(item, 'message'))];
}

/** The field before its message, unless the message names it itself. */
function withFieldName(field: string, message: string): string {
  return field === '' || message === '' || message.includes(field) ? message : `${field}: ${message}`;
}

function textAt(value: object, key: string): string {
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : '';
}

function pageTitle(html: string): string {
  // Only near the start: a hostile page must not make the search long.
  const title = /<title[^>]*>([^<]*)</i.exec(html.slice(0, 2_000))?.[1]?.trim() ?? '';
  return title === '' ? 'a web page' : `a web page: ${title}`;
}

/** A word that announces a secret, with the value after it: a key, or a header that the service repeats. */
const SECRET_WORDS =
  /((?:bearer|basic)\s+|(?:access_key|api_?key|token|secret|password|credential|intercom_hmac)"?\s*[:=]\s*"?)[^\s"',;&]+/gi;

/** Removes our secrets from text of others, in whatever encoding it repeats them, and every value announced as one. */
function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of spellingsOf(secret)) safe = safe.replace(caseInsensitive(form), '[secret]');
  }
  return safe.replace(SECRET_WORDS, '$1[secret]');
}

/** Whether `text` holds one of the secrets in any encoding. */
function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some(
    (secret) => secret !== '' && spellingsOf(secret).some((form) => caseInsensitive(form).test(text)),
  );
}

/** The encodings in which a secret may come back: as it is, and as URLs, JSON, HTML and encoders write it. */
function spellingsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(secret);
  const escaped = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    inAddress,
    encodeURIComponent(inAddress),
    escaped,
    escaped.replaceAll('/', '\\/'),
    Array.from(secret, htmlEscape).join(''),
    Buffer.from(secret).toString('hex'),
    ...base64Of(secret),
  ];
  // Longest first: replacing a shorter one inside it would leave the rest readable.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The part of a base64 text that does not depend on the bytes around the secret, for each of the three alignments. */
function base64Of(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const skip = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor((bytes.byteLength * 8) / 6);
    const core = bytes.toString('base64').slice(skip, whole);
    // A short part would blank harmless words.
    return core.length < 8 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function htmlEscape(character: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return names[character] ?? character;
}

function caseInsensitive(form: string): RegExp {
  return new RegExp(form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
}
