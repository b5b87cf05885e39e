import { describe, expect, it } from 'vitest';
import { actionIdsOf, messageText } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

describe.each(['socket', 'http'] as const)('reading, by %s', (transport) => {
  const people = useSandboxPeople({ transport });

  it('answers a device privately with its facts and buttons', async () => {
    const card = await people.runs('operator', 'device web-01');
    expect(card.text).toMatch(/^web-01: Online, 3 pending patches, reboot required\.\n/);
    expect(messageText(card)).toMatch(/Ubuntu/);
    expect(messageText(card)).toMatch(/Linux servers/);
    expect(actionIdsOf(card)).toEqual(
      expect.arrayContaining(['packages', 'queue', 'scan', 'patch', 'reboot']),
    );
    const others = await people.messages('ops', 'approver');
    expect(others.filter(({ bot }) => bot)).toEqual([]);
  });

  it('lists the devices of a group that need a reboot', async () => {
    const list = await people.runs('viewer', 'devices group:"Linux servers" is:needs-reboot');
    expect(messageText(list)).toContain('web-01');
    expect(messageText(list)).not.toContain('win-ts-01');
  });

  it('turns the pages of a list in place', async () => {
    const first = await people.runs('operator', 'devices');
    const second = await people.presses('operator', { ...first, channel: 'ops' }, 'page:next');
    expect(second.ts).toBe(first.ts);
    expect(messageText(second)).toContain('Page 2 of');
    const back = await people.presses('operator', { ...second, channel: 'ops' }, 'page:prev');
    expect(messageText(back)).toContain('Page 1 of');
  });

  it.each([
    ['packages web-01', /3 missing patches/],
    ['queue web-01', /queue is empty/],
    ['events web-01', /Patch (failed|installed)/],
    ['help', /\/fleet reboot/],
  ])('/fleet %s answers with real data', async (text, words) => {
    expect(messageText(await people.runs('operator', text))).toMatch(words);
  });

  it('offers help where nothing was typed', async () => {
    expect((await people.runs('operator', '')).text).toMatch(/^What you can do with \/fleet/);
  });

  it('shows another view from a button of the card', async () => {
    const card = await people.runs('operator', 'device web-01');
    expect((await people.presses('operator', { ...card, channel: 'ops' }, 'packages')).text).toMatch(
      /^Packages for web-01/,
    );
    expect((await people.presses('operator', { ...card, channel: 'ops' }, 'queue')).text).toMatch(
      /^Queue for web-01/,
    );
  });

  it('asks which one is meant where two devices have a name, and shows the chosen one', async () => {
    const picker = await people.runs('operator', 'device dup-01');
    expect(picker.text).toMatch(/^2 devices match dup-01/);
    const chosen = await people.presses('operator', { ...picker, channel: 'ops' }, 'pick:1');
    expect(chosen.text).toMatch(/^dup-01:/);
  });

  it('shows a hostile name as it is and pings nobody', async () => {
    const card = await people.runs('operator', 'devices "<!channel> & *bold*"');
    expect(messageText(card)).toContain('&lt;!channel&gt; &amp; *bold*');
    expect(messageText(card)).not.toContain('<!channel>');
  });

  it('refuses the outsider with a reason, and answers help all the same', async () => {
    expect((await people.runs('outsider', 'device web-01', 'random')).text).toBe(
      '`/fleet device` needs the viewer role (you have no role).\nAsk <@U0ADMIN0001> for it.',
    );
    expect((await people.runs('outsider', 'help', 'random')).text).toMatch(/^What you can do with \/fleet/);
  });

  it('wrote nothing to the service', async () => {
    expect(await people.writes()).toEqual([]);
  });
});
