/** What can happen outside the bot, as forms: their fields, and the request of each button. */
import { api } from '../state/api.js';
import { DELIVERY_GROUP } from './delivery-forms.js';
import { FAULT_GROUP } from './fault-forms.js';
import { filledValues, liveModeLines, timeLines } from './status-lines.js';

/**
 * @typedef {{ok?: boolean, error?: string, events?: readonly unknown[], running?: unknown}} ActionResult
 * @typedef {Record<string, string>} FormInput
 * @typedef {{field: string, values: Readonly<Record<string, string | undefined>>}} DependentField
 * @typedef {{name: string, label: string, value?: string, placeholder?: string, options?: readonly string[], suggestions?: readonly string[], finds?: 'devices', number?: boolean, follows?: DependentField}} PanelField
 * @typedef {{id: string, label: string, style?: 'danger', does: (entered: FormInput) => Promise<ActionResult>}} PanelAction
 * @typedef {{id: string, title: string, about?: string, now?: import('./status-lines.js').StatusLines, fields: readonly PanelField[], actions: readonly PanelAction[]}} PanelGroup
 */

/** Names fixed by the seed. */
const DEVICES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];

/** @param {string} value @returns {PanelField} */
const device = (value) => ({
  name: 'device',
  label: 'Device',
  value,
  suggestions: DEVICES,
  finds: 'devices',
});
/** @type {PanelField} */
const patch = { name: 'patch', label: 'Patch', placeholder: 'any' };
/** @type {PanelField} */
const reason = { name: 'reason', label: 'Reason', placeholder: 'any' };

/**
 * @param {string} what
 * @param {string} label
 * @returns {PanelAction}
 */
const world = (what, label) => ({
  id: what,
  label,
  does: (entered) => api.world({ do: what, ...filledValues(entered) }),
});

/**
 * @param {string} advance
 * @param {string} label
 * @returns {PanelAction}
 */
const clock = (advance, label) => ({ id: `clock-${advance}`, label, does: () => api.clock(advance) });

/**
 * @param {'stop' | 'kill' | 'start'} what
 * @param {string} label
 * @returns {PanelAction}
 */
const bot = (what, label) => ({ id: `bot-${what}`, label, does: () => api.bot({ do: what }) });

/** @type {readonly PanelGroup[]} */
export const PANEL_GROUPS = [
  {
    id: 'time',
    title: 'Time',
    now: timeLines,
    fields: [{ name: 'advance', label: 'Move by', value: '2h', placeholder: 'for example 90s or 1d12h' }],
    actions: [
      { id: 'clock', label: 'Move', does: ({ advance = '' }) => api.clock(advance) },
      ...[clock('1m', '+1 min'), clock('10m', '+10 min'), clock('31m', '+31 min'), clock('1d', '+1 day')],
    ],
  },
  {
    id: 'patches',
    title: 'Patches',
    fields: [device('web-02'), patch, reason],
    actions: [world('patch-fails', 'Make a patch fail'), world('patch-applies', 'Make a patch succeed')],
  },
  {
    id: 'storm',
    title: 'Mass patch failure',
    about: 'The same patch fails for the same reason on many devices.',
    fields: [{ name: 'count', label: 'Devices', value: '200', number: true }, patch, reason],
    actions: [world('storm', 'Start mass failure')],
  },
  {
    id: 'devices',
    title: 'Devices',
    fields: [device('web-01')],
    actions: [
      world('device-offline', 'Take offline'),
      world('device-online', 'Bring online'),
      world('device-removed', 'Remove'),
    ],
  },
  {
    id: 'new-device',
    title: 'New device',
    fields: [{ name: 'name', label: 'Name', placeholder: 'any' }],
    actions: [world('device-added', 'Add a device')],
  },
  {
    id: 'life',
    title: 'Background activity',
    now: liveModeLines,
    fields: [],
    actions: [world('live', 'Turn on'), world('quiet', 'Turn off')],
  },
  ...FAULT_GROUP,
  DELIVERY_GROUP,
  {
    id: 'bot',
    title: 'Bot process',
    about:
      'Several processes share one database, like replicas. Two need PostgreSQL in DATABASE_URL: SQLite can’t be shared.',
    fields: [],
    actions: [
      ...[bot('stop', 'Stop'), bot('kill', 'Kill'), bot('start', 'Start')],
      { id: 'bot-two', label: 'Start two', does: () => api.bot({ do: 'start', count: 2 }) },
    ],
  },
  {
    id: 'again',
    title: 'Start over',
    about: 'Restores the original fleet and deletes all messages. The clock isn’t reset.',
    fields: [],
    actions: [{ id: 'reset', label: 'Reset the sandbox', style: 'danger', does: () => api.reset() }],
  },
];
