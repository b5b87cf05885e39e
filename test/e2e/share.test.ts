import { describe, expect, it } from 'vitest';
import { actionIdsOf, messageText, type PostedCard } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

describe.each(['socket', 'http'] as const)('sharing an answer, by %s', (transport) => {
  const people = useSandboxPeople({ transport });

  /** A device with a known user. */
  const deviceIn = async (channel: string): Promise<PostedCard> => ({
    ...(await people.runs('operator', 'device win-ts-01', channel)),
    channel,
  });

  it('posts it into the channel in one’s name, without what is personal', async () => {
    const mine = await deviceIn('ops');
    expect(messageText(mine)).toContain('Last logged-in user');
    await people.push('operator', mine, 'share');
    const shared = await people.card('ops', ({ text }) => text.startsWith('win-ts-01: Online'));
    expect(messageText(shared)).toContain('Shared by <@U0OPERATOR1>');
    expect(messageText(shared)).not.toContain('Last logged-in user');
    expect(actionIdsOf(shared)).not.toContain('share');
  });

  it('says why where the bot is no member', async () => {
    const refusal = await people.presses('operator', await deviceIn('random'), 'share');
    expect(refusal.text).toMatch(/^Patchbay isn’t a member of this channel/);
    expect(messageText(refusal)).toContain('Invite Patchbay');
    expect(await people.posts('random')).toEqual([]);
  });

  it('is offered neither in a direct message nor below what is no answer about the fleet', async () => {
    const direct = await people.says('operator', 'device web-01', { channel: '@operator' });
    expect(actionIdsOf(direct)).toContain('packages');
    expect(actionIdsOf(direct)).not.toContain('share');
    expect(actionIdsOf(await people.runs('operator', 'help'))).not.toContain('share');
  });
});
