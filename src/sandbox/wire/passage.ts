/** One request on its way through the wire: noted, met by a fault or not, answered. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Fault, JournalEntry, ServeOptions, ServiceName } from '../contracts.ts';
import { failure, malformed, throttled } from './answers.ts';

const SLOW_MS = 5_000;
const FAILING_STATUS = 500;

export type Receipt = { readonly entry: JournalEntry; readonly fault: Fault | undefined };
/** Called once for each request, on receipt. */
export type Receive = (service: ServiceName, incoming: IncomingMessage) => Receipt;

/** A node:http request listener around the service's handler. */
export function requestListener(
  { service, fetch }: Pick<ServeOptions, 'service' | 'fetch'>,
  receive: Receive,
) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { entry, fault } = receive(service, incoming);
    outgoing.on('finish', () => {
      entry.status = outgoing.statusCode;
    });
    if (fault?.kind === 'cut') {
      incoming.socket.destroy();
      return;
    }
    const answer = getRequestListener((request) => answerWith(fault, { service, request, fetch, incoming }), {
      overrideGlobalObjects: false,
    });
    void answer(incoming, outgoing);
  };
}

type Work = Pick<ServeOptions, 'service' | 'fetch'> & {
  readonly request: Request;
  readonly incoming: IncomingMessage;
};

async function answerWith(
  fault: Fault | undefined,
  { service, request, fetch, incoming }: Work,
): Promise<Response> {
  switch (fault?.kind) {
    case 'status':
      return failure(service, fault.status ?? FAILING_STATUS);
    case 'throttle':
      return throttled(service, fault.retry_after);
    case 'slow':
      await wait(fault.ms ?? SLOW_MS, undefined, { ref: false });
      return fetch(request);
    case 'malformed':
      return malformed(await fetch(request));
    case 'cut-after':
      // Reading the body to its end makes sure that all of the work was done.
      await (await fetch(request)).arrayBuffer();
      incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    case 'cut': // ended on receipt
    case undefined:
      return fetch(request);
  }
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
    if (fault?.kind === 'slow') setTimeout(handOver, fault.ms ?? SLOW_MS).unref();
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
