/** What the manifest of the app turns on and off, and its limits. */
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../../src/sandbox/slack/core/manifest.ts';
import { startRawBot } from '../harness/raw-bot.ts';
import {
  answerOf,
  BOT,
  button,
  clientOf,
  OPERATOR,
  OPS,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const MANIFEST = 'https://docs.slack.dev/reference/app-manifest#';

describe(`${MANIFEST}features`, () => {
  it.each([
    [{ messages_tab_enabled: false }, 'messages_tab_disabled'],
    [{ messages_tab_read_only_enabled: true }, 'messages_tab_read_only'],
  ])('with %o nobody writes to the app', async (appHome, error) => {
    const { workspace } = await startWorkspace({ appHome });
    const { channel = '' } = await workspace.open({ user: OPERATOR, people: [] });
    expect(await workspace.message({ user: OPERATOR, channel, text: 'hi' })).toEqual({ ok: false, error });
    expect(await workspace.message({ user: OPERATOR, channel: 'ops', text: 'hi' })).toMatchObject({
      ok: true,
    });
  });

  it('the app writes in a messages tab that people only read', async () => {
    const { workspace } = await startWorkspace({ appHome: { messages_tab_read_only_enabled: true } });
    expect(await clientOf(workspace).chat.postMessage({ channel: OPERATOR, text: 'hi' })).toMatchObject({
      ok: true,
    });
  });

  it.each([true, false])('the bot user has its name, and is always online: %s', async (always_online) => {
    const { workspace } = await startWorkspace({ botUser: { display_name: 'Fleet bot', always_online } });
    const { user } = await clientOf(workspace).users.info({ user: BOT });
    expect(user).toMatchObject({ real_name: 'Fleet bot', profile: { real_name: 'Fleet bot' } });
    expect(user?.profile).toHaveProperty('always_active', always_online);
  });
});

it.each([
  [false, { ok: false, error: 'dispatch_failed' }, 0],
  [true, { ok: true }, 1],
])(
  `${MANIFEST}settings: with interactivity %s, a button answers %o`,
  async (interactivity, answer, count) => {
    const { workspace } = await startWorkspace({ interactivity });
    const bot = await startRawBot(workspace);
    const blocks = [{ type: 'actions', elements: [button('go')] }];
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'card', blocks });
    const click = { user: OPERATOR, channel: 'ops', ts: String(ts), action_id: 'go' };
    expect(await workspace.click(click)).toEqual(answer);
    const asked = workspace.command({ user: OPERATOR, channel: 'ops', command: '/fleet', text: '' });
    expect(await asked).toMatchObject({ ok: true });
    expect(bot.envelopes.filter(({ type }) => type === 'interactive')).toHaveLength(count);
  },
);

const command = { command: '/x', description: 'd' };
const shortcut = { name: 's', type: 'global', callback_id: 'c', description: 'd' };
const commands = (slash_commands: readonly object[]) => ({ features: { slash_commands } });
const shortcuts = (all: readonly object[]) => ({ features: { shortcuts: all } });
const domains = (count: number) => ({ features: { unfurl_domains: Array(count).fill('example.com') } });
const scopes = (count: number) => ({ oauth_config: { scopes: { bot: Array(count).fill('x') } } });
const events = (count: number) => ({
  settings: { event_subscriptions: { bot_events: Array(count).fill('x') } },
});

it.each([
  ['command', 32, (size: number) => commands([{ ...command, command: `/${'x'.repeat(size - 1)}` }])],
  [
    'command’s description',
    2_000,
    (size: number) => commands([{ ...command, description: 'd'.repeat(size) }]),
  ],
  ['command’s hint', 1_000, (size: number) => commands([{ ...command, usage_hint: 'd'.repeat(size) }])],
  ['list of commands', 50, (size: number) => commands(Array(size).fill(command))],
  [
    'shortcut’s description',
    150,
    (size: number) => shortcuts([{ ...shortcut, description: 'd'.repeat(size) }]),
  ],
  ['list of shortcuts', 10, (size: number) => shortcuts(Array(size).fill(shortcut))],
  ['list of domains', 5, domains],
  ['list of scopes', 255, scopes],
  ['list of events', 100, events],
])(`${MANIFEST}: a %s has at most %i`, (_what, most, manifest) => {
  expect(() => readManifest(manifest(most))).not.toThrow();
  expect(() => readManifest(manifest(most + 1))).toThrow();
});

it(`${MANIFEST}features: a shortcut needs its description`, () => {
  const { description: _none, ...bare } = shortcut;
  expect(() => readManifest(shortcuts([bare]))).toThrow();
});
