/** Forms for faults of Slack's events and connections. */

import { api } from '../state/api.ts';
import type { PanelGroup } from './panel-model.ts';

export const DELIVERY_GROUP: PanelGroup = {
  id: 'delivery',
  title: 'Slack’s events and connections',
  about: 'Events can arrive twice or out of order. The bot’s connections can be refreshed, cut or go silent.',
  fields: [{ name: 'times', label: 'Events', value: '5', number: true }],
  actions: [
    { id: 'duplicate', label: 'Deliver twice', does: ({ times }) => applyDeliveryFault('duplicate', times) },
    { id: 'reorder', label: 'Out of order', does: ({ times }) => applyDeliveryFault('reorder', times) },
    { id: 'refresh', label: 'Refresh connection', does: () => applyDeliveryFault('refresh') },
    { id: 'kill-socket', label: 'Cut connection', does: () => applyDeliveryFault('kill-socket') },
    { id: 'half-open', label: 'Silent connection', does: () => applyDeliveryFault('half-open') },
  ],
};

const applyDeliveryFault = (what: string, times = '') =>
  api.delivery({ do: what, ...(times === '' ? {} : { times: Number(times) }) });
