import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, type Card, startTown, type Town, wordsOf } from './town.ts';

describe.each(['socket', 'http'] as const)('sharing an answer, by %s', (transport) => {
  let town: Town;
  beforeAll(async () => {
    town = await startTown({ transport });
  });
  afterAll(() => town.stop());

  /** A device whose user is known. */
  const deviceIn = async (channel: string): Promise<Card> => ({
    ...(await town.asks('operator', 'device win-ts-01', channel)),
    channel,
  });

  it('posts it into the channel in one’s name, without what is personal', async () => {
    const mine = await deviceIn('ops');
    expect(wordsOf(mine)).toContain('Last logged-in user');
    await town.push('operator', mine, 'share');
    const shared = await town.card('ops', ({ text }) => text.startsWith('win-ts-01: Online'));
    expect(wordsOf(shared)).toContain('Shared by <@U0OPERATOR1>');
    expect(wordsOf(shared)).not.toContain('Last logged-in user');
    expect(actionsOf(shared)).not.toContain('share');
  });

  it('says why where the bot is no member', async () => {
    const refusal = await town.presses('operator', await deviceIn('random'), 'share');
    expect(refusal.text).toMatch(/^Patchbay isn’t a member of this channel/);
    expect(wordsOf(refusal)).toContain('Invite Patchbay');
    expect(await town.posts('random')).toEqual([]);
  });

  it('is offered neither in a direct message nor below what is no answer about the fleet', async () => {
    const direct = await town.says('operator', 'device web-01', { channel: '@operator' });
    expect(actionsOf(direct)).toContain('packages');
    expect(actionsOf(direct)).not.toContain('share');
    expect(actionsOf(await town.asks('operator', 'help'))).not.toContain('share');
  });
});
