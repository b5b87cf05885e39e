/** Sends calls to one workspace through Slack's own client and returns their outcome. */
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { afterAll, beforeAll } from 'vitest';
import { WebSocket } from 'ws';
import { createManualClock } from '../../../../src/lib/clock.ts';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { createWorkspace } from '../../../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { connectionUrl } from '../harness/raw-bot.ts';
import { aManifest, clientOf, OPERATOR, OPS, START } from '../harness/workspace-harness.ts';

type Json = Readonly<Record<string, unknown>>;
/** A method with its arguments; channels, triggers and ids are filled in. */
export type SlackCall = { readonly method: string; readonly args: Json };
export type CallOutcome = { readonly word: string; readonly pointers: readonly string[] };
export type SlackUnderTest = {
  /** Makes the calls one after another and returns the outcome of the last. */
  readonly outcomeOf: (...calls: readonly SlackCall[]) => Promise<CallOutcome>;
};

const OK: CallOutcome = { word: 'ok', pointers: [] };
/** The button in a modal that gives a trigger from inside it. */
export const MORE = { type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } };

/** One workspace for all tests of a file, with a Home and a bot that acknowledges everything. */
export function useSlack(): SlackUnderTest {
  let bench: Bench | undefined;
  beforeAll(async () => {
    bench = await start();
  });
  afterAll(async () => {
    await bench?.stop();
  });
  return {
    async outcomeOf(...calls) {
      if (!bench) throw new Error('the workspace is not started');
      let outcome = OK;
      for (const call of calls) outcome = await send(bench, call);
      return outcome;
    },
  };
}

type Bench = {
  readonly workspace: Workspace;
  readonly client: WebClient;
  readonly ts: string;
  readonly lastTrigger: () => string;
  viewId: string;
  readonly stop: () => Promise<void>;
};

async function start(): Promise<Bench> {
  const clock = createManualClock(START);
  const workspace = await createWorkspace({
    clock,
    wire: createWire({ clock }),
    transport: 'socket',
    manifest: aManifest(),
    rateLimits: false,
  });
  const socket = new WebSocket(await connectionUrl(workspace));
  await new Promise((resolve) => socket.once('message', resolve));
  let trigger = '';
  socket.on('message', (data) => {
    const { envelope_id, payload } = JSON.parse(String(data));
    trigger = payload?.trigger_id ?? '';
    socket.send(JSON.stringify({ envelope_id }));
  });
  const client = clientOf(workspace);
  const { ts } = await client.chat.postMessage({ channel: OPS, text: 'to be updated' });
  const stop = async () => {
    socket.close();
    await workspace.stop();
    clock.stop();
  };
  return { workspace, client, ts: ts ?? '', lastTrigger: () => trigger, viewId: '', stop };
}

async function send(bench: Bench, { method, args }: SlackCall): Promise<CallOutcome> {
  const whole = { ...(await missing(bench, method)), ...args };
  try {
    const answer: Json = { ...(await bench.client.apiCall(method, whole)) };
    const { view } = answer as { view?: { id?: string } }; // answers about views hold one
    if (method !== 'views.publish') bench.viewId = view?.id ?? bench.viewId;
    return OK;
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) throw error;
    const { data } = error;
    return { word: data.error, pointers: pointersIn(data.response_metadata?.messages ?? []) };
  }
}

/** Arguments that a method needs besides the one under test. */
async function missing(bench: Bench, method: string): Promise<Json> {
  switch (method) {
    case 'chat.postEphemeral':
      return { channel: OPS, user: OPERATOR };
    case 'chat.update':
      return { channel: OPS, ts: bench.ts };
    case 'views.publish':
      return { user_id: OPERATOR };
    case 'views.update':
      return { view_id: bench.viewId };
    case 'views.open':
      return { trigger_id: await trigger(bench) };
    case 'views.push':
      return { trigger_id: await triggerInside(bench) };
    default:
      return { channel: OPS };
  }
}

async function trigger({ workspace, lastTrigger }: Bench): Promise<string> {
  await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
  return lastTrigger();
}

async function triggerInside({ workspace, viewId, lastTrigger }: Bench): Promise<string> {
  await workspace.click({ user: 'operator', channel: '', ts: '', view_id: viewId, action_id: 'more' });
  return lastTrigger();
}

/** Where the problems are; the objects that Slack names around them are left out. */
function pointersIn(messages: readonly string[]): readonly string[] {
  return messages
    .filter((message) => !message.startsWith('[ERROR] failed to match all allowed schemas'))
    .flatMap((message) => /^\[ERROR\] .+ \[json-pointer:(.*)\]$/.exec(message)?.[1] ?? []);
}
