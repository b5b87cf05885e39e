import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { actionIdsOf, messageText, type PostedCard } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

describe.each(['socket', 'http'] as const)('handing an answer on, by %s', (transport) => {
  const people = useSandboxPeople({ transport });

  /** A device with a known user. */
  const deviceIn = async (channel: string): Promise<PostedCard> => ({
    ...(await people.runs('operator', 'device win-ts-01', channel)),
    channel,
  });

  it('sharing posts it into the channel in one’s name, without what is personal', async () => {
    const mine = await deviceIn('ops');
    expect(messageText(mine)).toContain('Last logged-in user');
    await people.push('operator', mine, 'share');
    const shared = await people.card('ops', ({ text }) => text.startsWith('win-ts-01: Online'));
    expect(messageText(shared)).toContain('Shared by <@U0OPERATOR1>');
    expect(messageText(shared)).not.toContain('Last logged-in user');
    expect(actionIdsOf(shared)).not.toContain('share');
  });

  it('sharing says why where the bot is no member', async () => {
    const refusal = await people.presses('operator', await deviceIn('random'), 'share');
    expect(refusal.text).toMatch(/^Patchbay isn’t a member of this channel/);
    expect(messageText(refusal)).toContain('Invite Patchbay');
    expect(await people.posts('random')).toEqual([]);
  });

  it('sharing is offered neither in a direct message nor below what is no answer about the fleet', async () => {
    const direct = await people.says('operator', 'device web-01', { channel: '@operator' });
    expect(actionIdsOf(direct)).toContain('packages');
    expect(actionIdsOf(direct)).not.toContain('share');
    expect(actionIdsOf(await people.runs('operator', 'help'))).not.toContain('share');
  });

  it('a list is sent whole to the one who asks, by the rights of the list', async () => {
    const list = { ...(await people.runs('viewer', 'devices -os:windows')), channel: 'ops' };
    const total = Number(/(\d+) devices/.exec(list.text)?.[1]);
    expect(total).toBeGreaterThan(10);
    const answer = await people.presses('viewer', list, 'export');
    const name = String.raw`devices-os-windows-\d{4}-\d\d-\d\d\.csv`;
    expect(answer.text).toMatch(
      new RegExp(
        `^Sent you \`${name}\` with ${total} rows in a direct message. <https://[^|]+/${name}\\|Open the file>`,
      ),
    );
    const message = await until(async () =>
      (await people.messages('@viewer', 'viewer')).findLast(({ files = [] }) => files.length > 0),
    );
    expect(message.text).toMatch(new RegExp(`^${total} rows of \`devices -os:windows\`, read <!date`));
    const { id } = message.files?.at(-1) ?? { id: '' };
    const text = await (await fetch(`${people.address}/sandbox/file?user=viewer&id=${id}`)).text();
    const rows = text.trim().split('\r\n');
    expect(rows[0]).toContain('hostname');
    expect(rows).toHaveLength(total + 1);
    expect(text).not.toMatch(/windows/i);
  });

  it('nobody else is sent it, and a direct message offers it too', async () => {
    const files = async (user: string) =>
      (await people.messages(`@${user}`, user)).flatMap((message) => message.files ?? []);
    expect(await files('operator')).toEqual([]);
    const direct = {
      ...(await people.says('operator', 'groups', { channel: '@operator' })),
      channel: '@operator',
    };
    expect(actionIdsOf(direct)).toContain('export');
    expect(actionIdsOf(direct)).not.toContain('share');
    await people.push('operator', direct, 'export');
    await until(async () => (await files('operator')).length === 1);
  });

  it('a file is offered to nobody who may not see the list', async () => {
    const refusal = await people.runs('outsider', 'devices', 'random');
    expect(refusal.text).toMatch(/^`\/fleet [\w-]+` needs the \w+ role/);
    expect(actionIdsOf(refusal)).not.toContain('export');
  });
});
