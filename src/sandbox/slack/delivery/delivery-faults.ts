/** Requested faults of the delivery from Slack to the bot. */
import type { DeliveryFaultAnswer, DeliveryFaultInput, WorkspaceOptions } from '../../contracts/services.ts';
import type { EventDisorder } from './event-disorder.ts';
import type { HttpDelivery } from './signed-http.ts';
import type { SocketMode } from './socket-mode.ts';

type DeliveryParts = {
  readonly transport: WorkspaceOptions['transport'];
  readonly socket: Pick<SocketMode, 'applyFault'>;
  readonly http: Pick<HttpDelivery, 'verify'>;
  readonly disorder: EventDisorder;
};

export function createDeliveryFaults({ transport, socket, http, disorder }: DeliveryParts) {
  return async ({ do: what, times }: DeliveryFaultInput): Promise<DeliveryFaultAnswer> => {
    switch (what) {
      case 'duplicate':
      case 'reorder':
        disorder.request(what, times ?? 1);
        return { ok: true };
      case 'verify':
        return transport === 'http' ? http.verify() : { ok: false, error: 'not_over_http' };
      case 'disconnect':
      case 'refresh':
      case 'half-open':
      case 'kill-socket': {
        const connections = socket.applyFault(what, times ?? Number.POSITIVE_INFINITY);
        return connections === 0 ? { ok: false, error: 'no_connection' } : { ok: true, connections };
      }
    }
  };
}
