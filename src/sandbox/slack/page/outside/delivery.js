/** How Slack's events and connections misbehave. */
/** @import { Group } from './orders.js' */
import { api } from '../api.js';

/** @type {Group} */
export const DELIVERY = {
  id: 'delivery',
  title: 'Slack’s events and connections',
  about: 'Events can arrive twice or out of order. The bot’s connections can be refreshed, cut or go silent.',
  fields: [{ name: 'times', label: 'Events', value: '5', number: true }],
  orders: [
    { id: 'duplicate', label: 'Deliver twice', does: ({ times }) => disturb('duplicate', times) },
    { id: 'reorder', label: 'Out of order', does: ({ times }) => disturb('reorder', times) },
    { id: 'refresh', label: 'Refresh connection', does: () => disturb('refresh') },
    { id: 'kill-socket', label: 'Cut connection', does: () => disturb('kill-socket') },
    { id: 'half-open', label: 'Silent connection', does: () => disturb('half-open') },
  ],
};

/** @param {string} what @param {string} [times] */
const disturb = (what, times = '') =>
  api.delivery({ do: what, ...(times === '' ? {} : { times: Number(times) }) });
