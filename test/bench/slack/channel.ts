/** A channel of ten thousand messages: the sandbox's memory for it, and how fast a page of it is read. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, figure, median } from '../report/figure.ts';
import { runInterleaved } from '../report/interleaved-runs.ts';
import { residentMemoryOf } from '../report/process-memory.ts';
import { inParallel, startSlackProcess } from './process-messages.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const MESSAGES = 10_000;
const PAGE = 200;
const CHANNEL = 'C0OPS000001';
/** Time to settle, for memory that is freed a little later. */
const SETTLE_MS = 2_000;

/** The part of both processes that is measured. */
type SlackProcess = { readonly apiUrl: string; readonly token: string; readonly pid: number };

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
