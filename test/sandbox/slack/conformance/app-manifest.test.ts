/** What the manifest of the app turns on and off. */
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../../src/sandbox/slack/core/installed-app.ts';
import { startWithBot } from '../harness/bots.ts';
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
    const { workspace, bot } = await startWithBot({ interactivity });
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
  const bare = { features: {}, oauth_config: { scopes: { bot: [] } }, settings: { event_subscriptions: {} } };
  expect(readManifest(bare)).toMatchObject({ interactivity: false, homeTab: false, botUser: null });
});

it.each([
  ['no features', {}],
  ['a command without a slash', { slash_commands: [{ command: 'fleet', description: 'd' }] }],
  ['a shortcut of no kind', { shortcuts: [{ name: 's', type: 'x', callback_id: 'c', description: 'd' }] }],
])('a manifest with %s is refused', (_what, features) => {
  const rest = { oauth_config: { scopes: { bot: [] } }, settings: { event_subscriptions: {} } };
  expect(() => readManifest(Object.keys(features).length === 0 ? rest : { ...rest, features })).toThrow();
});
