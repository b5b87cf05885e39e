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
    const { message } = await clientOf(workspace).chat.postMessage({ channel: OPS, text: 'hi' });
    expect(message?.bot_profile).toMatchObject({ name: 'Fleet bot' });
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

it(`${MANIFEST}settings: what the manifest does not enable is off`, () => {
  const bare = read({ features: {}, settings: {} });
  expect(bare).toMatchObject({ interactivity: false, homeTab: false, messagesTab: true, botUser: null });
});

const NAMED = { name: 'Fleet' };
const read = (parts: object) => readManifest({ display_information: NAMED, ...parts });
const command = { command: '/x', description: 'd' };
const shortcut = { name: 's', type: 'global', callback_id: 'c', description: 'd' };
const display = (parts: object) => ({ display_information: { ...NAMED, ...parts } });
const commands = (slash_commands: readonly object[]) => ({ features: { slash_commands } });
const shortcuts = (all: readonly object[]) => ({ features: { shortcuts: all } });
const ofBothTypes = (size: number) =>
  Array.from({ length: size }, (_, at) => ({ ...shortcut, type: at % 2 ? 'message' : 'global' }));
const domains = (...unfurl_domains: readonly string[]) => ({ features: { unfurl_domains } });
const events = (count: number) => ({
  settings: { event_subscriptions: { bot_events: Array(count).fill('x') } },
});
const text = (size: number) => 'd'.repeat(size);

it.each<[string, number, (size: number) => object]>([
  ['name', 35, (size) => display({ name: text(size) })],
  ['description', 140, (size) => display({ description: text(size) })],
  ['long description', 4_000, (size) => display({ long_description: text(size) })],
  ['bot user’s name', 80, (size) => ({ features: { bot_user: { display_name: text(size) } } })],
  ['command', 32, (size) => commands([{ ...command, command: `/${text(size - 1)}` }])],
  ['command’s description', 2_000, (size) => commands([{ ...command, description: text(size) }])],
  ['command’s hint', 1_000, (size) => commands([{ ...command, usage_hint: text(size) }])],
  ['list of commands', 50, (size) => commands(Array(size).fill(command))],
  ['shortcut’s id', 255, (size) => shortcuts([{ ...shortcut, callback_id: text(size) }])],
  ['shortcut’s description', 150, (size) => shortcuts([{ ...shortcut, description: text(size) }])],
  ['list of shortcuts', 10, (size) => shortcuts(ofBothTypes(size))],
  ['list of global shortcuts', 5, (size) => shortcuts(Array(size).fill(shortcut))],
  ['list of domains', 5, (size) => domains(...Array(size).fill('example.com'))],
  ['list of scopes', 255, (size) => ({ oauth_config: { scopes: { bot: Array(size).fill('x') } } })],
  ['list of events', 100, events],
])(`${MANIFEST}: a %s has at most %i`, (_what, most, manifest) => {
  expect(() => read(manifest(most))).not.toThrow();
  expect(() => read(manifest(most + 1))).toThrow();
});

it.each([
  ['a shortcut without a description', shortcuts([{ ...shortcut, description: undefined }])],
  ['a bot user without a name', { features: { bot_user: { always_online: true } } }],
  ['an app without a name', { display_information: {} }],
  ['no display information', { display_information: undefined }],
  ['a color that is not in hex', display({ background_color: 'red' })],
  [
    'optional scopes outside of the scopes',
    { oauth_config: { scopes: { bot: ['a'], bot_optional: ['b'] } } },
  ],
])(`${MANIFEST}: refuses %s`, (_what, manifest) => {
  expect(() => read(manifest)).toThrow();
});

it.each(['#abc', '#1d3b4f'])(`${MANIFEST}: takes the color %s`, (background_color) => {
  expect(() => read(display({ background_color }))).not.toThrow();
});

it(`${MANIFEST}: takes optional scopes that are among the scopes`, () => {
  const scopes = { bot: ['a', 'b'], bot_optional: ['b'] };
  expect(read({ oauth_config: { scopes } }).scopes).toEqual(new Set(['a', 'b']));
});

describe('https://docs.slack.dev/messaging/unfurling-links-in-messages', () => {
  it.each(['example.com', 'another.example.com', 'xn--mnchen-3ya.de'])('takes the domain %s', (domain) => {
    expect(read(domains(domain)).unfurlDomains).toEqual([domain]);
  });

  it.each(['example', '.com', '192.168.0.1', 'https://example.com', 'example.com/path', 'münchen.de'])(
    'refuses %s as a domain',
    (domain) => {
      expect(() => read(domains(domain))).toThrow();
    },
  );
});
