/** A request's way through the wire: recorded, possibly hit by a fault, answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../../lib/clock.ts';
import type { Fault, JournalEntry, ServeOptions, ServiceName } from '../contracts/services.ts';
import {
  failureResponse,
  malformedResponse,
  requestOfPage,
  shortenedList,
  throttledResponse,
} from './failure-responses.ts';
import { isWrite, sentFacts } from './sent-facts.ts';

/** Default delays, wall time; `late` exceeds the bot's timeout for either service. */
const DEFAULT_DELAY_MS = { slow: 5_000, late: 20_000 } as const;
const DEFAULT_STATUS = 500;

export type ReceivedRequest = {
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
      const work = await startWork({ service, request, fetch, receipt });
      return applyFault(fault, { service, work, incoming, epoch: receipt.epoch });
    };
    void getRequestListener(respond, { overrideGlobalObjects: false })(incoming, outgoing);
  };
}

type RequestInPassage = Pick<ServeOptions, 'service' | 'fetch'> & {
  readonly request: Request;
  readonly receipt: ReceivedRequest;
};

/**
 * Runs the service's handler. A write, or a late request, is first received whole, so that it is recorded and no longer
 * depends on its caller.
 */
async function startWork({
  service,
  request,
  fetch,
  receipt,
}: RequestInPassage): Promise<() => Promise<Response>> {
  const { entry, fault, clock } = receipt;
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

type StartedWork = Pick<ServeOptions, 'service'> & {
  readonly work: () => Promise<Response>;
  readonly incoming: IncomingMessage;
  readonly epoch: AbortSignal;
};

async function applyFault(
  fault: Fault | undefined,
  { service, work, incoming, epoch }: StartedWork,
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
      incoming.socket.destroy();
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
