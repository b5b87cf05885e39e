/** A workspace on a free port, and a bot for it made of Slack's own libraries. */
import { App as BoltApp, type Logger, LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import { createClock, createManualClock, instant, type MovableClock } from '../../../../src/lib/clock.ts';
import type { SeenMessage } from '../../../../src/sandbox/contracts/people.ts';
import type { Wire, Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { createWorkspace } from '../../../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { freePort } from '../../../harness/free-port.ts';
import { DOCUMENTED } from '../documented/documented-lists.ts';

export const OPS = 'C0OPS000001';
export const RANDOM = 'C0RANDOM001';
export const APPROVALS = 'C0APPROVALS';
export const OPERATOR = 'U0OPERATOR1';
export const OUTSIDER = 'U0OUTSIDER1';
export const BOT = 'U0PATCHBAY1';
/** What each payload says of the operator's click or modal, whatever was used. */
export const BY_OPERATOR = {
  user: { id: OPERATOR, username: 'operator', name: 'operator', team_id: 'T0SANDBOX01' },
  api_app_id: 'A0PATCHBAY1',
  token: 'not-a-secret',
  team: { id: 'T0SANDBOX01', domain: 'sandbox' },
  enterprise: null,
  is_enterprise_install: false,
};
export const START = instant(Date.UTC(2026, 10, 20, 9));

const SCOPES = [
  'commands',
  'chat:write',
  'app_mentions:read',
  'channels:read',
  'channels:history',
  'im:read',
  'im:write',
  'im:history',
  'users:read',
  'usergroups:read',
];

export type ManifestParts = {
  readonly scopes?: readonly string[];
  readonly events?: readonly string[];
  readonly shouldEscape?: boolean;
  readonly shortcuts?: readonly { readonly callback_id: string; readonly type: 'global' | 'message' }[];
  readonly unfurlDomains?: readonly string[];
  readonly appHome?: { readonly home_tab_enabled?: boolean };
  readonly botUser?: { readonly display_name: string; readonly always_online: boolean };
  readonly interactivity?: boolean;
};

export function aManifest(parts: ManifestParts = {}) {
  const fleet = {
    command: '/fleet',
    description: 'Ask about the fleet',
    usage_hint: 'device NAME',
    should_escape: parts.shouldEscape ?? false,
  };
  return {
    display_information: { name: 'Fleet' },
    features: {
      slash_commands: [fleet],
      shortcuts: (parts.shortcuts ?? []).map((shortcut) => ({
        name: shortcut.callback_id,
        description: shortcut.callback_id,
        ...shortcut,
      })),
      unfurl_domains: parts.unfurlDomains ?? [],
      app_home: { home_tab_enabled: true, ...parts.appHome },
      ...(parts.botUser ? { bot_user: parts.botUser } : {}),
    },
    oauth_config: { scopes: { bot: parts.scopes ?? SCOPES } },
    settings: {
      event_subscriptions: { bot_events: parts.events ?? ['app_mention', 'member_joined_channel'] },
      interactivity: { is_enabled: parts.interactivity ?? true },
    },
  };
}

export type StartedWorkspace = {
  readonly workspace: Workspace;
  readonly clock: MovableClock;
  readonly wire: Wire;
};
export type StartOptions = ManifestParts & {
  readonly transport?: 'socket' | 'http';
  readonly rateLimits?: boolean;
  /** The clock is stopped unless this is set. */
  readonly ticking?: boolean;
};

/** Starts a workspace and stops it after the test. */
export async function startWorkspace(options: StartOptions = {}): Promise<StartedWorkspace> {
  const clock = options.ticking ? createClock() : createManualClock(START);
  const wire = createWire({ clock });
  const workspace = await createWorkspace({
    clock,
    wire,
    transport: options.transport ?? 'socket',
    manifest: aManifest(options),
    rateLimits: options.rateLimits ?? false,
  });
  onTestFinished(async () => {
    await workspace.stop();
    clock.stop();
  });
  return { workspace, clock, wire };
}

/** Slack's own client, without retries. */
export function clientOf(workspace: Workspace, token = workspace.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: SILENT,
  });
}

/** The error code with which Slack's client rejects a call. */
export async function errorOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    const { data } = error as { data?: { error?: string } }; // the client's errors carry Slack's answer
    return data?.error ?? String(error);
  }
  return 'ok';
}

/** The answer of a method, error or not; sent as JSON where the method takes it. */
export async function answerOf(workspace: Workspace, method: string, args: Record<string, unknown>) {
  const isForm = DOCUMENTED.methods[method]?.formOnly === true;
  const form = () => new URLSearchParams(Object.entries(args).map(([name, value]) => [name, String(value)]));
  const headers = { authorization: `Bearer ${workspace.botToken}` };
  const response = await fetch(workspace.apiUrl + method, {
    method: 'POST',
    headers: isForm ? headers : { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: isForm ? form() : JSON.stringify(args),
  });
  return (await response.json()) as Record<string, unknown> & { ok: boolean }; // every answer is an object
}

/** Bolt, connected over the workspace's transport; listeners are set before it starts. Returns its address. */
export async function startBolt(
  { workspace }: StartedWorkspace,
  transport: 'socket' | 'http',
  listen: (app: BoltApp) => void,
): Promise<string> {
  const clientOptions = { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } };
  const common = { token: workspace.botToken, clientOptions, logger: SILENT, deferInitialization: true };
  const app =
    transport === 'socket'
      ? new BoltApp({ ...common, socketMode: true, appToken: workspace.appToken })
      : new BoltApp({ ...common, signingSecret: workspace.signingSecret });
  listen(app);
  await app.init();
  const port = await freePort();
  await app.start(port);
  onTestFinished(async () => {
    await app.stop();
  });
  const botUrl = `http://127.0.0.1:${port}`;
  if (transport === 'http') workspace.setBotUrl(botUrl);
  return botUrl;
}

/** What this person sees in the channel. */
export function seenBy(workspace: Workspace, user: string, channel = 'ops'): readonly SeenMessage[] {
  return workspace.messages({ user, channel }) ?? [];
}

export function section(text = 'hello', fields: Record<string, unknown> = {}) {
  return { type: 'section', text: { type: 'mrkdwn', text }, ...fields };
}

export function button(actionId: string, fields: Record<string, unknown> = {}) {
  return { type: 'button', action_id: actionId, text: { type: 'plain_text', text: actionId }, ...fields };
}

const quiet = () => undefined;
export const SILENT: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  getLevel: () => LogLevel.ERROR,
  setName: quiet,
};
