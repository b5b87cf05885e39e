/**
 * One workspace for all tests of a file, reset before each, used through Slack's own client. A row names the page of
 * Slack's documentation for its behavior.
 */
import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createManualClock, type MovableClock } from '../../../../src/lib/clock.ts';
import type { Wire, Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { createWorkspace } from '../../../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { isKnownError } from '../documented/documented-lists.ts';
import { aManifest, clientOf, START } from '../harness/workspace-harness.ts';

export type Args = Record<string, unknown>;
export type ApiReplyBody = Record<string, unknown> & { readonly ok: boolean };
export type ConformanceBench = {
  readonly workspace: Workspace;
  readonly clock: MovableClock;
  readonly wire: Wire;
  /** A client with the bot's token. */
  readonly client: WebClient;
  /** The answer through Slack's client, error or not. */
  readonly call: (method: string, args?: Args) => Promise<ApiReplyBody>;
};
export const ARCHIVED = 'C0OLDALERTS';
export const METHODS = 'https://docs.slack.dev/reference/methods/';
export const WEB_API = 'https://docs.slack.dev/apis/web-api';

/** Every scope that a method of this workspace requires. */
const ALL_SCOPES = [
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'links:write',
  'usergroups:read',
  'users:read',
];

export type BenchOptions = {
  readonly rateLimits?: boolean;
  readonly scopes?: readonly string[];
  readonly events?: readonly string[];
  readonly unfurlDomains?: readonly string[];
};

/** The workspace of this file; its parts exist once a test runs. */
export function bench({
  rateLimits = false,
  scopes = ALL_SCOPES,
  events = [],
  unfurlDomains = [],
}: BenchOptions = {}): ConformanceBench {
  let made: Omit<ConformanceBench, 'call'> | undefined;
  const parts = () => {
    if (!made) throw new Error('only inside a test');
    return made;
  };
  beforeAll(async () => {
    const clock = createManualClock(START);
    const wire = createWire({ clock });
    const manifest = aManifest({ scopes, events, unfurlDomains });
    const workspace = await createWorkspace({ clock, wire, transport: 'socket', manifest, rateLimits });
    made = { workspace, clock, wire, client: clientOf(workspace) };
  });
  afterAll(async () => {
    await made?.workspace.stop();
    made?.clock.stop();
  });
  beforeEach(() => {
    made?.workspace.reset();
    made?.wire.reset();
  });
  return {
    get workspace() {
      return parts().workspace;
    },
    get clock() {
      return parts().clock;
    },
    get wire() {
      return parts().wire;
    },
    get client() {
      return parts().client;
    },
    call: (method, args) => answerFrom(parts().client, method, args),
  };
}

/** The answer of the method to this client, error or not. */
export async function answerFrom(client: WebClient, method: string, args: Args = {}): Promise<ApiReplyBody> {
  try {
    return { ...(await client.apiCall(method, args)) };
  } catch (error) {
    const { data } = error as { data?: ApiReplyBody }; // the client's errors carry Slack's answer
    if (data === undefined) throw error;
    return data;
  }
}

/** Posts a message of the bot; returns its timestamp. */
export async function posted({ call }: ConformanceBench, args: Args = {}): Promise<string> {
  const { ts } = await call('chat.postMessage', { channel: 'C0OPS000001', text: 'hi', ...args });
  return String(ts);
}

/** Posts a message of a person; returns its timestamp. */
export async function typed(
  { workspace }: ConformanceBench,
  text = 'mine',
  channel = 'ops',
): Promise<string> {
  const { ts = '' } = await workspace.message({ user: 'operator', channel, text });
  return ts;
}

/** One refusal: the method's page lists the error code; `prepare` may create what the arguments need. */
export type RefusalRow = readonly [
  method: string,
  what: string,
  args: Args | ((bench: ConformanceBench) => Promise<Args>),
  error: string,
];

/** A test for each refusal, named after the page that lists the code; other codes need a source of their own. */
export function refusals(
  on: ConformanceBench,
  rows: readonly RefusalRow[],
  expectError: (reply: ApiReplyBody, error: string) => void,
) {
  it.each(rows)(`${METHODS}%s refuses %s`, async (method, _what, args, error) => {
    const given = typeof args === 'function' ? await args(on) : args;
    expectError(await on.call(method, given), error);
    expect(isKnownError(method, error)).toBe(true);
  });
}
