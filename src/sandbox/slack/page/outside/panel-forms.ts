/** What can happen outside the bot, as forms: their fields, and the request of each button. */

import { api } from '../state/api.ts';
import { DELIVERY_GROUP } from './delivery-forms.ts';
import { FAULT_GROUP } from './fault-forms.ts';
import type { PanelAction, PanelField, PanelGroup } from './panel-model.ts';
import { filledValues, liveModeLines, timeLines } from './status-lines.ts';

/** Names fixed by the seed. */
const DEVICES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];

const device = (value: string): PanelField => ({
  name: 'device',
  label: 'Device',
  value,
  suggestions: DEVICES,
  finds: 'devices',
});
const patch: PanelField = { name: 'patch', label: 'Patch', placeholder: 'any' };
const reason: PanelField = { name: 'reason', label: 'Reason', placeholder: 'any' };

const world = (what: string, label: string): PanelAction => ({
  id: what,
  label,
  does: (entered) => api.world({ do: what, ...filledValues(entered) }),
});

const clock = (advance: string, label: string): PanelAction => ({
  id: `clock-${advance}`,
  label,
  does: () => api.clock(advance),
});

const bot = (what: 'stop' | 'kill' | 'start', label: string): PanelAction => ({
  id: `bot-${what}`,
  label,
  does: () => api.bot({ do: what }),
});

export const PANEL_GROUPS: readonly PanelGroup[] = [
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
    id: 'installs',
    title: 'Later installs',
    about: 'Sets the result of installs from now on. Leave a field empty for all devices or patches.',
    fields: [
      { ...device(''), placeholder: 'all' },
      { ...patch, placeholder: 'all' },
    ],
    actions: [world('installs-fail', 'Make installs fail'), world('installs-work', 'Make installs succeed')],
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
