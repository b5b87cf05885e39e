/** Error responses of the real services, so that a fault looks real to the bot. */
import type { ServiceName } from '../contracts/services.ts';
import { parseJson } from '../parse-json.ts';

/** Gateways answer in HTML, whatever the service behind them speaks. */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
/** Responses with these statuses never have a body. */
const BARE_STATUSES: readonly number[] = [204, 205, 304];

const MANAGEMENT_ERRORS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'You do not have permission to perform this action. Please contact your system administrator for support.',
  404: 'Not found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  429: 'Too Many Requests!',
};

/** Common error codes of the Web API (docs.slack.dev/reference/methods). */
const SLACK_ERRORS: Readonly<Record<number, string>> = {
  401: 'invalid_auth',
  403: 'access_denied',
  404: 'unknown_method',
  429: 'ratelimited',
  503: 'service_unavailable',
};

/** The response of a service that fails with this status. */
export function failureResponse(service: ServiceName, status: number): Response {
  if (BARE_STATUSES.includes(status)) return new Response(null, { status });
  if (service === 'slack') {
    const error = SLACK_ERRORS[status] ?? 'internal_error';
    return Response.json({ ok: false, error }, { status });
  }
  if (GATEWAY_STATUSES.includes(status)) return gatewayPage(status);
  return Response.json({ errors: [MANAGEMENT_ERRORS[status] ?? 'Server Error'] }, { status });
}

/** Slack always says how long to wait; the management service does not (in practice 2.3). */
const DEFAULT_RETRY_SECONDS: Readonly<Record<ServiceName, number | null>> = { management: null, slack: 1 };

/** The response of a throttled service. */
export function throttledResponse(service: ServiceName, retryAfterSeconds?: number): Response {
  const response = failureResponse(service, 429);
  const wait = retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[service];
  if (wait !== null) response.headers.set('retry-after', String(wait));
  return response;
}

/** A response that stops half-way through its JSON: valid HTTP, invalid JSON. */
export async function malformedResponse(whole: Response): Promise<Response> {
  const text = await whole.text();
  const half = text.slice(0, Math.ceil(text.length / 2));
  return new Response(half.trim() === '' || parseJson(half) !== undefined ? '{' : half, {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

/** The request of a list as if it asked for this page. */
export function requestOfPage(request: Request, page: number): Request {
  const url = new URL(request.url);
  url.searchParams.set('page', String(page));
  return new Request(url, request);
}

/** Where the rows of a list are, unless the list is an array itself. */
const ROWS = ['results', 'data', 'messages', 'members', 'channels'];

/** A list with its first rows only; the total that it states stays. Anything else is sent as it is. */
export async function shortenedList(whole: Response, take: number): Promise<Response> {
  const { status } = whole;
  const list = parseJson(await whole.clone().text());
  if (Array.isArray(list)) return Response.json(list.slice(0, take), { status });
  if (typeof list !== 'object' || list === null) return whole;
  const rows = Object.entries(list).map(([key, value]) => [
    key,
    ROWS.includes(key) && Array.isArray(value) ? value.slice(0, take) : value,
  ]);
  return Response.json(Object.fromEntries(rows), { status });
}

function gatewayPage(status: number): Response {
  const title = `${status} ${status === 502 ? 'Bad Gateway' : status === 503 ? 'Service Unavailable' : 'Gateway Time-out'}`;
  return new Response(
    `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`,
    {
      status,
      headers: { 'content-type': 'text/html' },
    },
  );
}
