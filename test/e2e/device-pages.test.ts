/** The pages of a device and the filters of the list, in every way to ask for them. */
import { describe, expect, it } from 'vitest';
import { openModalOf } from './harness/modals.ts';
import { actionIdsOf, messageText } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const PAGES: readonly (readonly [page: string, words: RegExp])[] = [
  ['facts', /Device web-01.*Operating system/s],
  ['hardware', /Hardware and system for web-01.*Processor.*Memory.*GB.*Serial number/s],
  ['volumes', /Volumes for web-01.*Free.*Size.* \(\d+%\)/s],
  ['network', /Network for web-01.*Private addresses.*MAC.*02:/s],
  ['updates', /Updates for web-01.*Automatic OS updates.*Update source/s],
  ['policies', /Policies for web-01.*polic(y|ies), \d+ not compliant.*(Every day|at \d{1,2}:\d\d [AP]M)/s],
  ['timeline', /Timeline for web-01.*since/s],
  ['queue', /Queue for web-01/],
];

const people = useSandboxPeople({ profile: 'live' });

const reads = async (id: number) =>
  (await people.journal('management')).filter(
    ({ method, path }) => method === 'GET' && path === `/servers/${id}`,
  ).length;

describe('the pages of a device', () => {
  it.each(PAGES)(
    '%s: from a slash command, a mention and a direct message, read fresh each time',
    async (page, words) => {
      const before = await reads(4001);
      expect(messageText(await people.types('viewer', '/fleet-device', `web-01 ${page}`))).toMatch(words);
      expect(messageText(await people.says('viewer', `<@U0PATCHBAY1> device web-01 ${page}`))).toMatch(words);
      expect(
        messageText(await people.says('viewer', `device web-01 ${page}`, { channel: '@viewer' })),
      ).toMatch(words);
      expect(await reads(4001)).toBeGreaterThanOrEqual(before + 3);
    },
  );

  it('take each other’s place by their buttons', async () => {
    let card = { ...(await people.runs('viewer', 'device web-01')), channel: 'ops' };
    const answers = async () =>
      (await people.messages('ops', 'viewer')).filter(({ ephemeral }) => ephemeral).length;
    const before = await answers();
    for (const [page, words] of PAGES.slice(1)) {
      const label = `${page.charAt(0).toUpperCase()}${page.slice(1)}`;
      card = { ...(await people.presses('viewer', card, 'more', label)), channel: 'ops' };
      expect(messageText(card)).toMatch(words);
    }
    const back = await people.presses('viewer', card, 'page:facts');
    expect(messageText(back)).toContain('Device web-01');
    expect(await answers()).toBe(before);
  });

  it('are reached with five buttons and a menu, which opens the form, too', async () => {
    const card = { ...(await people.runs('operator', 'device web-01')), channel: 'ops' };
    const offered = ['packages', 'queue', 'scan', 'patch', 'more', 'reboot'];
    expect(actionIdsOf(card)).toEqual([...offered, 'share']);
    const redrawn = await people.presses('operator', card, 'more', 'Edit');
    expect(actionIdsOf(redrawn)).toEqual([...offered, 'share']);
    expect(JSON.stringify(await openModalOf(people, 'operator', 'web-01'))).toContain('"callback_id":"form"');
  });

  it('are refused to the outsider, who sees nothing of the device', async () => {
    // Of a device of their own: a form of an earlier test may still read the other one.
    const before = await reads(4004);
    for (const [page] of PAGES) {
      const answer = await people.runs('outsider', `device win-ts-01 ${page}`, 'random');
      expect(answer.text).toBe(
        '`/fleet device` needs the viewer role (you have no role).\nAsk <@U0ADMIN0001> for it.',
      );
    }
    expect(await reads(4004)).toBe(before);
  });

  it('show a channel neither serial numbers nor addresses', async () => {
    const shares: readonly (readonly [string, RegExp, RegExp])[] = [
      ['hardware', /Serial number\*/, /Serial numbers are hidden here/],
      ['network', /MAC|10\.\d+\.\d+\.\d+/, /Addresses are hidden here/],
    ];
    for (const [page, personal, said] of shares) {
      const mine = { ...(await people.runs('operator', `device web-01 ${page}`)), channel: 'ops' };
      expect(messageText(mine)).toMatch(personal);
      await people.push('operator', mine, 'share');
      const shared = await people.card('ops', (one) => said.test(messageText(one)));
      expect(messageText(shared)).toContain('Shared by <@U0OPERATOR1>');
      expect(messageText(shared)).not.toMatch(personal);
    }
  });
});

/** Answers of different seconds, made comparable. */
const untimed = (text: string): string => text.replaceAll(/<!date[^>]*>/g, '<time>');

describe('the filters of the list', () => {
  it.each([
    [
      'os:windows,mac -is:offline sort:seen',
      /^Devices matching `os:Windows or os:mac -is:offline sort:seen`: \d+ devices/i,
    ],
    [
      'policy:"Apply All Patches" is:stale',
      /^Devices matching `policy:"Apply All Patches" is:stale`: \d+ devices?/,
    ],
    ['web or db is:online', /^Devices matching `web or db is:online`: \d+ devices/],
    ['ip:10.0.0.0/8 version:1.', /^Devices matching `ip:10\.0\.0\.0\/8 version:1\.`: \d+ devices/],
    ['is:unmanaged or is:attention', /^Devices matching `is:unmanaged or is:attention`: \d+ devices?/],
  ])('%s: from a slash command, a mention and a button', async (text, title) => {
    const card = await people.types('viewer', '/fleet-devices', text);
    expect(card.text).toMatch(title);
    const mentioned = await people.says('viewer', `<@U0PATCHBAY1> devices ${text}`);
    expect(untimed(mentioned.text)).toBe(untimed(card.text));
    const anew = await people.presses('viewer', { ...card, channel: 'ops' }, 'refresh');
    expect(untimed(anew.text)).toBe(untimed(card.text));
  });

  it('finds the one device of its serial number and user, and says the totals', async () => {
    const card = await people.runs('viewer', 'device web-01 hardware');
    const serial = /Serial number\*\\n([\w-]+)/.exec(messageText(card))?.[1] ?? '';
    const list = messageText(await people.runs('viewer', `devices serial:${serial}`));
    expect(list).toMatch(/1 device: \d online, \d offline/);
    expect(list).toContain('web-01');
  });

  it.each([
    ['devices is:ofline', /Unknown filter `is:ofline`\..*devices is:offline/s],
    ['devices verison:1', /Unknown filter `verison:1`\..*devices version:1/s],
    ['devices policy:"Aply All Patches"', /No policy is named .*devices policy:.*Apply All Patches.*"Run"/s],
    ['devices ip:web', /ip:web.* isn’t valid\. Expected an IP address/],
    ['devices web or', /`or` isn’t valid\. Expected a word or a filter on both sides/],
    ['device web-01 hardwre', /Did you mean (?:this|one of these)\?.*web-01/s],
    ['compliance polices', /Did you mean .*compliance policies/s],
  ])('%s is named back', async (text, words) => {
    const answer = await people.runs('viewer', text);
    expect(messageText(answer)).toMatch(words);
    expect(answer.text).not.toMatch(/Nothing was changed/);
  });

  it('are refused to the outsider', async () => {
    const answer = await people.runs('outsider', 'devices user:anna or is:stale', 'random');
    expect(answer.text).toBe(
      '`/fleet devices` needs the viewer role (you have no role).\nAsk <@U0ADMIN0001> for it.',
    );
  });
});

describe('compliance', () => {
  it('leads by buttons from the groups to the policies, and to the devices that fail one', async () => {
    const groups = { ...(await people.types('viewer', '/fleet', 'compliance')), channel: 'ops' };
    const policies = { ...(await people.presses('viewer', groups, 'page:policies')), channel: 'ops' };
    expect(messageText(policies)).toMatch(
      /"Not compliant".*"Groups \(devices not compliant\)".*"\d+ of \d+"/,
    );
    const count = /"(\d+) of \d+"/.exec(messageText(policies))?.[1];
    const list = await people.presses('viewer', policies, 'devices:0');
    expect(list.text).toMatch(new RegExp(`^Devices matching \`fails:[^\`]+\`: ${count} devices?`));
    const mentioned = await people.says('viewer', '<@U0PATCHBAY1> compliance policies');
    expect(untimed(mentioned.text)).toBe(untimed(policies.text));
    expect((await people.runs('outsider', 'compliance policies', 'random')).text).toMatch(
      /^`\/fleet [\w-]+` needs the viewer role/,
    );
  });
});
