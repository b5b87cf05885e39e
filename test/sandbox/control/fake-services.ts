/** Fake services that record requests and return prepared answers. */
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { followMoves } from '../../../src/sandbox/clock-sync.ts';
import type { FileContent, SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import type { ManagementService, Workspace, WorldRequest } from '../../../src/sandbox/contracts/services.ts';
import { createControl } from '../../../src/sandbox/control/control.ts';
import type { ProcessHealth } from '../../../src/sandbox/process/product-process.ts';
import type {
  ProductReplicas,
  ProductSetup,
  ReplicaStartOptions,
} from '../../../src/sandbox/process/product-setup.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';

export const START = instant(1_800_000_000_000);
const PEOPLE = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin', 'outsider'];
const CHANNELS = ['ops', 'approvals', 'patch-alerts', 'new-devices', 'random'];

export function fakeManagement(requests: WorldRequest[] = []): ManagementService {
  return {
    baseUrl: 'http://127.0.0.1:4010/api',
    apiKey: 'key-of-the-fake',
    readOnlyKey: 'read-only-key-of-the-fake',
    expiredKey: 'expired-key-of-the-fake',
    organizationId: 7,
    world(order) {
      requests.push(order);
      return order.device === 'nowhere'
        ? { ok: false, error: 'no device is named nowhere' }
        : { ok: true, events: [1, 2] };
    },
    searchDevices: (part) => [{ value: `${part}-01`, label: `${part}-01 · #1` }],
    isLive: () => requests.at(-1)?.do === 'live',
    reset: () => undefined,
    stop: async () => undefined,
  };
}

export type RecordedCalls = readonly [call: string, order: unknown];

/** A workspace that answers `{ok: true}` to everything and records it in `asked`. */
export function fakeWorkspace(requests: RecordedCalls[] = []): Workspace & { readonly change: () => void } {
  const listeners = new Set<() => void>();
  const note = (call: string) => async (order: unknown) => {
    requests.push([call, order]);
    return { ok: true } as const;
  };
  return {
    apiUrl: 'http://127.0.0.1:4020/api/',
    botToken: 'xoxb-fake',
    appToken: 'xapp-fake',
    signingSecret: '5'.repeat(32),
    users: () => PEOPLE.map((name, index) => ({ id: `U0${index}`, name, role: name.replace(/\d$/, '') })),
    channels: () => CHANNELS.map((name, index) => ({ id: `C0${index}`, name })),
    userGroups: () => [
      { id: 'S01', handle: 'fleet-approvers', users: ['U02', 'U03'] },
      { id: 'S02', handle: 'production-approvers', users: ['U02', 'U05'] },
    ],
    setBotUrl: (url) => requests.push(['setBotUrl', url]),
    commands: () => [{ command: '/fleet', description: 'Fleet', usageHint: 'help' }],
    async command(order) {
      requests.push(['command', order]);
      return order.text === 'hang'
        ? { ok: false, error: 'operation_timeout' }
        : { ok: true, trigger_id: '1.2' };
    },
    message: note('message'),
    messages: ({ user }) => (user === 'outsider' ? null : [message]),
    excerpt: ({ user }) =>
      user === 'outsider' ? null : { messages: [message], removed: [], whole: true, more: false, cursor: 1 },
    cursor: () => 0,
    channelsSince: () => [],
    conversations: () => [],
    file: ({ id }) => (id === 'F1' ? file : null),
    click: note('click'),
    views: (user) => ({ modals: [], home: { of: user } }),
    submit: note('submit'),
    close: note('close'),
    suggest: async (order) => {
      requests.push(['suggest', order]);
      return { ok: true, options: [{ value: 'web-01' }] };
    },
    invite: note('invite'),
    shortcuts: () => [{ callback_id: 'ask', name: 'Ask', type: 'global', description: 'Ask the bot' }],
    shortcut: note('shortcut'),
    home: note('home'),
    react: note('react'),
    delivery: note('delivery'),
    join: note('join'),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reset: () => undefined,
    stop: async () => undefined,
    change: () => {
      for (const listener of listeners) listener();
    },
  };
}

const file: FileContent = {
  id: 'F1',
  name: 'räport.csv',
  title: 'Report',
  mimetype: 'text/csv',
  size: 3,
  bytes: new TextEncoder().encode('a;b'),
};

export const message: SeenMessage = {
  ts: '1.1',
  user: 'U0BOT',
  bot: true,
  text: 'hello',
  blocks: [],
  metadata: null,
  ephemeral: false,
  thread_ts: null,
};

export const health: ProcessHealth = {
  lines: [{ at: START, text: 'ready' }],
  lastExit: { at: START, how: 'exit code 0', wanted: true },
};

export function fakeBots(requests: RecordedCalls[] = []) {
  let running = 1;
  const note =
    (call: string, after: number) =>
    async (choice?: ReplicaStartOptions): Promise<void> => {
      requests.push([call, choice]);
      running = after;
    };
  return {
    start: note('start', 1),
    stop: note('stop', 0),
    rest: note('rest', 1),
    kill: note('kill', 0),
    hangup: note('hangup', 1),
    pause: note('pause', 1),
    resume: note('resume', 1),
    paused: () => [],
    running: () => Array.from({ length: running }, (_, place) => place),
    catchUp: async () => undefined,
    reload: async () => [],
    configuration: {
      read: async () => 'roles: {}',
      async write(text) {
        requests.push(['configuration', text]);
        return text.startsWith('roles:') ? [] : ['line 1, column 1: a fault'];
      },
    },
  } satisfies ProductReplicas & Pick<ProductSetup, 'configuration'>;
}

/** A control interface over fake services, with its recorded requests. */
export function fakeControl(pageFolder: string) {
  const requests: RecordedCalls[] = [];
  const worldOrders: WorldRequest[] = [];
  const clock = createManualClock(START);
  const wire = createWire({ clock });
  const workspace = fakeWorkspace(requests);
  const control = createControl({
    clock,
    wire,
    management: fakeManagement(worldOrders),
    workspaceState: {
      workspace,
      bots: fakeBots(requests),
      botUrl: () => 'http://127.0.0.1:4030',
      health: () => health,
    },
    ...followMoves(
      (ms) => clock.advance(ms),
      { follow: async () => undefined },
      () => undefined,
    ),
    reset: async () => {
      requests.push(['reset', undefined]);
    },
    pageFolder,
  });
  return { control, workspace, wire, asked: requests, worldOrders };
}

/** Sends a request as a program on this machine does. */
export async function callControl(
  { control }: Pick<ReturnType<typeof fakeControl>, 'control'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const request = new Request(`http://127.0.0.1:3000${path}`, {
    method,
    headers: { host: '127.0.0.1:3000', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return control.fetch(request);
}
