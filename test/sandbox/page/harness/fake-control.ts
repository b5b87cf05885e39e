/**
 * A fake control interface for the page: real HTTP, prepared answers, and a record of the page's posts. A test says
 * what each call answers and when something has changed.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { SeenMessage } from '../../../../src/sandbox/contracts/people.ts';
import type { ActiveFault } from '../../../../src/sandbox/contracts/services.ts';
import { packageText, pageScript } from '../../../../src/sandbox/control/page-routes.ts';
import { CACHED_FILES } from './tabs.ts';

export const PAGE = fileURLToPath(new URL('../../../../src/sandbox/slack/page/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};
/** As strict as the page allows, so that a script inside a message would visibly fail. */
const POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'";

/** The sandbox's clock in these tests: a Friday afternoon in UTC. */
export const NOW = Date.UTC(2026, 10, 20, 14, 3, 20);
export const BOT = 'U0PATCHBAY1';

export type FakeMessage = Omit<SeenMessage, 'files' | 'reactions'> & {
  /** The only person who sees an ephemeral message. */
  readonly onlyFor?: string;
  readonly files?: readonly unknown[];
  readonly reactions?: readonly unknown[];
};
export type Posted = { readonly call: string; readonly body: unknown };

export type FakeControl = {
  readonly listener: RequestListener;
  readonly posts: readonly Posted[];
  /** Messages by channel; change them, then call `changed`. */
  readonly channels: Map<string, FakeMessage[]>;
  /** Open views by person; change them, then call `changed`. */
  readonly views: Map<string, readonly unknown[]>;
  /** The Home of each person. */
  readonly homes: Map<string, unknown>;
  /** Who is not in which channel, as `person/channel`. */
  readonly strangers: Set<string>;
  /** Every `GET`, with its query. */
  readonly asked: readonly string[];
  readonly world: { clock: number; running: boolean; living: boolean; faults: readonly ActiveFault[] };
  /** From now on calls to this path get this answer. */
  readonly answer: (call: string, body: unknown) => void;
  readonly changed: () => void;
};

const PEOPLE = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin', 'outsider'];
export const personId = (name: string) => `U0${name.toUpperCase()}`;
const CHANNELS = ['ops', 'approvals', 'patch-alerts', 'new-devices', 'random'];
export const channelId = (name: string) => `C0${name.toUpperCase().replaceAll('-', '')}`;

const JOINED = z.object({ user: z.string(), channel: z.string() });

/** Default answers, and an empty record. */
export function createFakeControl(): FakeControl {
  const posts: Posted[] = [];
  const answers = new Map<string, unknown>();
  const streams = new Set<ServerResponse>();
  const world: FakeControl['world'] = { clock: NOW, running: true, living: false, faults: [] };
  const channels = new Map<string, FakeMessage[]>();
  const views = new Map<string, readonly unknown[]>();
  const homes = new Map<string, unknown>();
  const strangers = new Set<string>();
  const asked: string[] = [];

  const read = (url: URL): unknown => {
    const user = url.searchParams.get('user') ?? '';
    if (answers.has(url.pathname)) return answers.get(url.pathname);
    switch (url.pathname) {
      case '/sandbox/state':
        return stateOf(world);
      case '/sandbox/commands':
        return { commands: COMMANDS };
      case '/sandbox/messages':
        return excerptOf(
          seenBy(user, channels.get(url.searchParams.get('channel') ?? '') ?? []),
          url.searchParams,
        );
      case '/sandbox/views':
        return { modals: views.get(user) ?? [], home: homes.get(user) ?? null };
      case '/sandbox/shortcuts':
        return { shortcuts: SHORTCUTS };
      case '/sandbox/conversations':
        return { conversations: conversationsOf(user, strangers) };
      case '/sandbox/devices':
        return { devices: [{ value: 'web-17', label: 'web-17 · #4017' }] };
      case '/sandbox/bot':
        return HEALTH;
      case '/sandbox/journal':
        return { requests: REQUESTS };
      default:
        return { ok: false, error: `no such call: ${url.pathname}` };
    }
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/sandbox/changes') return openStream(response, streams);
    if (!url.pathname.startsWith('/sandbox/')) return sendFile(url.pathname, response);
    if (request.method === 'GET') {
      asked.push(url.pathname + url.search);
      return sendJson(response, read(url));
    }
    const body = await bodyOf(request);
    posts.push({ call: `${request.method} ${url.pathname}`, body });
    if (url.pathname === '/sandbox/join') {
      const { user, channel } = JOINED.parse(body);
      strangers.delete(`${user}/${channel}`);
    }
    sendJson(response, answers.get(url.pathname) ?? { ok: true });
  };
  return {
    listener: (request, response) => void serve(request, response),
    posts,
    channels,
    views,
    homes,
    strangers,
    asked,
    world,
    answer: (call, body) => void answers.set(call, body),
    changed() {
      for (const stream of streams) stream.write('event: change\ndata: \n\n');
    },
  };
}

const COMMANDS = [
  {
    command: '/fleet',
    description: 'Ask about devices, and act on them',
    usageHint:
      'device <name> | devices [filters] | packages <name> | queue <name> | reboot <name> [because …] | help',
  },
  { command: '/flag', description: 'Flags a message', usageHint: '' },
];
const SHORTCUTS = [
  { name: 'Find a device', type: 'global', callback_id: 'find', description: 'Opens a search' },
  { name: 'Note it down', type: 'message', callback_id: 'note', description: 'Keeps the message' },
];
const HEALTH = {
  running: 1,
  last_exit: { at: NOW - 60_000, how: 'signal SIGKILL', wanted: true },
  lines: [{ at: NOW, text: '{"level":"warn","msg":"the log of events is late"}' }],
};
const REQUESTS = [{ at: NOW, service: 'management', method: 'GET', path: '/events', status: 200 }];

function conversationsOf(user: string, strangers: ReadonlySet<string>) {
  const channels = CHANNELS.map((name) => ({
    id: channelId(name),
    name,
    kind: 'public',
    is_member: !strangers.has(`${user}/${name}`),
  }));
  const alone = { id: 'D0APP', name: user, kind: 'im', is_member: true };
  // As elsewhere, only its members know that it exists.
  const secret = { ...alone, id: channelId('secret-team'), name: 'secret-team', kind: 'private' };
  return [...channels, ...(user === 'operator2' ? [secret] : []), alone];
}

/** The answer to the page's reads, computed each time. */
function excerptOf(all: readonly FakeMessage[], query: URLSearchParams) {
  const [thread, after, before] = ['thread', 'after', 'before'].map((name) => query.get(name));
  const replies = (ts: string) => all.filter((each) => each.thread_ts === ts && each.ts !== ts);
  const isOwn = ({ ts, thread_ts }: FakeMessage) => thread_ts === null || thread_ts === ts;
  const found = all
    .filter(({ ts, thread_ts }) => !thread || ts === thread || thread_ts === thread)
    .filter((message) => query.get('replies') !== 'false' || isOwn(message))
    .filter(({ ts }) => (!after || ts > after) && (!before || ts < before));
  const limit = Number(query.get('limit') ?? found.length);
  const page = limit === 0 ? [] : after ? found.slice(0, limit) : found.slice(-limit);
  const messages = page.map((message) => {
    const below = replies(message.ts);
    const last = below.at(-1);
    return last ? { ...message, reply_count: below.length, latest_reply: last.ts } : message;
  });
  return { messages, removed: [], whole: true, more: page.length < found.length, cursor: 1 };
}

function stateOf({ clock, running, living, faults }: FakeControl['world']) {
  return {
    users: PEOPLE.map((name) => ({ id: personId(name), name, role: name.replace(/\d$/, '') })),
    channels: CHANNELS.map((name) => ({ id: channelId(name), name })),
    userGroups: [{ id: 'S0APPROVERS', handle: 'fleet-approvers' }],
    organization: { id: 1 },
    clock,
    bot: { running },
    living,
    faults,
    management: {},
    slack: {},
  };
}

function seenBy(user: string, messages: readonly FakeMessage[]): readonly FakeMessage[] {
  return messages.filter(({ onlyFor }) => onlyFor === undefined || onlyFor === user);
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': hello\n\n');
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

async function sendFile(path: string, response: ServerResponse): Promise<void> {
  const name = path === '/' ? 'index.html' : normalize(path.replace(/^\/page\//, ''));
  const bytes = name.startsWith('packages/')
    ? await packageText(name.slice(9))
    : await readFile(join(PAGE, name)).catch(() => null);
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  response.writeHead(bytes === null ? 404 : 200, {
    'content-type': type,
    'content-security-policy': POLICY,
    'cache-control': CACHED_FILES,
  });
  response.end(name.endsWith('.ts') && bytes !== null ? pageScript(String(bytes)) : (bytes ?? 'not found'));
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? null : JSON.parse(text);
}
