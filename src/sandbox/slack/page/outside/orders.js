/** What can be made to happen outside the bot, as forms: their fields, and what each button asks of the sandbox. */
import { api } from '../api.js';

/**
 * @typedef {{ok?: boolean, error?: string, events?: readonly unknown[], running?: unknown}} Outcome
 * @typedef {Record<string, string>} Entered
 * @typedef {{name: string, label: string, value?: string, placeholder?: string, options?: readonly string[], suggestions?: readonly string[], number?: boolean}} Field
 * @typedef {{id: string, label: string, style?: 'danger', does: (entered: Entered) => Promise<Outcome>}} Order
 * @typedef {{title: string, about?: string, fields: readonly Field[], orders: readonly Order[]}} Group
 */

/** The seed's fixed names. */
const DEVICES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];

/** @param {string} value @returns {Field} */
const device = (value) => ({ name: 'device', label: 'Device', value, suggestions: DEVICES });
/** @type {Field} */
const patch = { name: 'patch', label: 'Patch', placeholder: 'any' };
/** @type {Field} */
const reason = { name: 'reason', label: 'Reason', placeholder: 'any' };

/**
 * @param {string} what
 * @param {string} label
 * @returns {Order}
 */
const world = (what, label) => ({
  id: what,
  label,
  does: (entered) => api.world({ do: what, ...filled(entered) }),
});

/**
 * @param {string} advance
 * @param {string} label
 * @returns {Order}
 */
const clock = (advance, label) => ({ id: `clock-${advance}`, label, does: () => api.clock(advance) });

/**
 * @param {'stop' | 'kill' | 'start'} what
 * @param {string} label
 * @returns {Order}
 */
const bot = (what, label) => ({ id: `bot-${what}`, label, does: () => api.bot({ do: what }) });

/** @type {readonly Group[]} */
export const GROUPS = [
  {
    title: 'Time',
    fields: [],
    orders: [clock('1m', '+1 min'), clock('10m', '+10 min'), clock('31m', '+31 min'), clock('1d', '+1 day')],
  },
  {
    title: 'Patches',
    fields: [device('web-02'), patch, reason],
    orders: [world('patch-fails', 'Make a patch fail'), world('patch-applies', 'Let it succeed')],
  },
  {
    title: 'Storm',
    about: 'One patch fails for one reason on many devices.',
    fields: [{ name: 'count', label: 'Devices', value: '200', number: true }, patch, reason],
    orders: [world('storm', 'Start the storm')],
  },
  {
    title: 'Devices',
    fields: [device('web-01')],
    orders: [
      world('device-offline', 'Take offline'),
      world('device-online', 'Bring online'),
      world('device-removed', 'Remove'),
    ],
  },
  {
    title: 'New device',
    fields: [{ name: 'name', label: 'Name', placeholder: 'any' }],
    orders: [world('device-added', 'Add a device')],
  },
  {
    title: 'Life',
    about: 'Quiet: nothing happens unless asked for.',
    fields: [],
    orders: [world('live', 'Let the world live'), world('quiet', 'Quiet')],
  },
  {
    title: 'Break a service',
    fields: [
      { name: 'service', label: 'Service', options: ['management', 'slack'] },
      {
        name: 'match',
        label: 'Requests',
        value: 'GET /',
        suggestions: ['GET /', 'POST /', '/queues', '/events', 'chat.postMessage', 'chat.update'],
      },
      {
        name: 'kind',
        label: 'How',
        options: ['status', 'slow', 'cut', 'cut-after', 'malformed', 'throttle'],
      },
      { name: 'times', label: 'Times', value: '1', number: true },
      { name: 'status', label: 'Status', value: '500', number: true },
      { name: 'ms', label: 'Slow by (ms)', value: '5000', number: true },
      { name: 'retry_after', label: 'Retry after (s)', value: '5', number: true },
    ],
    orders: [
      { id: 'break', label: 'Break it', does: (entered) => api.fault(faultOf(entered)) },
      { id: 'repair', label: 'Repair everything', does: () => api.repair() },
    ],
  },
  {
    title: 'Throttle Slack',
    about: 'The bot’s next calls are told to come back later.',
    fields: [],
    orders: [
      {
        id: 'throttle-slack',
        label: 'Throttle 3 posts',
        does: () =>
          api.fault({
            service: 'slack',
            match: 'chat.postMessage',
            kind: 'throttle',
            times: 3,
            retry_after: 5,
          }),
      },
    ],
  },
  {
    title: 'The bot’s process',
    fields: [],
    orders: [bot('stop', 'Stop'), bot('kill', 'Kill'), bot('start', 'Start')],
  },
  {
    title: 'Begin again',
    about: 'Everything back to the seed; all messages go.',
    fields: [],
    orders: [{ id: 'reset', label: 'Reset the sandbox', style: 'danger', does: () => api.reset() }],
  },
];

/** Which further fields a kind of fault reads. @type {Readonly<Record<string, readonly string[] | undefined>>} */
const FAULT_FIELDS = { status: ['status'], slow: ['ms'], throttle: ['retry_after'] };

/** @param {Entered} entered */
function faultOf({ service, match, kind = '', times, ...rest }) {
  const details = Object.fromEntries((FAULT_FIELDS[kind] ?? []).map((name) => [name, rest[name] ?? '']));
  return { service, match, kind, ...filled({ ...(times === undefined ? {} : { times }), ...details }) };
}

/** Fields left empty are left out, and numbers become numbers. @param {Entered} entered */
function filled(entered) {
  const given = Object.entries(entered).filter(([, value]) => value !== '');
  return Object.fromEntries(given.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]));
}

const NUMBERS = new Set(['count', 'times', 'status', 'ms', 'retry_after']);
