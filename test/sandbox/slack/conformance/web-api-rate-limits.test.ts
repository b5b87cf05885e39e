/** https://docs.slack.dev/apis/web-api/rate-limits, on the clock. */
import { describe, expect, it } from 'vitest';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench } from './conformance-harness.ts';

const on = bench({ rateLimits: true });
const PAGE = 'https://docs.slack.dev/apis/web-api/rate-limits';

async function send(method: string, args: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${on.workspace.botToken}` };
  const body = new URLSearchParams(args);
  const response = await fetch(on.workspace.apiUrl + method, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return { status: response.status, wait: response.headers.get('retry-after') };
}
const PASSED = { status: 200, wait: null };

describe(PAGE, () => {
  it.each([
    ['chat.scheduledMessages.list', 50],
    ['chat.update', 50],
    ['chat.postEphemeral', 100],
    ['conversations.history', 50],
    ['conversations.list', 20],
    ['conversations.members', 100],
    ['reactions.add', 50],
    ['reactions.remove', 20],
    ['users.info', 100],
    ['users.list', 20],
    ['users.conversations', 50],
    ['usergroups.users.list', 20],
    ['views.publish', 100],
    ['files.completeUploadExternal', 100],
  ])('%s: %i calls a minute, and no other method waits with it', async (method, most) => {
    for (let count = 0; count < most; count += 1) await send(method);
    expect(await send(method)).toEqual({ status: 429, wait: '60' });
    expect(await send('auth.test')).toEqual(PASSED);
    await on.clock.advance(59_000);
    expect(await send(method)).toEqual({ status: 429, wait: '1' });
    await on.clock.advance(1_000);
    expect(await send(method)).toEqual(PASSED);
  });

  it('chat.postMessage: one a second in a channel, however it is named', async () => {
    const post = (channel: string) => send('chat.postMessage', { channel, text: 'hi' });
    expect(await post(OPS)).toEqual(PASSED);
    expect(await post('#ops')).toEqual({ status: 429, wait: '1' });
    const { channel } = await on.client.conversations.open({ users: OPERATOR });
    expect(await post(OPERATOR)).toEqual(PASSED);
    expect(await post(channel?.id ?? '')).toEqual({ status: 429, wait: '1' });
    await on.clock.advance(1_000);
    expect(await post(OPS)).toEqual(PASSED);
  });

  it('Slack’s client reads Retry-After from it', async () => {
    await on.client.chat.postMessage({ channel: OPS, text: 'hi' });
    const refused = on.client.chat.postMessage({ channel: OPS, text: 'hi' });
    await expect(refused).rejects.toMatchObject({ retryAfter: 1 });
  });
});
