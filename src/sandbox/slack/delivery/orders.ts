/** What is ordered to go wrong between Slack and the bot. */
import type { DeliveryAnswer, DeliveryOrder, WorkspaceOptions } from '../../contracts.ts';
import type { Disorder } from './disorder.ts';
import type { HttpDelivery } from './http.ts';
import type { SocketMode } from './socket-mode.ts';

type Parts = {
  readonly transport: WorkspaceOptions['transport'];
  readonly socket: Pick<SocketMode, 'disturb'>;
  readonly http: Pick<HttpDelivery, 'verify'>;
  readonly disorder: Disorder;
};

export function createOrders({ transport, socket, http, disorder }: Parts) {
  return async ({ do: what, times }: DeliveryOrder): Promise<DeliveryAnswer> => {
    switch (what) {
      case 'duplicate':
      case 'reorder':
        disorder.order(what, times ?? 1);
        return { ok: true };
      case 'verify':
        return transport === 'http' ? http.verify() : { ok: false, error: 'not_over_http' };
      case 'disconnect':
      case 'refresh':
      case 'half-open':
      case 'kill-socket': {
        const connections = socket.disturb(what, times ?? Number.POSITIVE_INFINITY);
        return connections === 0 ? { ok: false, error: 'no_connection' } : { ok: true, connections };
      }
    }
  };
}
