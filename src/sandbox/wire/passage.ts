/** One request on its way through the wire: noted, met by a fault or not, answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../../clock.ts';
import type { Fault, JournalEntry, ServeOptions, ServiceName } from '../contracts.ts';
import { failure, malformed, throttled } from './answers.ts';
import { changesSomething, sentFacts } from './sent.ts';

/** Wall time unless told; what is late takes longer than the bot waits for an answer of either service. */
const DELAY_MS = { slow: 5_000, late: 20_000 } as const;
const FAILING_STATUS = 500;

export type Receipt = {
  readonly entry: JournalEntry;
  readonly fault: Fault | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Aborted by a reset. */
  readonly epoch: AbortSignal;
};
/** Called once for each request, on receipt. */
export type Receive = (service: ServiceName, incoming: IncomingMessage) => Receipt;

/** A node:http request listener around the service's handler. */
export function requestListener(
  { service, fetch }: Pick<ServeOptions, 'service' | 'fetch'>,
  receive: Receive,
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
      const work = await workOf({ service, request, fetch, receipt });
      return answerWith(fault, { service, work, incoming, epoch: receipt.epoch });
    };
    void getRequestListener(respond, { overrideGlobalObjects: false })(incoming, outgoing);
  };
}

type Passing = Pick<ServeOptions, 'service' | 'fetch'> & {
  readonly request: Request;
  readonly receipt: Receipt;
};

/**
 * What the service does with the request. One that may change something, or that comes late, is received whole at
 * once, so that it is recorded and no longer depends on its caller.
 */
async function workOf({ service, request, fetch, receipt }: Passing): Promise<() => Promise<Response>> {
  const { entry, fault, clock } = receipt;
  const isRecorded = changesSomething(service, entry);
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

type Work = Pick<ServeOptions, 'service'> & {
  readonly work: () => Promise<Response>;
  readonly incoming: IncomingMessage;
  readonly epoch: AbortSignal;
};

async function answerWith(
  fault: Fault | undefined,
  { service, work, incoming, epoch }: Work,
): Promise<Response> {
  switch (fault?.kind) {
    case 'status':
      return failure(service, fault.status ?? FAILING_STATUS);
    case 'throttle':
      return throttled(service, fault.retry_after);
    case 'slow':
      await wait(fault.ms ?? DELAY_MS.slow, undefined, { ref: false });
      return work();
    case 'late':
      if (await isOver(epoch, fault.ms ?? DELAY_MS.late)) return failure(service, 503);
      return work();
    case 'malformed':
      return malformed(await work());
    case 'cut-after':
      // Reading the body to its end makes sure that all of the work was done.
      await (await work()).arrayBuffer();
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'cut': // ended on receipt
    case undefined:
      return work();
  }
}

/** Waits so long; true where a reset came in between. */
async function isOver(epoch: AbortSignal, ms: number): Promise<boolean> {
  return wait(ms, false, { ref: false, signal: epoch }).catch(() => true);
}

/** The same for WebSocket upgrades; a fault that would spoil an answer's body ends the connection instead. */
export function upgradeListener({ service, upgrade }: ServeOptions, receive: Receive) {
  return (incoming: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { entry, fault } = receive(service, incoming);
    // A reset by the other side must not end the process; the socket's owner sees its close.
    socket.on('error', () => undefined);
    const handOver = () => {
      if (!upgrade) {
        refuse(socket, entry, failure(service, 404));
        return;
      }
      entry.status = 101;
      upgrade(incoming, socket, head);
    };
    if (fault?.kind === 'slow' || fault?.kind === 'late')
      setTimeout(handOver, fault.ms ?? DELAY_MS[fault.kind]).unref();
    else if (fault === undefined || fault.kind === 'cut-after') handOver();
    else if (fault.kind === 'status') refuse(socket, entry, failure(service, fault.status ?? FAILING_STATUS));
    else if (fault.kind === 'throttle') refuse(socket, entry, throttled(service, fault.retry_after));
    if (fault && ['cut', 'malformed', 'cut-after'].includes(fault.kind)) socket.destroy();
  };
}

function refuse(socket: Duplex, entry: JournalEntry, answer: Response): void {
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${answer.status} Refused\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`);
  entry.status = answer.status;
}
