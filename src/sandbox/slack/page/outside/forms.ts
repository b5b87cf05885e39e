/** What can happen outside the bot, as forms: their fields, the request of each button, and lines that update on their own. */
import { api } from '../actions.ts';
import { dayAndTime } from '../text/dates.ts';
import type { ActiveFault, SandboxState } from '../types.ts';

export type ActionResult = { ok?: boolean; error?: string; events?: readonly unknown[]; running?: unknown };
/** What an action of the panel led to, in words. */
export type Outcome = { readonly words: string | null; readonly isFailed: boolean };
type FormInput = Record<string, string>;
type DependentField = { field: string; values: Readonly<Record<string, string | undefined>> };
export type PanelField = {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly options?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly finds?: 'devices';
  readonly number?: boolean;
  readonly follows?: DependentField;
};
export type PanelAction = {
  readonly id: string;
  readonly label: string;
  readonly style?: 'danger';
  readonly does: (entered: FormInput) => Promise<ActionResult>;
};
type StatusLines = (world: SandboxState, now: number) => readonly string[];
export type PanelGroup = {
  readonly id: string;
  readonly title: string;
  readonly about?: string;
  readonly now?: StatusLines;
  readonly fields: readonly PanelField[];
  readonly actions: readonly PanelAction[];
};

/** A narrow window does not show the clock in the channel's header. */
const timeLines: StatusLines = (_world, now) => [dayAndTime(now)];

const liveModeLines: StatusLines = ({ living }) => [
  living ? 'On: something small happens about every minute.' : 'Off: nothing happens unless you trigger it.',
];

const faultLines: StatusLines = ({ faults }) =>
  faults.length === 0 ? ['Nothing is broken.'] : faults.map(faultText);

function faultText({ service, match, kind, left, status, ms, retry_after, take, page }: ActiveFault) {
  const details = [
    status !== undefined && `${status}`,
    ms !== undefined && `by ${ms} ms`,
    retry_after !== undefined && `for ${retry_after} s`,
    take !== undefined && `of ${take} rows`,
    page !== undefined && `always page ${page}`,
  ];
  const how = [kind, ...details.filter((each) => each !== false)].join(' ');
  return [service, match, how, left === null ? 'until repaired' : `${left} left`].join(' · ');
}

const NUMBERS = new Set(['count', 'times', 'status', 'ms', 'retry_after', 'take']);

/** Form input as a control request: without empty fields, and with numbers as such. */
function filledValues(entered: FormInput) {
  const nonEmpty = Object.entries(entered).filter(([, value]) => value !== '');
  return Object.fromEntries(
    nonEmpty.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value]),
  );
}

const field = (name: string, label: string, value: string, more: Partial<PanelField> = {}): PanelField => ({
  name,
  label,
  value,
  ...more,
});
const number = (name: string, label: string, value: string) => field(name, label, value, { number: true });
const hint = (name: string, label: string, placeholder: string) => field(name, label, '', { placeholder });
const choice = (name: string, label: string, options: readonly string[]) =>
  field(name, label, '', { options });

const action = (id: string, label: string, does: PanelAction['does']): PanelAction => ({ id, label, does });
const world = (what: string, label: string) =>
  action(what, label, (entered) => api.world({ do: what, ...filledValues(entered) }));
const clock = (advance: string, label: string) => action(`clock-${advance}`, label, () => api.clock(advance));
const fault = (id: string, label: string, input: object) => action(id, label, () => api.fault({ ...input }));
const delivery = (what: string, label: string) =>
  action(what, label, ({ times = '' }) =>
    api.delivery({ do: what, ...(times === '' ? {} : { times: Number(times) }) }),
  );
const connection = (what: string, label: string) => action(what, label, () => api.delivery({ do: what }));
const bot = (what: 'stop' | 'kill' | 'start', label: string) =>
  action(`bot-${what}`, label, () => api.bot({ do: what }));

/** Names fixed by the seed. */
const DEVICES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', 'dup-01', '<!channel> & *bold*'];
const device = (value: string, placeholder = '') =>
  field('device', 'Device', value, { placeholder, suggestions: DEVICES, finds: 'devices' });
const patch = hint('patch', 'Patch', 'any');
const reason = hint('reason', 'Reason', 'any');

/** Requests by method and path. */
const REQUESTS = [
  'GET /servers',
  'POST /servers',
  'GET /events',
  'POST /api/chat.postMessage',
  'POST /api/chat.update',
];
const FIRST_REQUEST = { management: 'GET /servers', slack: 'POST /api/chat.postMessage' };
const FAULTS = ['status', 'slow', 'late', 'cut', 'cut-after', 'malformed', 'throttle', 'list'];

const ALL_REQUESTS = { service: 'management', match: '/' };
const POSTS = { service: 'slack', match: 'chat.postMessage' };

/** Additional fields of each kind of fault. */
const FAULT_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  status: ['status'],
  slow: ['ms'],
  throttle: ['retry_after'],
  list: ['take'],
};

function faultFromForm({ service, match, kind = '', times, ...rest }: FormInput) {
  const details = Object.fromEntries((FAULT_FIELDS[kind] ?? []).map((name) => [name, rest[name] ?? '']));
  return { service, match, kind, ...filledValues({ ...(times === undefined ? {} : { times }), ...details }) };
}

export const PANEL_GROUPS: readonly PanelGroup[] = [
  {
    id: 'time',
    title: 'Time',
    now: timeLines,
    fields: [field('advance', 'Move by', '2h', { placeholder: 'for example 90s or 1d12h' })],
    actions: [
      action('clock', 'Move', ({ advance = '' }) => api.clock(advance)),
      clock('1m', '+1 min'),
      clock('10m', '+10 min'),
      clock('31m', '+31 min'),
      clock('1d', '+1 day'),
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
    fields: [device('', 'all'), hint('patch', 'Patch', 'all')],
    actions: [world('installs-fail', 'Make installs fail'), world('installs-work', 'Make installs succeed')],
  },
  {
    id: 'storm',
    title: 'Mass patch failure',
    about: 'The same patch fails for the same reason on many devices.',
    fields: [number('count', 'Devices', '200'), patch, reason],
    actions: [world('storm', 'Start mass failure'), world('storm-fixed', 'Fix it')],
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
    fields: [hint('name', 'Name', 'any')],
    actions: [world('device-added', 'Add a device')],
  },
  {
    id: 'life',
    title: 'Background activity',
    now: liveModeLines,
    fields: [],
    actions: [world('live', 'Turn on'), world('quiet', 'Turn off')],
  },
  {
    id: 'faults',
    title: 'Break a service',
    about:
      'The fault applies to the next matching requests. The bot’s own polls count, and it retries failed reads.',
    now: faultLines,
    fields: [
      choice('service', 'Service', ['management', 'slack']),
      field('match', 'Requests', FIRST_REQUEST.management, {
        suggestions: REQUESTS,
        follows: { field: 'service', values: FIRST_REQUEST },
      }),
      choice('kind', 'Fault', FAULTS),
      number('times', 'Times', '20'),
      number('status', 'Status', '500'),
      number('ms', 'Delay (ms)', '5000'),
      number('retry_after', 'Retry after (s)', '5'),
      number('take', 'Rows of the list', '0'),
    ],
    actions: [
      action('break', 'Break it', (entered) => api.fault(faultFromForm(entered))),
      action('repair', 'Repair everything', () => api.repair()),
    ],
  },
  {
    id: 'throttle',
    title: 'Common faults',
    about: 'Each affects a limited number of requests. The list above shows how many are left.',
    fields: [],
    actions: [
      fault('slow-service', 'Slow service', { ...ALL_REQUESTS, kind: 'slow', times: 10, ms: 4000 }),
      fault('break-service', 'Service down', { ...ALL_REQUESTS, kind: 'status', times: 20, status: 503 }),
      fault('throttle-slack', 'Throttle 3 posts', { ...POSTS, kind: 'throttle', times: 3, retry_after: 5 }),
    ],
  },
  {
    id: 'delivery',
    title: 'Slack’s events and connections',
    about:
      'Events can arrive twice or out of order. The bot’s connections can be refreshed, cut or go silent.',
    fields: [number('times', 'Events', '5')],
    actions: [
      delivery('duplicate', 'Deliver twice'),
      delivery('reorder', 'Out of order'),
      connection('refresh', 'Refresh connection'),
      connection('kill-socket', 'Cut connection'),
      connection('half-open', 'Silent connection'),
    ],
  },
  {
    id: 'bot',
    title: 'Bot process',
    about:
      'Several processes share one database, like replicas. Two need PostgreSQL in DATABASE_URL: SQLite can’t be shared.',
    fields: [],
    actions: [
      bot('stop', 'Stop'),
      bot('kill', 'Kill'),
      bot('start', 'Start'),
      action('bot-two', 'Start two', () => api.bot({ do: 'start', count: 2 })),
    ],
  },
];

export const START_OVER: PanelGroup = {
  id: 'again',
  title: 'Start over',
  about:
    'Restores the original fleet and configuration file, and deletes all messages. The clock isn’t reset.',
  fields: [],
  actions: [{ ...action('reset', 'Reset the sandbox', () => api.reset()), style: 'danger' }],
};
