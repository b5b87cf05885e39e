import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actionIdsOf,
  messageText,
  type SandboxPeople,
  startSandboxPeople,
} from './harness/sandbox-people.ts';

describe.each(['socket', 'http'] as const)('reading, by %s', (transport) => {
  let town: SandboxPeople;
  beforeAll(async () => {
    town = await startSandboxPeople({ transport });
  });
  afterAll(() => town.stop());

  it('answers a device privately with its facts and buttons', async () => {
    const card = await town.runs('operator', 'device web-01');
    expect(card.text).toMatch(/^web-01: Online, 3 pending patches, reboot required\.\n/);
    expect(messageText(card)).toMatch(/Ubuntu/);
    expect(messageText(card)).toMatch(/Linux servers/);
    expect(actionIdsOf(card)).toEqual(
      expect.arrayContaining(['packages', 'queue', 'scan', 'patch', 'reboot']),
    );
    const others = await town.messages('ops', 'approver');
    expect(others.filter(({ bot }) => bot)).toEqual([]);
  });

  it('lists the devices of a group that need a reboot', async () => {
    const list = await town.runs('viewer', 'devices group:"Linux servers" is:needs-reboot');
    expect(messageText(list)).toContain('web-01');
    expect(messageText(list)).not.toContain('win-ts-01');
  });

  it('turns the pages of a list in place', async () => {
    const first = await town.runs('operator', 'devices');
    const second = await town.presses('operator', { ...first, channel: 'ops' }, 'page:next');
    expect(second.ts).toBe(first.ts);
    expect(messageText(second)).toContain('page 2 of');
    const back = await town.presses('operator', { ...second, channel: 'ops' }, 'page:prev');
    expect(messageText(back)).toContain('page 1 of');
  });

  it.each([
    ['packages web-01', /3 missing patches/],
    ['queue web-01', /queue is empty/],
    ['events web-01', /Patch (failed|installed)/],
    ['help', /\/fleet reboot/],
  ])('/fleet %s answers with real data', async (text, words) => {
    expect(messageText(await town.runs('operator', text))).toMatch(words);
  });

  it('offers help where nothing was typed', async () => {
    expect((await town.runs('operator', '')).text).toMatch(/^What you can do with \/fleet/);
  });

  it('shows another view from a button of the card', async () => {
    const card = await town.runs('operator', 'device web-01');
    expect((await town.presses('operator', { ...card, channel: 'ops' }, 'packages')).text).toMatch(
      /^Packages for web-01/,
    );
    expect((await town.presses('operator', { ...card, channel: 'ops' }, 'queue')).text).toMatch(
      /^Queue for web-01/,
    );
  });

  it('asks which one is meant where two devices have a name, and shows the chosen one', async () => {
    const picker = await town.runs('operator', 'device dup-01');
    expect(picker.text).toMatch(/^2 devices are named dup-01/);
    const chosen = await town.presses('operator', { ...picker, channel: 'ops' }, 'pick:1');
    expect(chosen.text).toMatch(/^dup-01:/);
  });

  it('shows a hostile name as it is and pings nobody', async () => {
    const card = await town.runs('operator', 'devices "<!channel> & *bold*"');
    expect(messageText(card)).toContain('&lt;!channel&gt; &amp; *bold*');
    expect(messageText(card)).not.toContain('<!channel>');
  });

  it('refuses the outsider with a reason, and answers help all the same', async () => {
    expect((await town.runs('outsider', 'device web-01', 'random')).text).toMatch(
      /^You need the viewer role \(you have no role\)\./,
    );
    expect((await town.runs('outsider', 'help', 'random')).text).toMatch(/^What you can do with \/fleet/);
  });

  it('wrote nothing to the service', async () => {
    expect(await town.writes()).toEqual([]);
  });
});
