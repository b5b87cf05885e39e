/** Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode): the bot connects, Slack sends. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import type { ServeOptions } from '../../contracts/services.ts';
import { parseJson } from '../../parse-json.ts';
import type { Ids } from '../core/ids.ts';
import type { InstalledApp } from '../core/installed-app.ts';
import { asJsonObject, type JsonObject } from '../core/json-object.ts';
import { type ConnectionFault, createConnections } from './connections.ts';
import {
  ACKNOWLEDGE_WITHIN_MS,
  type Deliver,
  type DeliveryOutcome,
  type DeliveryRequest,
  type RetryReason,
  TIMED_OUT,
  UNREACHABLE,
} from './delivery.ts';

const PATH = '/link/';

export type SocketMode = {
  /** An address for one connection, valid once. */
  readonly open: () => string;
  readonly upgrade: NonNullable<ServeOptions['upgrade']>;
  readonly deliver: Deliver;
  /** Applies the fault to the oldest `count` connections; returns how many were affected. */
  readonly applyFault: (fault: ConnectionFault, count: number) => number;
  readonly stop: () => void;
};
type SocketModeOptions = {
  readonly app: InstalledApp;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly origin: () => string;
};

export function createSocketMode({ app, clock, ids, origin }: SocketModeOptions): SocketMode {
  const tickets = new Set<string>();
  const acks = createPendingAcknowledgements();
  const onMessage = (text: string) => {
    const { envelope_id, payload } = asJsonObject(parseJson(text));
    if (typeof envelope_id === 'string') acks.acknowledge(envelope_id, asJsonObject(payload));
  };
  const connections = createConnections({ app, clock, onMessage });

  return {
    open() {
      const ticket = ids.secret();
      tickets.add(ticket);
      const query = new URLSearchParams({ ticket, app_id: app.appId });
      return `${origin().replace(/^http/, 'ws')}${PATH}?${query}`;
    },
    upgrade(request, socket, head) {
      // An invalid address must not end the process.
      const url = URL.parse(request.url ?? '/', origin());
      if (url?.pathname === PATH && tickets.delete(url.searchParams.get('ticket') ?? ''))
        connections.accept(request, socket, head);
      else socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    },
    async deliver(envelope) {
      const id = randomUUID();
      if (!connections.send(JSON.stringify(socketEnvelope(id, envelope)))) return UNREACHABLE;
      return acks.await(id);
    },
    applyFault: connections.applyFault,
    stop() {
      connections.stop();
      acks.abandon();
    },
  };
}

function socketEnvelope(id: string, { kind, payload, retry }: DeliveryRequest): JsonObject {
  const isEvent = kind === 'events_api';
  const retried = { retry_attempt: retry?.attempt ?? 0, retry_reason: socketReason(retry?.reason) };
  return {
    envelope_id: id,
    type: kind,
    payload,
    accepts_response_payload: acceptsPayload(kind, payload),
    ...(isEvent ? retried : {}),
  };
}

/**
 * The page has it for commands, elements, forms and questions for options; shortcuts are only acknowledged
 * (slackapi/python-slack-sdk, mock_socket_mode_server.py).
 */
const WITH_ANSWER = ['block_actions', 'view_submission', 'block_suggestion'];

function acceptsPayload(kind: DeliveryRequest['kind'], { type }: JsonObject): boolean {
  return kind === 'slash_commands' || (kind === 'interactive' && WITH_ANSWER.some((name) => name === type));
}

/** Slack's pages name the reasons of HTTP; over a socket it says `timeout` (slackapi/bolt-js issue 2487). */
function socketReason(reason: RetryReason | undefined): string {
  return reason === 'http_timeout' ? 'timeout' : (reason ?? '');
}

type PendingAcknowledgements = {
  /** The outcome of the envelope with this id, within three seconds. */
  readonly await: (envelopeId: string) => Promise<DeliveryOutcome>;
  readonly acknowledge: (envelopeId: string, body: JsonObject) => void;
  /** No further acknowledgement will come. */
  readonly abandon: () => void;
};

function createPendingAcknowledgements(): PendingAcknowledgements {
  const waiting = new Map<string, (outcome: DeliveryOutcome) => void>();
  return {
    await: (envelopeId) =>
      new Promise((resolve) => {
        const settle = (outcome: DeliveryOutcome) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(TIMED_OUT), ACKNOWLEDGE_WITHIN_MS);
        waiting.set(envelopeId, settle);
      }),
    acknowledge: (envelopeId, body) => waiting.get(envelopeId)?.({ kind: 'acknowledged', body }),
    abandon() {
      for (const settle of waiting.values()) settle(UNREACHABLE);
    },
  };
}
