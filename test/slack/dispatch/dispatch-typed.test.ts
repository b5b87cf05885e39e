import { describe, expect, it, vi } from 'vitest';
import { deviceId, personId } from '../../../src/lib/ids.ts';
import type { RoleLookup } from '../../../src/slack/access/role-lookup.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { renderView } from '../../../src/views/views.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { aRequest, aStartedRequest } from '../../harness/records.ts';
import { withoutRecording } from '../harness/open-access.ts';
import { caller, createTestDispatch, type Parts } from '../harness/test-dispatch.ts';

const typed = (line: string, parts?: Parts) => createTestDispatch(parts).dispatch.runText(line, caller, 'k');

describe('a line with a typo', () => {
  const offered = async (text: string, roleOf?: RoleLookup['roleOf']) => {
    const view = await typed(text, roleOf && { roleOf });
    if (view.kind !== 'problem' || !('offers' in view.problem)) return [];
    return (view.problem.offers ?? []).map((offer) => ('line' in offer ? offer.line : offer.name));
  };

  it.each([
    ['devices grup:linux', ['/fleet devices group:"Linux servers"']],
    ['devices grup:"Linux servers"', ['/fleet devices group:"Linux servers"']],
    ['devices is:needs reboot', ['/fleet devices is:needs-reboot']],
    ['devices is:needs reboot group:linux', ['/fleet devices is:needs-reboot group:"Linux servers"']],
    ['devcies group:linux', ['/fleet devices group:"Linux servers"']],
    ['devices grup:linux os:linx', ['/fleet devices group:"Linux servers" os:Linux']],
    ['devices tga:wbe', ['/fleet devices tag:web']],
    ['devices polcy:"Aply All Patches"', ['/fleet devices policy:"Apply All Patches"']],
    ['devices oss:linx', ['/fleet devices os:Linux']],
    ['preview grup:linux host:web', ['/fleet preview group:"Linux servers" host:web']],
    ['preview oss:linx', ['/fleet preview os:Linux']],
    ['events polcy:"Aply All Patches"', ['Apply All Patches']],
    ['is:needs reboot', ['/fleet is:needs-reboot']],
    ['is:needs-rebot', ['/fleet devices is:needs-reboot']],
    ['web-01 reboot because test', ['/fleet reboot web-01 because test']],
    ['WEB-01 Events days:3', ['/fleet Events WEB-01 days:3']],
    ['device "web-01', ['/fleet device "web-01"']],
    ['reboot "web-01 because it hangs', ['/fleet reboot "web-01" because it hangs']],
    ['explain rebot web-01', ['/fleet explain reboot web-01']],
    ['explain reboot tag:web wavs:1', ['/fleet explain reboot tag:web waves:1']],
    ['alias x = devcies', ['/fleet alias x = devices']],
    ['timezone berln', ['/fleet timezone Europe/Berlin']],
    ['rebot web-01 --now', ['/fleet help reboot']],
    ['devices in:"', []],
    ['show devices', []],
    ['frobnicate all of it', ['/fleet help', '/fleet operations', '/fleet approvals']],
    ['please reboot web-01', ['/fleet reboot web-01']],
    ['please reboot web-01 because CVE-2024-6387', ['/fleet reboot web-01 because CVE-2024-6387']],
    ['can you scan web-01', ['/fleet scan web-01']],
    ['move web-01 to Linux', []],
    ['devices grup:zzzz', []],
    ['devices group:linux os:zzzz', []],
  ])('“%s” is offered only as what is answered: %j', async (text, lines) => {
    expect(await offered(text)).toEqual(lines);
  });

  it('is offered with the saved target that is close, to whoever may look', async () => {
    const settings = createFakeSettings();
    await settings.saved.save({ owner: null, name: 'laptops', line: 'os:linux', by: caller.person });
    const said = (roleOf?: RoleLookup['roleOf']) =>
      typed('devices in:latops', { settings, ...(roleOf && { roleOf }) });
    const choice = { command: 'devices', input: { filters: [{ key: 'os', value: 'linux' }] } };
    const offers = [{ line: '/fleet devices in:laptops', does: 'run', choice }];
    expect(await said()).toMatchObject({ problem: { fault: { of: 'saved target' }, offers } });
    const nobody = async () => ({ role: null, maybe: null }) as const;
    expect(JSON.stringify(await said(nobody))).not.toContain('laptops');
  });

  it('tells nobody who may not look what there is', async () => {
    const roleOf = async () => ({ role: null, maybe: null }) as const;
    expect(await offered('devices grup:linux', roleOf)).toEqual(['/fleet devices group:linux']);
  });

  it('is offered unchanged where the service does not answer', async () => {
    const { dispatch, fleet } = createTestDispatch();
    fleet.failWith(BROKEN);
    const expected = { problem: { kind: 'usage', offers: [{ line: '/fleet devices group:linux' }] } };
    expect(await dispatch.runText('devices grup:linux', caller, 'k')).toMatchObject(expected);
  });
});

describe('a time in words', () => {
  it.each([
    ['reboot web-01 tonight', 'This would run as soon as it’s approved. There are no schedules yet.'],
    ['scan web-01 tonight', 'This would run right away. There are no schedules yet.'],
    ['device-edit web-01 name:front because tidy tonight', 'This would run right away. There are no'],
    ['device-edit web-01 tag:front because tidy tonight', 'This would run as soon as it’s approved. There'],
    ['scan nobody tonight', 'There are no schedules yet. '],
    ['explain reboot web-01 tonight', 'There are no schedules yet.'],
  ])('is answered with when it would run: %s', async (text, words) => {
    const view = await typed(text);
    expect(renderView(view).text.startsWith(words.trim())).toBe(true);
  });

  it('is asked about only where the person may request the change', async () => {
    const viewer = async () => ({ role: 'viewer', maybe: null }) as const;
    const view = (roleOf?: RoleLookup['roleOf']) => typed('reboot web-01 tonight', roleOf && { roleOf });
    expect(await view()).toMatchObject({ problem: { kind: 'no-schedules', when: 'tonight' } });
    expect(await view(viewer)).toMatchObject({ problem: { kind: 'not-allowed', command: 'reboot' } });
  });
});

describe('what was asked for', () => {
  const OWN = { mine: true, reasonUnused: false };
  const OTHERS = { mine: false, reasonUnused: true };
  /** The answer where this request is recorded, or was before. */
  const answered = (text: string, request: RequestWithTargets, already: boolean) => {
    const record = async () => ({ kind: 'recorded', request, already }) as const;
    return typed(text, { requests: { record }, stored: [request] });
  };

  it.each([
    ['anew', 'reboot #1001 because new', {}, false, OWN],
    ['by oneself before', 'reboot #1001', {}, true, OWN],
    ['by oneself before, in the same words', 'reboot #1001 because kernel update', {}, true, OWN],
    [
      'by somebody else before',
      'reboot #1001 because new',
      { requesterId: personId('UOTHER') },
      true,
      OTHERS,
    ],
  ])('%s', async (_what, text, more, already, expected) => {
    const view = await answered(text, aRequest(more), already);
    expect(view).toMatchObject({ kind: 'approval-requested', already, ...expected });
  });

  it('without an approval is started, with a link to its card', async () => {
    expect(await answered('scan #1001', aStartedRequest(), false)).toMatchObject({
      kind: 'started',
      names: [{ displayName: 'web-01' }],
      link: expect.stringContaining('C0APPROVALS'),
    });
  });
});

describe('words that begin with no command', () => {
  it.each(['web-01', 'WEB-01', '#1001', '1001', 'deploy', '"deploy"', '203.0.113.10', 'sn-1001'])(
    'show the device that “%s” names',
    async (line) => {
      const shown = await typed(line);
      const view = shown.kind === 'shareable' ? shown.view : shown;
      expect(view).toMatchObject({ kind: 'device', device: { name: 'web-01' } });
    },
  );

  it.each([
    ['is web-01 online?', 'device web-01'],
    ['who is using web-01?', 'device web-01'],
    ['what happened to web-01?', 'device web-01 timeline'],
    ['when was web-01 last seen', 'device web-01'],
    ['how much disk space is left on web-01', 'device web-01 volumes'],
    ['any alerts for web-01?', 'device web-01 timeline'],
    ['what needs my approval', 'approvals'],
    ['approve #1', 'approvals'],
  ])('only look at what is meant where “%s” is a sentence, and say how it was read', async (line, read) => {
    const view = await typed(line);
    expect(view).toMatchObject({ kind: 'expanded', name: null, line: read });
    expect(renderView(view).text).toContain(`Read as \`${read}\`. Nothing was changed.`);
  });

  it('ask about the time that a sentence wants a change at, and request nothing', async () => {
    const view = await typed('schedule a reboot of web-01 for tomorrow at 2 am');
    expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'no-schedules' } });
  });

  it.each([
    ['web-1', { kind: 'no-such-device', offers: [{ line: { device: { name: 'web-01' } } }] }],
    ['"web 01"', { kind: 'no-such-device', offers: [{ line: { device: { name: 'web-01' } } }] }],
    ['#4711', { kind: 'no-such-device' }],
    ['alice', { kind: 'unknown-command', noDevice: true }],
    ['192.0.2.1', { kind: 'unknown-command', noDevice: true }],
  ])('are answered as `device` answers where “%s” is the name of no device', async (line, problem) => {
    expect(await typed(line)).toMatchObject({ kind: 'problem', problem });
  });

  it.each([
    ['linux servers', 'devices group:"linux servers"'],
    ['all Ubuntu devices', 'devices os:Ubuntu'],
    ['which linux servers need a reboot', 'devices is:needs-reboot group:"linux servers"'],
  ])('list the devices of the group or system of “%s”', async (line, read) => {
    const { ports } = testPorts({ devices: [aDevice()], groups: [aGroup({ name: 'Linux servers' })] });
    const view = await typed(line, { given: { ports } });
    expect(view).toMatchObject({ line: read, view: { view: { kind: 'devices' } } });
  });

  it('say what of a question the command that answers it does not take', async () => {
    const drawn = renderView(await typed('devices not patched in 30 days')).text;
    expect(drawn).toContain('Read as `devices is:pending`, without “in 30 days”. Nothing was changed.');
  });

  it.each([
    ['approve the openssl patch on web-01 because urgent', 'approvals web-01', 'openssl … because urgent'],
    ['why did web-01 fail last week', 'device web-01 timeline', 'last week'],
    ['web-01 warranty', 'device web-01', 'warranty'],
    ['why did openssl fail on web-01', 'device web-01 timeline', 'openssl'],
    ['is web-01 down', 'device web-01', null],
    ['when did deploy’s server last check in', 'device #1001', null],
    ['has web-01 been patched this week', 'device web-01 timeline', 'this week'],
    ['which computers have not been seen for 2 weeks', 'devices is:stale', null],
  ])('name all of “%s” that the answer leaves out', async (said, line, leftOut) => {
    expect(await typed(said)).toMatchObject({ line, leftOut });
  });

  it('are answered by what they are about, or that it is not done here, before nothing fits', async () => {
    for (const [said, line] of [
      ['what alerts are open', 'alerts'],
      ['top missing patches', 'missing severity:critical,high,medium,low'],
      ['change my timezone', 'help timezone'],
      ['what is pending on web-01', 'packages web-01'],
      ['patch everything critical', 'missing severity:critical'],
    ] as const)
      expect(await typed(said)).toMatchObject({ line });
    const { text: words } = renderView(await typed('remove zoom from web-01'));
    expect(words).toMatch(/^Patchbay installs patches. It removes no software\.\n.*\n`.fleet device web-01`/);
  });

  it('say who changes what this bot is set up with', async () => {
    const { text: words } = renderView(await typed('change the API key'));
    expect(words).toMatch(
      /^Patchbay’s own settings are in environment variables and its configuration file\./,
    );
    expect(words).not.toContain('Did you mean');
  });

  it('say what is known of installed packages, and show those of one device', async () => {
    const { text: words } = renderView(await typed('who has openssl installed'));
    expect(words).toMatch(/^What is installed is known for one device at a time/);
    expect(await typed('what is installed on web-01')).toMatchObject({ line: 'packages web-01' });
  });

  it('ask about a time with the change that the rest of the line asks for', async () => {
    const view = await typed('reboot the web-01 machine tonight');
    const expected = { problem: { kind: 'no-schedules', choice: { input: { device: 'web-01' } } } };
    expect(view).toMatchObject(expected);
  });

  it('offer the change that they ask for, and request nothing', async () => {
    const view = await typed('please restart web-01, it hangs');
    expect(renderView(view).text).toMatch(
      /^Nothing has been done yet\.\n.*\n`.fleet reboot web-01 because it hangs`/,
    );
    expect(view).toMatchObject({ problem: { offers: [{ does: 'form' }] } });
  });

  it('have the list of all devices with the word in their names one click away', async () => {
    const devices = Array.from({ length: 7 }, (_, at) =>
      aDevice({ id: deviceId(at + 1), name: `web-0${at}`, tags: at === 0 ? ['web'] : [] }),
    );
    const { ports } = testPorts({ devices });
    const other = { line: '/fleet devices web', does: 'run', choice: { input: { words: ['web'] } } };
    const listed = await typed('all web servers', { given: { ports } });
    expect(listed).toMatchObject({ line: 'devices tag:web', offers: [other] });
    expect(renderView(listed).text).toContain('`/fleet devices web`');
    const offers = [{ line: '/fleet reboot tag:web' }, other];
    const offered = await typed('restart all web servers', { given: { ports } });
    expect(offered).toMatchObject({ problem: { offers } });
    expect(renderView(offered).text).toMatch(/^Nothing has been done yet\./);
  });

  it('mean the packages that have a part of the name in theirs', async () => {
    const { ports } = testPorts({ devices: [aDevice()] });
    ports.inventory.learnPackages(['GoogleChrome', 'openssl']);
    expect(await typed('missing chrome', { given: { ports } })).toMatchObject({
      line: 'missing GoogleChrome',
    });
    expect(await typed('missing openssl', { given: { ports } })).toMatchObject({ view: { kind: 'missing' } });
    const roleOf = async () => ({ role: null, maybe: null }) as const;
    const refused = await typed('missing chrome', { given: { ports }, roleOf });
    expect(refused).toMatchObject({ problem: { kind: 'not-allowed' } });
  });

  it('ask which device is meant where a user has several', async () => {
    const owned = [1, 2].map((id) =>
      aDevice({ id: deviceId(id), name: `lt-${id}`, lastLoggedInUser: 'okim' }),
    );
    const { ports } = testPorts({ devices: owned });
    const view = await typed('restart the laptop of okim', { given: { ports } });
    expect(view).toMatchObject({ kind: 'expanded', line: 'reboot okim', view: { kind: 'picker' } });
  });

  it('show the choices where one word names several devices, with what matched', async () => {
    const privateAddresses = [7, 8, 9].map((last) => `10.0.1.${last}`);
    const named = [1, 2].map((id) =>
      aDevice({ id: deviceId(id), lastLoggedInUser: 'T Lee', privateAddresses }),
    );
    const { ports } = testPorts({ devices: named });
    const picker = (line: string) => typed(line, { given: { ports } });
    const found = await picker('"T Lee"');
    expect(found).toMatchObject({ kind: 'picker', rows: [{ userName: 't lee' }, { userName: 't lee' }] });
    expect(renderView(found).text).toContain('2 devices match T Lee. Which one?');
    const byAddress = { userName: null, addresses: ['10.0.1.9', '203.0.113.10', '10.0.1.7', '10.0.1.8'] };
    expect(await picker('10.0.1.9')).toMatchObject({ kind: 'picker', rows: [byAddress, byAddress] });
  });

  it('find nothing by what the reader may not see', async () => {
    for (const line of ['deploy', '203.0.113.10', 'SN-1001'])
      expect(await typed(line, { given: { personalFrom: 'approver' } })).toMatchObject({
        problem: { kind: 'unknown-command', noDevice: true },
      });
  });

  it.each(['devcies', 'rebot web-01', 'web-02 now', 'web-01 is:online', 'web-01 --all'])(
    'are an unknown command where “%s” looks like one, or is more than a name',
    async (line) => {
      const view = await typed(line);
      expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'unknown-command' } });
      expect(view).not.toHaveProperty('problem.noDevice');
    },
  );

  it('are refused to somebody who may not look, as an attempt', async () => {
    const noted = vi.fn(withoutRecording);
    const nobody = { roleOf: async () => ({ role: null, maybe: null }), noted } as const;
    for (const line of ['web-01', 'alice', 'rebot web-01', 'web-01 --all'])
      expect(await typed(line, nobody)).toEqual({
        kind: 'problem',
        problem: { kind: 'not-allowed', need: 'viewer', role: null, ask: ['U0ADMIN'] },
      });
    expect(noted).toHaveBeenCalledTimes(4);
  });

  it('are not called unknown where the fleet cannot be read', async () => {
    const { dispatch, fleet } = createTestDispatch();
    fleet.failWith(BROKEN);
    expect(await dispatch.runText('web-01', caller, 'k')).toMatchObject({ problem: { kind: 'fleet' } });
    const expected = { problem: { kind: 'unknown-command', nearest: ['devices'] } };
    expect(await dispatch.runText('devcies', caller, 'k')).toMatchObject(expected);
  });

  it.each([
    ['is:online', 'devices', 'is:online'],
    ['is:online web', 'devices', 'web is:online'],
    ['group:"Linux servers" or is:online', 'devices', 'group:"Linux servers" or is:online'],
    ['CVE-2026-1234', 'missing', 'cve:CVE-2026-1234'],
    ['cve:CVE-2026-1234 group:"Linux servers"', 'missing', 'cve:CVE-2026-1234 group:"Linux servers"'],
  ])('ask what “%s” asks by itself', async (line, kind, read) => {
    const shown = await typed(line);
    const view = shown.kind === 'shareable' ? shown.view : shown;
    const paging = { line: { text: `missing ${read}` } };
    expect(view).toMatchObject(kind === 'devices' ? { kind, title: read } : { kind, paging });
  });

  it.each(['devices in:nope', 'in:nope'])('say of “%s” that no such target is saved', async (line) => {
    const { text: words, blocks } = renderView(await typed(line));
    expect(words).toContain('Unknown saved target `in:nope`.');
    expect(JSON.stringify(blocks)).toContain('`/fleet saved` lists all saved targets.');
  });

  it('offer in a greeting only what the person may do', async () => {
    const greeted = async (role: 'viewer' | 'operator' | null) =>
      JSON.stringify(renderView(await typed('hi', { roleOf: async () => ({ role, maybe: null }) })));
    expect(await greeted('operator')).toContain('or request scans, patches and reboots');
    const viewer = await greeted('viewer');
    expect(viewer).toContain('Ask me about devices');
    expect(viewer).not.toContain('request');
    const stranger = await greeted(null);
    expect(stranger).toContain('Ask <@U0ADMIN> for this role');
    expect(stranger).not.toMatch(/Ask me about|request/);
  });

  it('get a short answer where they greet, with three examples and nothing alarming', async () => {
    const words = JSON.stringify(renderView(await typed('hi')));
    for (const line of ['/fleet devices', '/fleet missing', '/fleet help']) expect(words).toContain(line);
    expect(words).not.toMatch(/do not know|unknown|wrong|⛔/i);
  });
});

it.each([
  ['is web-01 up?', 'device web-01'],
  ['status of web-01', 'device web-01'],
  ['why did the patch on web-01 fail', 'device web-01 timeline'],
  ['retry web-01', 'device web-01 timeline'],
  ['cancel the reboot of web-01', 'approvals mine'],
  ['when was web-01 last rebooted', 'device web-01 timeline'],
  ['who rebooted web-01', 'device web-01 timeline'],
  ['approve the patch for web-01', 'approvals web-01'],
  ['what updates are there for web-01', 'packages web-01'],
  ['what devices does deploy have', 'device #1001'],
  ['what patches are missing on web-01', 'packages web-01'],
  ['devices of deploy', 'devices user:deploy'],
  ['devices in web', 'devices tag:web'],
  ['when does the next policy run on the Linux servers', 'group "Linux servers"'],
  ['devices in nowhere', 'devices group:"nowhere"'],
  ['approve deploy’s request', 'approvals'],
  ['compliance Linux servers', 'devices is:noncompliant group:"Linux servers"'],
  ['what would patching Linux servers affect', 'explain patch group:"Linux servers"'],
])('“%s” is read as what it mentions: %s', async (text, line) => {
  const view = await typed(text);
  expect(view).toMatchObject({ kind: 'expanded', name: null, line });
});
