/** Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode): the bot connects, Slack sends. */
import { randomUUID } from 'node:crypto';
import type { ServeOptions } from '../../contracts.ts';
import type { App } from '../app.ts';
import type { Ids } from '../ids.ts';
import { type Fields, fieldsOf, parseJson } from '../json.ts';
import { createAcks } from './acks.ts';
import { createConnections } from './connections.ts';
import { type Deliver, type Envelope, UNREACHABLE } from './delivery.ts';

const PATH = '/link/';

export type SocketMode = {
  /** The address of one connection, valid once. */
  readonly open: () => string;
  readonly upgrade: NonNullable<ServeOptions['upgrade']>;
  readonly deliver: Deliver;
  readonly stop: () => void;
};
type SocketModeOptions = { readonly app: App; readonly ids: Ids; readonly origin: () => string };

export function createSocketMode({ app, ids, origin }: SocketModeOptions): SocketMode {
  const tickets = new Set<string>();
  const acks = createAcks();
  const connections = createConnections(app, (text) => {
    const { envelope_id, payload } = fieldsOf(parseJson(text));
    if (typeof envelope_id === 'string') acks.acknowledge(envelope_id, fieldsOf(payload));
  });

  return {
    open() {
      const ticket = ids.secret();
      tickets.add(ticket);
      const query = new URLSearchParams({ ticket, app_id: app.appId });
      return `${origin().replace(/^http/, 'ws')}${PATH}?${query}`;
    },
    upgrade(request, socket, head) {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin());
      if (pathname === PATH && tickets.delete(searchParams.get('ticket') ?? ''))
        connections.accept(request, socket, head);
      else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    },
    async deliver(envelope) {
      const connection = connections.next();
      if (!connection) return UNREACHABLE;
      const id = randomUUID();
      const outcome = acks.await(id);
      connection.send(JSON.stringify(enveloped(id, envelope)));
      return outcome;
    },
    stop() {
      connections.stop();
      acks.abandon();
    },
  };
}

function enveloped(id: string, { kind, payload, retry }: Envelope): Fields {
  const isEvent = kind === 'events_api';
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: retry?.reason ?? '' };
  return {
    envelope_id: id,
    type: kind,
    payload,
    accepts_response_payload: !isEvent,
    ...(isEvent ? retried : {}),
  };
}
