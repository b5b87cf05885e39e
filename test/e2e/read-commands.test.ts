import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/contracts/people.ts';
import { until } from '../harness/until.ts';
import { actionIdsOf, messageText, type PersonName } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

/** Each command once: the line, the person, the answer, and the request to the service, if there is one. */
const COMMANDS: readonly (readonly [string, PersonName, RegExp, RegExp | null])[] = [
  ['groups', 'viewer', /Default group.*Servers.*└ \*Linux servers\*/s, null],
  ['group "Database servers"', 'viewer', /Patch only in the window/, /^GET \/servergroups\/\d+$/],
  [
    'group "Windows servers"',
    'viewer',
    /WSUS, server .*wsus\.example\.com.*Disable SMBv1/s,
    /^GET \/policies$/,
  ],
  ['group default', 'viewer', /Group Default group: \d+ devices, 2 policies/, /^GET \/servergroups\/\d+$/],
  ['policies', 'viewer', /Apply All Patches.*Every day at 2:00 AM/s, /^GET \/policies$/],
  ['policy "Disable SMBv1"', 'viewer', /worklet.*Windows servers/s, /^GET \/policies\/\d+$/],
  ['compliance', 'viewer', /\d+ of \d+ devices (?:aren|isn)’t compliant/, null],
  [
    'preview os:windows host:win',
    'viewer',
    /the operating system .*Windows/,
    /^POST .*device-filters-preview$/,
  ],
  ['organization', 'viewer', /Organization/, /^GET \/orgs$/],
  ['events name:system.patch.failed', 'viewer', /Patch failed/, /^GET \/events$/],
  [
    'events web-01 name:patch-installed until:2100-01-01',
    'viewer',
    /Events for web-01.*of \d+ for this device/s,
    /^GET \/events$/,
  ],
  ['devices is:patches-available -is:pending', 'viewer', /devices? /, null],
  ['devices powershell:5.1', 'viewer', /\d+ devices?: /, /^GET \/servers$/],
  ['operations', 'operator', /\*Recent commands\*/, null],
  ['approvals', 'operator', /Requests waiting for approval/, null],
  ['audit', 'approver', /\*Audit\*/, null],
  ['status', 'viewer', /✅ \*Patchbay is healthy\*/, null],
];

describe('commands that only read', () => {
  const people = useSandboxPeople();

  const asked = async () =>
    (await people.journal('management')).map(
      ({ method, path }) => `${method} ${path.replace(/^\/api|\?.*$/g, '')}`,
    );

  it.each(COMMANDS)('/fleet %s answers %s privately', async (text, user, words, request) => {
    const before = (await asked()).length;
    expect(messageText(await people.runs(user, text))).toMatch(words);
    const since = (await asked()).slice(before);
    if (request !== null) expect(since).toContainEqual(expect.stringMatching(request));
  });

  it.each(COMMANDS)('/fleet %s is refused to the outsider', async (text, _user, _words, request) => {
    const need = text === 'audit' ? 'approver' : 'viewer';
    const before = (await asked()).filter((one) => request?.test(one)).length;
    const answer = await people.runs('outsider', text, 'random');
    expect(answer.text).toBe(
      `\`/fleet ${text.split(' ')[0]}\` needs the ${need} role (you have no role).\nAsk <@U0ADMIN0001> for it.`,
    );
    // The bot itself also reads the event log.
    if (request !== null && text.split(' ')[0] !== 'events') {
      expect((await asked()).filter((one) => request.test(one)).length).toBe(before);
    }
  });

  it('shows no script and no secret of a policy', async () => {
    const card = messageText(await people.runs('viewer', 'policy "Disable SMBv1"'));
    expect(card).toContain('worklet');
    expect(card).not.toMatch(/hunter2|WindowsOptionalFeature/);
  });

  it('leads from a group to its devices', async () => {
    const card = await people.runs('viewer', 'group "Linux servers"');
    const list = await people.presses('viewer', { ...card, channel: 'ops' }, 'devices');
    expect(list.text).toMatch(/^Devices matching `group:"Linux servers"`: \d+ devices/);
  });

  it('leads from what does not comply to the devices', async () => {
    const card = await people.runs('viewer', 'compliance');
    expect(actionIdsOf(card)).toContain('devices:0');
    const list = await people.presses('viewer', { ...card, channel: 'ops' }, 'devices:0');
    expect(list.text).toMatch(/is:noncompliant/);
  });

  it('shows what was asked for and sent, with links, and the audit of the device to approvers alone', async () => {
    await people.runs('operator', 'scan web-01');
    await people.runs('operator', 'reboot web-01 because kernel update');
    const waiting = messageText(await people.runs('approver', 'approvals'));
    expect(waiting).toMatch(/Waiting for approval: Reboot web-01.*kernel update.*Open the request/s);
    expect(messageText(await people.runs('operator', 'approvals mine'))).toMatch(/Reboot web-01/);
    expect(messageText(await people.runs('viewer', 'approvals mine'))).toMatch(/have no requests/);
    expect(messageText(await people.runs('viewer', 'operations'))).toMatch(/Scan web-01.*Open the request/s);
    const trail = messageText(await people.runs('approver', 'audit device web-01'));
    expect(trail).toMatch(/requested approval of a reboot of web-01.*requested a scan of web-01/s);
    expect((await people.runs('operator', 'audit')).text).toBe(
      '`/fleet audit` needs the approver role (you’re an operator).\nAsk <@U0ADMIN0001> for it.',
    );
  });

  /** Presses in the private message, which the answer replaces. */
  const turns = async (on: SeenMessage, action: string) => ({
    ...(await people.presses('viewer', { ...on, channel: 'ops' }, action)),
    channel: 'ops',
  });
  const shown = (message: SeenMessage) =>
    [...JSON.stringify(message.blocks).matchAll(/ · #(\d+) · /g)].map(([, id = '']) => id);

  it('pages over the same devices, whatever changes meanwhile, and reads them again on refresh', async () => {
    const second = await turns(await people.runs('viewer', 'devices'), 'page:next');
    await people.world({ do: 'device-added', name: 'aaa-01' });
    await people.advance('3m');
    await until(
      async () =>
        /Devices matching `aaa-01`: 1 device/.test((await people.runs('viewer', 'devices aaa-01')).text),
      {
        what: 'the index to know the new device',
      },
    );
    const again = await turns(await turns(second, 'page:prev'), 'page:next');
    expect(shown(again)).toEqual(shown(second));
    expect(shown(again)).toHaveLength(10);
    expect(messageText(again)).not.toContain('reloaded');
    const fresh = await turns(again, 'refresh');
    expect(shown(fresh)).not.toEqual(shown(second));
  });

  const titleOf = ({ text }: SeenMessage) => text.split('\n')[0];

  it('pages over the same events, and reads them from the service once', async () => {
    for (let count = 0; count < 12; count += 1) await people.world({ do: 'patch-fails', device: 'web-01' });
    const first = await people.runs('viewer', 'events name:system.patch.failed');
    const counted = titleOf(first);
    await people.world({ do: 'patch-fails', device: 'web-02' });
    const second = await turns(first, 'page:next');
    expect(titleOf(second)).toBe(counted);
    expect(titleOf(await people.runs('viewer', 'events name:system.patch.failed'))).not.toBe(counted);
  });

  it('reads who is missing a package from the list of all devices, and says so', async () => {
    const answer = messageText(await people.runs('viewer', 'missing openssl'));
    expect(answer).toMatch(/devices are missing the `openssl` patch.*read from the fleet-wide list/s);
    const packages = (await asked()).filter((request) => request.endsWith('/packages'));
    expect(new Set(packages)).toEqual(new Set([expect.stringMatching(/^GET \/orgs\/\d+\/packages$/)]));
  });

  it('sorts a list from its menu, and says what to type for it', async () => {
    const list = await people.runs('viewer', 'devices is:offline');
    const sorted = await people.answerTo('viewer', 'ops', async () => {
      const value = JSON.stringify({ by: 'group', reversed: false });
      const pressed = { user: 'viewer', channel: 'ops', ts: list.ts, action_id: 'sort', value };
      expect(await people.click(pressed)).toMatchObject({ ok: true });
    });
    expect(sorted.ts).toBe(list.ts);
    expect(sorted.text).toContain('Devices matching `is:offline sort:group`');
    expect(messageText(sorted)).toContain('Command: `/fleet devices is:offline sort:group`');
    const typed = await people.runs('viewer', 'devices is:offline sort:group');
    expect(shown(typed)).toEqual(shown(sorted));
  });
});
