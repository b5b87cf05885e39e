import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../harness/until.ts';
import {
  actionIdsOf,
  messageText,
  type PersonName,
  type PostedCard,
  stateOf,
} from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();

const ask = async (user: PersonName, text: string): Promise<PostedCard> => ({
  ...(await people.runs(user, text)),
  channel: 'ops',
});
const mention = (user: PersonName, text: string) => people.says(user, `@patchbay ${text}`);

describe('an alias', () => {
  it('is made by a slash command, used by a mention, and removed by its button', async () => {
    const kept = await ask('operator', 'alias where = device web-01');
    expect(kept.text).toMatch(/^Alias `where` saved\.\n`where` = `device web-01`\n/);
    const answer = await mention('operator', 'where');
    expect(answer.text).toMatch(/^web-01: Online/);
    expect(messageText(answer)).toContain('Ran `device web-01` (alias `where`).');
    const list = await ask('operator', 'alias');
    const after = await people.presses('operator', list, 'remove:1');
    expect(after.text).toMatch(/^Alias `where` removed\.\nAn alias replaces/);
    expect((await ask('operator', 'where')).text).toMatch(/^No command or device is named `where`/);
  });

  it('is its maker’s alone, unless an admin shares it', async () => {
    await ask('operator', 'alias mine = status');
    expect((await ask('viewer', 'mine')).text).toMatch(/^No command or device is named `mine`/);
    expect((await ask('operator', 'alias shared ours = status')).text).toMatch(/^You need the \w+ role/);
    await ask('admin', 'alias shared ours = status');
    expect(messageText(await ask('viewer', 'ours'))).toContain('Ran `status` (alias `ours`).');
    expect((await ask('outsider', 'ours')).text).toMatch(/^You need the \w+ role/);
  });

  it('asks for approval like the command that it stands for', async () => {
    await ask('operator', 'alias again = reboot web-02');
    const asked = await ask('operator', 'again because of a kernel');
    expect(asked.text).toMatch(/^Approval requested: Reboot web-02/);
    expect(messageText(asked)).toContain('Ran `reboot web-02 because of a kernel` (alias `again`).');
    await people.presses('operator', asked, 'withdraw');
  });
});

describe('a saved target', () => {
  it('is used among the filters of a list, and refused to who has no role', async () => {
    expect((await ask('viewer', 'save web = web os:linux')).text).toMatch(/^Target `web` saved\.\n/);
    const typed = await ask('viewer', 'devices web os:linux is:online');
    const saved = await ask('viewer', 'devices in:web is:online');
    expect(saved.text).toBe(typed.text);
    expect(messageText(await ask('viewer', 'saved'))).toContain('web os:linux');
    expect((await ask('operator', 'devices in:web')).text).toMatch(/Unknown saved target `in:web`/);
    expect((await ask('outsider', 'save x = is:online')).text).toMatch(
      /^`\/fleet [\w-]+` needs the \w+ role/,
    );
    expect((await ask('viewer', 'save remove web')).text).toMatch(/^Target `web` removed\.\n/);
  });
});

describe('a time zone', () => {
  it('is chosen, shown and reset', async () => {
    expect((await ask('viewer', 'timezone berlin')).text).toMatch(/^Your time zone is now Europe\/Berlin\./);
    expect((await mention('viewer', 'timezone')).text).toMatch(/^Your time zone is Europe\/Berlin\./);
    expect(JSON.stringify(await ask('viewer', 'timezone Europe/Berln'))).toContain('timezone Europe/Berlin');
    expect((await ask('viewer', 'timezone reset')).text).toMatch(
      /^Your time zone is now UTC\. You haven’t set one/,
    );
    expect((await ask('outsider', 'timezone UTC')).text).toMatch(/^`\/fleet [\w-]+` needs the \w+ role/);
  });
});

describe('help', () => {
  it('shows each person what they may do', async () => {
    expect(messageText(await ask('viewer', 'help'))).not.toContain('`/fleet reboot');
    expect(messageText(await ask('operator', 'help'))).toContain('`/fleet reboot ');
    const stranger = messageText(await ask('outsider', 'help'));
    expect(stranger).toContain('you have no role');
    expect(stranger).not.toContain('`/fleet devices`');
    const one = messageText(await mention('viewer', 'help reboot'));
    expect(one).toContain('You need the operator role (you’re a viewer)');
  });
});

describe('the pause', () => {
  const paused = (open: boolean) =>
    people.card('approvals', ({ text }) =>
      text.startsWith(open ? '⚠️ *All changes are paused*' : '✅ *Changes resumed*'),
    );

  it('is for admins', async () => {
    for (const user of ['operator', 'approver', 'outsider'] as const) {
      expect((await ask(user, 'pause because I say so')).text).toMatch(
        /^`\/fleet [\w-]+` needs the admin role/,
      );
    }
    expect((await ask('operator', 'scan web-02')).text).not.toMatch(/paused/);
    await until(async () => (await people.writes()).includes('POST /servers/4002/queues'), {
      what: 'the scan to be sent, which the next test does not count',
    });
    expect(messageText(await ask('approver', 'audit'))).toMatch(/tried pause and was refused/);
  });

  it('stops what was approved, refuses what is asked, outlives a kill, and ends by its button', async () => {
    await ask('operator', 'reboot db-01 because of a kernel');
    const card = await people.card('approvals', ({ text }) => text.includes('db-01'));
    const before = await people.writes();
    const begun = await ask('admin', 'pause because the data center moves');
    expect(begun.text).toMatch(/^⚠️ All changes are paused\.\n/);
    await paused(true);
    expect((await people.presses('approver', card, 'approve')).text).toMatch(
      /^All changes are paused by .* still waiting/,
    );
    const refused = await mention('operator', 'scan web-01');
    expect(refused.text).toMatch(
      /^All changes are paused by .* \(reason: the data center moves\)\. Nothing was requested/,
    );
    expect((await ask('viewer', 'status')).text).toContain('*All changes are paused* by');

    await people.bot({ do: 'kill' });
    await people.bot({ do: 'start' });
    expect((await ask('operator', 'scan web-01')).text).toMatch(/^All changes are paused/);
    expect((await ask('viewer', 'device web-01')).text).toMatch(/^web-01/);
    expect(await people.writes()).toEqual(before);

    const announced = await paused(true);
    expect(actionIdsOf(announced)).toEqual(['resume']);
    expect((await people.presses('approver', announced, 'resume')).text).toMatch(
      /^`\/fleet [\w-]+` needs the \w+ role/,
    );
    expect((await people.presses('admin', announced, 'resume')).text).toMatch(/^✅ Changes resumed\./);
    await paused(false);
    expect(
      await people.posts('approvals').then((all) => all.filter(({ text }) => /paus/i.test(text))),
    ).toHaveLength(1);
    await people.push('approver', card, 'approve');
    await until(
      async () => stateOf(await people.card('approvals', ({ ts }) => ts === card.ts)) !== 'waiting',
      { what: 'the request to run once it is approved' },
    );
    await until(async () => (await people.writes()).length > before.length, {
      what: 'the reboot to be sent',
    });
    expect((await people.writes()).length).toBe(before.length + 1);
  });

  it.each(['slash', 'mention'] as const)('without a reason takes one press (%s)', async (way) => {
    const answer = await (way === 'slash' ? ask('admin', 'pause') : mention('admin', 'pause'));
    const question = { ...answer, channel: 'ops' };
    expect(question.text).toMatch(/^Pause all changes\?\n/);
    expect((await ask('operator', 'status')).text).not.toContain('All changes are paused');
    const begun = await people.presses('admin', question, 'pause');
    expect(begun.ts).toBe(question.ts);
    expect(begun.text).toMatch(/^⚠️ All changes are paused\.\n/);
    await paused(true);
    expect((await ask('admin', 'pause because of a storm')).text).toMatch(
      /^⚠️ All changes are paused .*\. Your reason was added\./,
    );
    await people.card('approvals', (one) => messageText(one).includes('(reason: of a storm)'));
    expect((await ask('admin', 'pause off')).text).toMatch(/^✅ Changes resumed/);
  });

  it('works for an admin by id while no user group can be read', async () => {
    onTestFinished(async () => {
      await ask('admin', 'pause off');
      await people.clearFaults();
    });
    await people.fault({ service: 'slack', match: 'usergroups', kind: 'status', status: 500 });
    await people.advance('31m');
    expect((await ask('admin', 'pause because of an incident')).text).toMatch(
      /^⚠️ All changes are paused\.\n/,
    );
    expect((await ask('operator', 'devices host:web-01')).text).toContain('web-01');
    expect((await ask('approver', 'status')).text).toMatch(/Slack didn’t say which user groups you’re in/);
  });
});
