/** Forms for faults of Slack's events and connections. */
/** @import { PanelGroup } from './panel-forms.js' */
import { api } from '../state/api.js';

/** @type {PanelGroup} */
export const DELIVERY_GROUP = {
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

/** @param {string} what @param {string} [times] */
const applyDeliveryFault = (what, times = '') =>
  api.delivery({ do: what, ...(times === '' ? {} : { times: Number(times) }) });
