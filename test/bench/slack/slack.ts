/** The local Slack beside bare servers: its start, its commands, and a long channel. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Figure, figure, median } from '../report/figure.ts';
import { runInterleaved } from '../report/interleaved-runs.ts';
import { residentMemoryOf } from '../report/process-memory.ts';
import { connectClient } from './client.ts';
import { inParallel, startSlackProcess } from './process-messages.ts';

const MESSAGES = 10_000;
const PAGE = 200;
const CHANNEL = 'C0OPS000001';
/** Time to settle, for memory that is freed a little later. */
const SETTLE_MS = 2_000;

/** The part of both processes that is measured. */
type SlackProcess = { readonly apiUrl: string; readonly token: string; readonly pid: number };

/** A channel of ten thousand messages: the sandbox's memory for it, and how fast a page of it is read. */
export async function slackChannel(): Promise<readonly Figure[]> {
  const sandbox = await startSandboxProcess();
  const bare = await startSlackProcess('bare');
  try {
    return await compare({ ...sandbox, token: sandbox.botToken }, { ...bare, token: 'none' });
  } finally {
    await sandbox.stop();
    await bare.stop();
  }
}

async function compare(ours: SlackProcess, bare: SlackProcess): Promise<readonly Figure[]> {
  await pause(SETTLE_MS);
  const empty = await memory('resident memory of the sandbox', ours, bare);
  const posting = { ours: await postAll(ours), baseline: await postAll(bare) };
  await pause(SETTLE_MS);
  const messages = `${MESSAGES.toLocaleString('en')} messages`;
  const [ourPages = [], barePages = []] = await runInterleaved({ rounds: 40, warmUp: 10 }, [
    () => readPage(ours),
    () => readPage(bare),
  ]);
  return [
    ...empty,
    ...(await memory(`the same with a channel of ${messages}`, ours, bare)),
    figure({ ...BASELINE_NAME, name: `posting ${messages} to the local Slack`, unit: 'ms', ...posting }),
    figure({
      ...BASELINE_NAME,
      name: `a page of ${PAGE} of ${messages}`,
      unit: 'ms',
      ours: median(ourPages),
      baseline: median(barePages),
    }),
  ];
}

const BASELINE_NAME = { against: 'node:http and a list' };

async function memory(name: string, ours: SlackProcess, bare: SlackProcess): Promise<readonly Figure[]> {
  const [here, there] = [await residentMemoryOf(ours.pid), await residentMemoryOf(bare.pid)];
  if (here === null || there === null) return [];
  return [figure({ ...BASELINE_NAME, name, unit: 'MiB', ours: here, baseline: there })];
}

async function postAll(place: SlackProcess): Promise<number> {
  let posted = 0;
  const begun = performance.now();
  await inParallel(MESSAGES, async () => {
    posted += 1;
    await call(place, 'chat.postMessage', cardMessage(posted));
  });
  return performance.now() - begun;
}

async function readPage(place: SlackProcess): Promise<number> {
  const begun = performance.now();
  const { messages } = await call(place, 'conversations.history', { channel: CHANNEL, limit: PAGE });
  const ms = performance.now() - begun;
  if (messages?.length !== PAGE) throw new Error(`a page of ${messages?.length}`);
  return ms;
}

type Reply = { readonly ok: boolean; readonly error?: string; readonly messages?: readonly unknown[] };

async function call({ apiUrl, token }: SlackProcess, method: string, args: object): Promise<Reply> {
  const response = await fetch(apiUrl + method, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(args),
  });
  const reply: Reply = Object(await response.json());
  if (!reply.ok) throw new Error(`${method}: ${reply.error}`);
  return reply;
}

/** A card as large as those of the product. */
function cardMessage(number: number): object {
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
  const button = (action_id: string) => ({
    ...{ type: 'button', action_id, text: { type: 'plain_text', text: action_id } },
    value: JSON.stringify({ do: 'run', command: action_id, device: number }),
  });
  return {
    channel: CHANNEL,
    text: `Patch failed on web-${number}: openssl.`,
    blocks: [
      { type: 'section', text: mrkdwn(`*Patch failed on web-${number}*`) },
      { type: 'section', text: mrkdwn('openssl 3.0.15-1: dpkg: error processing archive (--unpack)') },
      { type: 'context', elements: [mrkdwn('Linux servers · Debian 13 · seen 2 minutes ago')] },
      { type: 'actions', elements: [button('device'), button('scan'), button('retry')] },
    ],
    metadata: { event_type: 'card', event_payload: { key: `alert-${number}`, state: 'open' } },
  };
}

const ENTRY = fileURLToPath(new URL('../../../src/patchbay.js', import.meta.url));

/** The whole sandbox as a separate process, started as by a person. */
async function startSandboxProcess() {
  // As in `npm run sandbox`: posts make many short-lived objects, and memory once taken is not given back.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', ENTRY, 'sandbox', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes('ready: ')) break;
  }
  child.stdout.resume();
  const address = /ready: (\S+)/.exec(output)?.[1] ?? '';
  const { slack } = Object(await (await fetch(`${address}/sandbox/state`)).json());
  return {
    pid: child.pid ?? 0,
    apiUrl: slack.apiUrl,
    botToken: slack.botToken,
    async stop(): Promise<void> {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** From the call until the workspace listens, in a fresh process each time. */
export async function slackStart(): Promise<readonly Figure[]> {
  const take = (kind: 'ours' | 'bare') => async () => {
    const { listeningMs, stop } = await startSlackProcess(kind);
    await stop();
    return listeningMs;
  };
  const [ours = [], bare = []] = await runInterleaved({ rounds: 9, warmUp: 1 }, [take('ours'), take('bare')]);
  return [
    figure({
      name: 'local Slack, from the call until it listens',
      unit: 'ms',
      ours: median(ours),
      baseline: median(bare),
      against: 'node:http and ws',
    }),
  ];
}

const COMMANDS = 2_000;

/** Commands through Socket Mode, each until its acknowledgement; with the same client for both. */
export async function slackCommands(): Promise<readonly Figure[]> {
  const ours = await startSlackProcess('ours');
  const bare = await startSlackProcess('bare');
  const ourClient = await connectClient(ours);
  const bareClient = await connectClient(bare);
  try {
    const perSecond = (ms: number) => COMMANDS / (ms / 1_000);
    const [fast = [], faster = []] = await runInterleaved({ rounds: 9, warmUp: 2 }, [
      async () => perSecond(await ours.perform({ commands: COMMANDS, envelope: {} })),
      async () => perSecond(await bare.perform({ commands: COMMANDS, envelope: ourClient.envelope() })),
    ]);
    return [
      figure({
        name: 'commands a second through Socket Mode',
        unit: '/s',
        ours: median(fast),
        baseline: median(faster),
        against: 'ws with the same envelopes',
      }),
    ];
  } finally {
    ourClient.close();
    bareClient.close();
    await ours.stop();
    await bare.stop();
  }
}
