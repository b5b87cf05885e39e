/** A request's way through the wire: recorded, possibly hit by a fault, answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../../lib/clock.ts';
import type { Fault, JournalEntry, SentFacts, ServeOptions, ServiceName } from '../contracts/services.ts';
import { parseJson } from '../parse-json.ts';

/** Default delays, wall time; `late` exceeds the bot's timeout for either service. */
const DEFAULT_DELAY_MS = { slow: 5_000, late: 20_000 } as const;
const DEFAULT_STATUS = 500;

type ReceivedRequest = {
  readonly entry: JournalEntry;
  readonly fault: Fault | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Aborted by a reset. */
  readonly epoch: AbortSignal;
};
/** Called once for each request, on receipt. */
export type RecordRequest = (service: ServiceName, incoming: IncomingMessage) => ReceivedRequest;

/** A node:http request listener around the service's handler. */
export function requestListener(
  { service, fetch }: Pick<ServeOptions, 'service' | 'fetch'>,
  receive: RecordRequest,
) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const receipt = receive(service, incoming);
    const { entry, fault } = receipt;
    outgoing.on('finish', () => {
      entry.status = outgoing.statusCode;
    });
    if (fault?.kind === 'cut') {
      incoming.socket.destroy();
      return;
    }
    const respond = async (request: Request) => {
      const work = await startWork(request, { service, fetch }, receipt);
      return applyFault(service, work, receipt, () => incoming.socket.destroy());
    };
    void getRequestListener(respond, { overrideGlobalObjects: false })(incoming, outgoing);
  };
}

/**
 * Runs the service's handler. A write, or a late request, is first received whole, so that it is recorded and no longer
 * depends on its caller.
 */
async function startWork(
  request: Request,
  { service, fetch }: Pick<ServeOptions, 'service' | 'fetch'>,
  { entry, fault, clock }: ReceivedRequest,
): Promise<() => Promise<Response>> {
  const isRecorded = isWrite(service, entry);
  if (fault?.kind === 'list' && fault.page !== undefined) {
    const other = requestOfPage(request, fault.page);
    return async () => fetch(other);
  }
  if (!isRecorded && fault?.kind !== 'late') return async () => fetch(request);
  const { url, method, headers } = request;
  const body = await request.arrayBuffer();
  if (isRecorded) entry.sent = sentFacts(service, new TextDecoder().decode(body));
  return async () => {
    const hasBody = body.byteLength > 0 && method !== 'GET' && method !== 'HEAD';
    const answer = await fetch(new Request(url, { method, headers, ...(hasBody ? { body } : {}) }));
    if (isRecorded) entry.done = { at: clock.now(), status: answer.status };
    return answer;
  };
}

async function applyFault(
  service: ServiceName,
  work: () => Promise<Response>,
  { fault, epoch }: ReceivedRequest,
  cut: () => void,
): Promise<Response> {
  switch (fault?.kind) {
    case 'status':
      return failureResponse(service, fault.status ?? DEFAULT_STATUS);
    case 'throttle':
      return throttledResponse(service, fault.retry_after);
    case 'slow':
      await wait(fault.ms ?? DEFAULT_DELAY_MS.slow, undefined, { ref: false });
      return work();
    case 'late':
      if (await isStale(epoch, fault.ms ?? DEFAULT_DELAY_MS.late)) return failureResponse(service, 503);
      return work();
    case 'malformed':
      return malformedResponse(await work());
    case 'cut-after':
      // Reading the body to its end ensures that all the work was done.
      await (await work()).arrayBuffer();
      cut();
      return RESPONSE_ALREADY_SENT;
    case 'answer':
      await (await work()).arrayBuffer();
      return Response.json(fault.body ?? null, { status: fault.status ?? 200 });
    case 'list':
      return fault.take === undefined ? work() : shortenedList(await work(), fault.take);
    case 'cut': // ended on receipt
    case undefined:
      return work();
  }
}

/** Waits this long; true if a reset came in between. */
async function isStale(epoch: AbortSignal, ms: number): Promise<boolean> {
  return wait(ms, false, { ref: false, signal: epoch }).catch(() => true);
}

/** The same for WebSocket upgrades; a fault that would change an answer's body ends the connection instead. */
export function upgradeListener({ service, upgrade }: ServeOptions, receive: RecordRequest) {
  return (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { entry, fault } = receive(service, incoming);
    // A reset by the peer must not end the process; the socket's owner sees its close.
    socket.on('error', () => undefined);
    const handOver = () => {
      if (!upgrade) {
        refuseUpgrade(socket, entry, failureResponse(service, 404));
        return;
      }
      entry.status = 101;
      upgrade(incoming, socket, head);
    };
    if (fault?.kind === 'slow' || fault?.kind === 'late')
      setTimeout(handOver, fault.ms ?? DEFAULT_DELAY_MS[fault.kind]).unref();
    else if (fault === undefined || fault.kind === 'cut-after') handOver();
    else if (fault.kind === 'status')
      refuseUpgrade(socket, entry, failureResponse(service, fault.status ?? DEFAULT_STATUS));
    else if (fault.kind === 'throttle')
      refuseUpgrade(socket, entry, throttledResponse(service, fault.retry_after));
    if (fault && ['cut', 'malformed', 'cut-after', 'answer', 'list'].includes(fault.kind)) socket.destroy();
  };
}

function refuseUpgrade(socket: Duplex, entry: JournalEntry, answer: Response): void {
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${answer.status} Refused\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`);
  entry.status = answer.status;
}

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
function failureResponse(service: ServiceName, status: number): Response {
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
function throttledResponse(service: ServiceName, retryAfterSeconds?: number): Response {
  const response = failureResponse(service, 429);
  const wait = retryAfterSeconds ?? DEFAULT_RETRY_SECONDS[service];
  if (wait !== null) response.headers.set('retry-after', String(wait));
  return response;
}

/** A response that stops half-way through its JSON: valid HTTP, invalid JSON. */
async function malformedResponse(whole: Response): Promise<Response> {
  const text = await whole.text();
  const half = text.slice(0, Math.ceil(text.length / 2));
  return new Response(half.trim() === '' || parseJson(half) !== undefined ? '{' : half, {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
}

/** The request of a list as if it asked for this page. */
function requestOfPage(request: Request, page: number): Request {
  const url = new URL(request.url);
  url.searchParams.set('page', String(page));
  return new Request(url, request);
}

/** Where the rows of a list are, unless the list is an array itself. */
const ROWS = ['results', 'data', 'messages', 'members', 'channels'];

/** A list with its first rows only; the total that it states stays. Anything else is sent as it is. */
async function shortenedList(whole: Response, take: number): Promise<Response> {
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

/** The service's bodies are a few hundred characters; of a longer one only the length is recorded. */
const MAX_BODY_BYTES = 8_000;
/** Enough to recognize a message. */
const MAX_TEXT = 300;
/** Fields with these names are left out. */
const SECRET_PATTERN = /token|secret|password|api_?key|authorization|response_url/i;

/** Whether this request may change something: any write to the service, and changes of messages in Slack. */
export function isWrite(
  service: ServiceName,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  return service === 'management' ? !['GET', 'HEAD'].includes(method) : path.startsWith('/api/chat.');
}

/** The facts in the body of a write. */
export function sentFacts(service: ServiceName, body: string): SentFacts {
  return service === 'management' ? bodyFacts(body) : messageFacts(body);
}

function bodyFacts(body: string): SentFacts {
  if (body === '') return {};
  if (body.length > MAX_BODY_BYTES) return { length: body.length };
  const parsed = parseJson(body);
  return parsed === undefined ? { length: body.length } : { body: withoutSecrets(parsed) };
}

/** Slack accepts forms, with structured values as JSON, and JSON. */
function messageFacts(body: string): SentFacts {
  const parsed = parseJson(body);
  const fields: Readonly<Record<string, unknown>> = isRecord(parsed)
    ? parsed
    : Object.fromEntries(new URLSearchParams(body));
  const metadata =
    typeof fields['metadata'] === 'string' ? parseJson(fields['metadata']) : fields['metadata'];
  const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
  const facts = [
    ...['channel', 'user', 'ts', 'thread_ts', 'text'].map((name) => [name, fields[name]] as const),
    ...['key', 'state'].map((name) => [name, isRecord(payload) ? payload[name] : undefined] as const),
  ];
  return Object.fromEntries(
    facts.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, MAX_TEXT)] as const] : [],
    ),
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  const cleaned = Object.entries(value).filter(([name]) => !SECRET_PATTERN.test(name));
  return Object.fromEntries(cleaned.map(([name, inner]) => [name, withoutSecrets(inner)]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
