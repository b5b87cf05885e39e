/** Collects the evidence over HTTP and from the database, like a program of its own, and shares no code with the bot. */
import {
  type Evidence,
  type Fields,
  isFields,
  type LoggedEvent,
  type PersonAction,
  type RecordedRequest,
  type VisibleMessage,
} from './evidence.ts';
import { readTables } from './tables.ts';

export type CollectOptions = {
  /** Of the sandbox. */
  readonly address: string;
  readonly databaseUrl: string;
  readonly acts: readonly PersonAction[];
  readonly lines: readonly string[];
  /** The newest event when the bot was ready. */
  readonly baseline: number;
  readonly unrest: string;
};

const EVENTS_A_PAGE = 500;
/** A person who sees every channel of the bot. */
const EVERYWHERE = 'admin';
const CHANNELS = ['ops', 'approvals', 'patch-alerts', 'new-devices'];

export async function collect(options: CollectOptions): Promise<Evidence> {
  const state = await sandbox(options.address, 'state');
  const people = namesOf(state['users']);
  const channels = namesOf(state['channels']);
  const { requests } = await sandbox(options.address, 'journal');
  return {
    clock: Number(state['clock']),
    organization: Number(fields(state['organization'])['id']),
    people,
    fixedChannels: {
      'patch-failed': channels['patch-alerts'] ?? '',
      'device-added': channels['new-devices'] ?? '',
    },
    requests: requests as readonly RecordedRequest[],
    events: await eventsAfter(state, options.baseline),
    messages: await messages(options.address, Object.keys(people), channels),
    tables: await readTables(options.databaseUrl),
    acts: options.acts,
    lines: options.lines,
    secrets: secretsIn(state),
    unrest: options.unrest,
  };
}

/** The id of the newest event of the service. */
export async function newestEvent(address: string): Promise<number> {
  const [newest] = await eventPage(await sandbox(address, 'state'), 0, 1);
  return newest?.id ?? 0;
}

async function messages(
  address: string,
  people: readonly string[],
  channels: Readonly<Record<string, string>>,
): Promise<readonly VisibleMessage[]> {
  const shown: VisibleMessage[] = [];
  for (const name of CHANNELS)
    shown.push(...(await read(address, { channel: name, user: EVERYWHERE, place: channels[name] ?? name })));
  for (const user of people)
    shown.push(...(await read(address, { channel: `@${user}`, user, place: `@${user}` })));
  return shown;
}

async function read(
  address: string,
  { channel, user, place }: { readonly channel: string; readonly user: string; readonly place: string },
): Promise<readonly VisibleMessage[]> {
  const query = new URLSearchParams({ channel, user });
  const { messages: all } = await sandbox(address, `messages?${query}`);
  return list(all)
    .filter((one) => one['bot'] === true)
    .map((one) => {
      const payload = fields(fields(one['metadata'])['event_payload']);
      const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : null);
      const number = (name: string) => (typeof payload[name] === 'number' ? payload[name] : null);
      return {
        place,
        ts: String(one['ts']),
        text: String(one['text']),
        blocks: Array.isArray(one['blocks']) ? one['blocks'] : [],
        key: text('key'),
        state: text('state'),
        devices: number('devices'),
        fixed: number('fixed'),
        ephemeral: one['ephemeral'] === true,
      };
    });
}

async function eventsAfter(state: Fields, baseline: number): Promise<readonly LoggedEvent[]> {
  const found = new Map<number, LoggedEvent>();
  for (let page = 0; ; page += 1) {
    const events = await eventPage(state, page, EVENTS_A_PAGE);
    for (const event of events) if (event.id > baseline) found.set(event.id, event);
    if (events.length < EVENTS_A_PAGE || events.some(({ id }) => id <= baseline)) return [...found.values()];
  }
}

async function eventPage(state: Fields, page: number, limit: number): Promise<readonly LoggedEvent[]> {
  const { baseUrl, apiKey } = fields(state['management']);
  const organization = fields(state['organization'])['id'];
  const response = await fetch(`${baseUrl}/events?o=${organization}&limit=${limit}&page=${page}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const rows: unknown = await response.json();
  return list(rows).map((row) => ({
    id: Number(row['id']),
    name: String(row['name']),
    device: typeof row['server_name'] === 'string' ? row['server_name'] : null,
    deviceId: typeof row['server_id'] === 'number' ? row['server_id'] : null,
    packages: packagesOf(fields(row['data'])['patches']),
    at: Date.parse(String(row['create_time'])),
  }));
}

/** Quoted names, as the service of the sandbox writes them. */
function packagesOf(patches: unknown): readonly string[] {
  if (typeof patches !== 'string') return [];
  return [...patches.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name.toLowerCase());
}

function secretsIn(state: Fields): readonly string[] {
  const { apiKey } = fields(state['management']);
  const { botToken, appToken, signingSecret } = fields(state['slack']);
  return [apiKey, botToken, appToken, signingSecret].filter((one): one is string => typeof one === 'string');
}

async function sandbox(address: string, path: string): Promise<Fields> {
  const answer: unknown = await (await fetch(`${address}/sandbox/${path}`)).json();
  return fields(answer);
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

function namesOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(list(value).map(({ name, id }) => [String(name), String(id)]));
}
