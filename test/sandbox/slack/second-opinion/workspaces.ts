/** The two workspaces that get the same calls: ours, and one written by others. */
import { readFile } from 'node:fs/promises';
import { LogLevel, WebClient } from '@slack/web-api';
import { createEmulator } from 'emulate';
import { parse } from 'yaml';
import { createManualClock, instant } from '../../../../src/lib/clock.ts';
import { createCleanupStack } from '../../../../src/sandbox/lifecycle.ts';
import { asJsonObject, asList } from '../../../../src/sandbox/slack/core/json-object.ts';
import { createWorkspace } from '../../../../src/sandbox/slack/workspace.ts';
import { listenOnLoopback } from '../../../../src/sandbox/wire/listen.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';

export type WorkspaceSide = {
  readonly client: WebClient;
  readonly appToken: string;
  /** Ids of people and channels by their names. */
  readonly ids: ReadonlyMap<string, string>;
  /** A trigger, as if a person had just acted. */
  readonly trigger: () => Promise<string>;
  readonly stop: () => Promise<void>;
};

const MANIFEST = new URL('../../../../manifest.yml', import.meta.url);
const START = instant(Date.UTC(2026, 10, 20, 9));
const OPERATOR = { user: 'operator', channel: 'ops' };

/** Our workspace; its bot acknowledges everything. */
export async function startOurs(): Promise<WorkspaceSide> {
  const undo = createCleanupStack();
  const clock = createManualClock(START);
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const wire = createWire({ clock });
  const workspace = await createWorkspace({ clock, wire, transport: 'http', manifest });
  undo.add(workspace.stop);
  const bot = await listenOnLoopback((server) => server.on('request', (_, response) => response.end()));
  undo.add(bot.stop);
  workspace.setBotUrl(bot.url);
  return {
    client: clientAt(workspace.apiUrl, workspace.botToken),
    appToken: workspace.appToken,
    ids: new Map([...workspace.users(), ...workspace.channels()].map(({ name, id }) => [name, id])),
    async trigger() {
      const given = await workspace.command({ ...OPERATOR, command: '/fleet', text: 'help' });
      if (!given.ok) throw new Error(given.error);
      return given.trigger_id;
    },
    stop: undo.all,
  };
}

const TOKEN = 'xoxb-second-opinion';
const APP = { app_id: 'A0PATCHBAY1', bot_id: 'B0PATCHBAY1' };
const SCOPES = ['chat:write', 'channels:read', 'channels:history', 'channels:join', 'im:write', 'users:read'];

/** emulate, with the same people and channels under its own ids, and our bot in each channel. */
export async function startTheirs(
  people: readonly string[],
  channels: readonly string[],
): Promise<WorkspaceSide> {
  const { url, close } = await createEmulator({
    service: 'slack',
    port: 0,
    hostname: '127.0.0.1',
    seed: {
      slack: {
        users: people.map((name) => ({ name })),
        channels: channels.map((name) => ({ name })),
        oauth_apps: [
          {
            ...{ ...APP, bot_user_id: 'U0PATCHBAY1', bot_name: 'patchbay', name: 'Patchbay', scopes: SCOPES },
            ...{ client_id: '1.1', client_secret: 'none', redirect_uris: [] },
          },
        ],
        tokens: [
          {
            ...APP,
            token: TOKEN,
            type: 'bot',
            user_id: 'U0PATCHBAY1',
            bot_user_id: 'U0PATCHBAY1',
            scopes: SCOPES,
          },
        ],
      },
    },
  });
  const client = clientAt(`http://127.0.0.1:${new URL(url).port}/api/`, TOKEN);
  const ids = new Map([
    ...(await idsOf(client, 'users', 'members')),
    ...(await idsOf(client, 'conversations', 'channels')),
  ]);
  for (const name of channels) await client.apiCall('conversations.join', { channel: ids.get(name) });
  return {
    client,
    appToken: TOKEN,
    ids,
    async trigger() {
      const { trigger_id } = asJsonObject(await client.apiCall('views.generateTriggerId'));
      return String(trigger_id);
    },
    stop: close,
  };
}

/** Slack's own client; with its defaults it would repeat a 404 for half an hour. */
function clientAt(slackApiUrl: string, token: string): WebClient {
  const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet, setLevel: quiet, setName: quiet };
  return new WebClient(token, {
    slackApiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: { ...logger, getLevel: () => LogLevel.ERROR },
  });
}
const quiet = () => undefined;

/** The names and ids in a list of the other workspace. */
async function idsOf(
  client: WebClient,
  family: 'users' | 'conversations',
  list: string,
): Promise<[string, string][]> {
  const answer = asJsonObject(await client.apiCall(`${family}.list`));
  return asList(answer[list]).map(({ name, id }) => [String(name), String(id)]);
}
