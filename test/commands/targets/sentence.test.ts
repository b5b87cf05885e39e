import { describe, expect, it } from 'vitest';
import { leftOut } from '../../../src/commands/parser/left-out.ts';
import {
  askedLine,
  isSentence,
  notDone,
  saidLine,
  topicLine,
  withoutCourtesy,
} from '../../../src/commands/parser/said-lines.ts';
import { changeSaid, lineOfMentions } from '../../../src/commands/targets/sentence.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

const { ports } = testPorts({
  devices: [
    aDevice({ id: deviceId(1), name: 'web-01', groupId: groupId(1), tags: ['web'] }),
    aDevice({ id: deviceId(2), name: 'web-02', groupId: groupId(1), tags: ['web'] }),
    aDevice({ id: deviceId(5), name: 'db-05', lastLoggedInUser: 'jsmith', tags: ['database'] }),
    aDevice({ id: deviceId(6), name: 'lt-06', groupId: groupId(2), lastLoggedInUser: 'dana', tags: [] }),
    ...[3, 4].map((id) =>
      aDevice({
        id: deviceId(id),
        name: `lt-0${id}`,
        groupId: groupId(2),
        lastLoggedInUser: 'jsmith',
        tags: [],
      }),
    ),
  ],
  groups: [aGroup({ id: groupId(1), name: 'Linux servers' }), aGroup({ id: groupId(2), name: 'Laptops' })],
});
await ports.inventory.snapshot({ lane: 'person' });
ports.inventory.learnPackages(['openssl', 'GoogleChrome', 'Google Chrome', 'Zoom']);

const line = async (said: string) => (await changeSaid(said, ports))?.line ?? null;

describe('a sentence that asks for a change', () => {
  it.each([
    ['restart web-01', 'reboot web-01'],
    ['please reboot web-01 because hot', 'reboot web-01 because hot'],
    ['reboot web-01, it hangs', 'reboot web-01 because it hangs'],
    ['reboot web-01 now', 'reboot web-01'],
    ['could you schedule a reboot of web-01 tonight', 'reboot web-01 tonight'],
    ['reboot the web servers because x', 'reboot tag:web because x'],
    ['restart all laptops', 'reboot group:laptops'],
    ['restart jsmith’s laptop', 'reboot jsmith'],
    ['restart the laptops of jsmith', 'reboot user:jsmith group:laptops'],
    ['restart jsmith’s and dana’s laptop', 'reboot user:jsmith or user:dana group:laptops'],
    ['restart web-99', 'reboot web-99'],
    ['rescan web-01 and web-02', 'scan web-01, web-02'],
    ['update web-01', 'patch web-01'],
    ['install updates on web-02', 'patch web-02'],
    ['update chrome on lt-03', 'patch lt-03 chrome'],
    ['install slack on lt-03', 'patch lt-03 slack'],
    ['install all security updates on web-01', 'patch web-01 severity:critical,high'],
    ['roll out chrome to 10 laptops first', 'patch group:laptops chrome waves:10'],
    [
      'schedule patching for all linux servers on saturday at 22:00',
      'patch group:"linux servers" on saturday at 22:00',
    ],
    ['install google chrome on jsmith’s laptop', 'patch jsmith "Google Chrome"'],
    ['patch openssl on all web servers', 'patch tag:web openssl'],
    ['update openssl on all linux servers', 'patch group:"linux servers" openssl'],
    ['update all laptops tonight in 3 waves', 'patch group:laptops waves:34%,67% tonight'],
    ['patch web-01 and web-02 in two waves because x', 'patch web-01, web-02 waves:50% because x'],
    ['patch critical on web-01', 'patch web-01 severity:critical'],
    ['install critical updates on the linux servers', 'patch group:"linux servers" severity:critical'],
    ['patch everything affected by CVE-2024-6387 because x', 'patch missing:CVE-2024-6387 because x'],
    ['fix CVE-2024-6387 on laptops', 'patch missing:CVE-2024-6387 group:laptops'],
    ['update zoom everywhere', 'patch missing:Zoom'],
    ['patch chrome on all devices', 'patch missing:"Google Chrome" or missing:GoogleChrome'],
    ['update slack everywhere', 'patch missing:slack'],
    ['mute alerts for web-01 for 2 hours', 'silence device:web-01 for 2h'],
    ['snooze the laptops', 'silence group:laptops'],
  ])('%s is the line %s', async (said, meant) => {
    expect(await line(said)).toBe(meant);
  });

  it.each([
    'restart the print spooler on web-01',
    'restart web-01 and all laptops',
    'restart web-01 and the laptops of jsmith',
    'update all laptops except the moon',
    'don’t reboot web-01',
    'apply the disk encryption policy to all laptops',
    'reboot all',
    'patch web-01 slack',
    'reboot web-01 zoom',
    'lock the laptop of jsmith',
    `restart ${'web-01 '.repeat(20)}`,
  ])('%s is none, rather than one that leaves out some of its words', async (said) => {
    expect(await line(said)).toBeNull();
  });

  it('may ask which device is meant only where it names no group', async () => {
    const among = { query: 'user:jsmith group:laptops', devices: [{ name: 'lt-03' }, { name: 'lt-04' }] };
    expect(await changeSaid('restart jsmith’s laptop', ports)).toMatchObject({ asks: true, among });
    expect(await changeSaid('restart all laptops', ports)).toMatchObject({ asks: false });
  });

  it('asks about none where others are named beside', async () => {
    const said = await changeSaid('restart web-01 and jsmith’s database server', ports);
    expect(said).toMatchObject({ line: 'reboot web-01, jsmith', among: { devices: [] } });
  });

  it('reads no patches of the fleet for a device that is named', async () => {
    const { ports: others, fleet } = testPorts({ devices: [aDevice({ name: 'web-01' })] });
    others.inventory.learnPackages(['openssl']);
    expect((await changeSaid('update openssl on web-01', others))?.line).toBe('patch web-01 openssl');
    expect(fleet.reads.filter((read) => !/^(?:devices|groups|policies)$/.test(read))).toEqual([]);
  });

  it('means the only device of a user that is of such a kind', async () => {
    expect(await line('restart jsmith’s database server')).toBe('reboot #5');
  });
});

describe('a question', () => {
  it.each([
    ['which version of zoom does jsmith have', 'packages jsmith zoom'],
    ['is openssl on web-01 current', 'packages web-01 openssl'],
    ['what laptop does jsmith have', 'devices user:jsmith group:laptops'],
    ['does jsmith have zoom installed', 'packages jsmith zoom'],
    ['does jsmith have notepad installed', 'packages jsmith notepad'],
    ['is slack installed on web-01', 'packages web-01 slack'],
    ['what is installed on web-01', 'packages web-01'],
    ['which software is installed on web-01', 'packages web-01'],
    ['when did jsmith’s laptop last check in', 'devices user:jsmith group:laptops'],
    ['when did dana’s laptop last check in', 'device #6'],
    ['when was dana’s laptop last patched', 'device #6 timeline'],
    ['which version of zoom is on dana’s laptop', 'packages #6 zoom'],
    ['which devices do jsmith and dana have', 'devices jsmith or dana'],
    ['all web servers', 'devices tag:web'],
    ['is the web 3 server up', null],
    ['how compliant are the linux servers', 'devices is:noncompliant group:"linux servers"'],
    ['which web servers need chrome', 'devices missing:"Google Chrome" or missing:GoogleChrome tag:web'],
    ['why did openssl fail on web-01', 'device web-01 timeline'],
    ['disk space web-01', 'device web-01 volumes'],
    ['who needs chrome', 'devices missing:"Google Chrome" or missing:GoogleChrome'],
  ])('%s is answered by %s', async (said, meant) => {
    expect(await lineOfMentions(said, ports)).toBe(meant);
  });
});
describe('a line that is no command', () => {
  it.each([
    ['what happened to web-01?', 'device web-01 timeline'],
    ['history of front network', 'device front network timeline'],
    ['timeline web-01', 'device web-01 timeline'],
    ['find dana', 'devices dana'],
    ['user jsmith', 'devices jsmith'],
    ['what is waiting for me', 'approvals'],
    ['what’s stuck?', 'approvals'],
    ['approve #1', 'approvals'],
    ['deny 2 because no', 'approvals'],
    ['deny the reboot of web-01: not today', 'approvals'],
    ['devices missing openssl', 'missing openssl'],
    ['resume the rollout', 'approvals'],
    ['my requests', 'approvals mine'],
    ['cancel my reboot', 'approvals mine'],
    ['show requests I approved yesterday', 'audit days:2'],
    ['what did my team change this week', 'audit days:7'],
    ['what failed yesterday', 'events name:patch-failed days:2'],
    ['which commands failed today', 'operations'],
    ['what did my team do today', 'audit days:1'],
    ['audit trail', 'audit'],
    ['which policies do we have', 'policies'],
    ['stop rollout', 'operations'],
    ['what did I approve today', 'audit days:1'],
    ['my approvals', 'approvals'],
    ['withdraw my last request', 'approvals mine'],
    ['how far is the rollout', 'operations'],
    ['what runs right now', 'operations'],
    ['am I an admin', 'help'],
    ['let @jsmith patch', 'help'],
    ['roles', 'help roles'],
    ['is everything working', 'status'],
    ['list silences', 'subscriptions'],
    ['why don’t I get alerts', 'subscriptions'],
    ['bot isn’t posting events, why', 'subscriptions'],
    ['the bot does not answer', 'status'],
    ['who is missing CVE-2024-6387', 'missing CVE-2024-6387'],
    ['what failed today', 'events name:patch-failed days:1'],
    ['show me all running rollouts', 'rollouts'],
    ['which servers are missing patches', 'devices is:pending'],
    ['what patches are missing', 'missing severity:critical,high,medium,low'],
    ['show pending updates', 'missing severity:critical,high,medium,low'],
    ['who asked for this', 'operations'],
    ['please cancel my rollout', 'operations'],
    ['close the alert on web-01', 'alerts'],
    ['settings', 'help settings'],
    ['which computers need a reboot?', 'devices is:needs-reboot'],
    ['how many laptops are offline', 'devices is:offline sort:seen'],
    ['offline servers', 'devices is:offline sort:seen'],
    ['offline for 30 days', 'devices is:stale'],
    ['pending reboots', 'devices is:needs-reboot'],
    ['who is affected by CVE-2024-6387 and CVE-2025-0001?', 'missing CVE-2024-6387 and CVE-2025-0001'],
    ['kb5044284 status', 'missing kb5044284'],
    ['show me critical vulnerabilities', 'missing severity:critical'],
    ['which servers need openssl', 'missing openssl'],
    ['who can approve reboots', 'help roles'],
    ['make jsmith an approver', 'help roles'],
    ['who am I', 'help'],
    ['what can I do', 'help'],
    ['what’s running', 'operations'],
    ['mute alerts for 2h', 'help silence'],
    ['when is the next patch window?', 'policies'],
  ])('%s is read as a command that only looks', (said, meant) => {
    expect(saidLine(said)).toBe(meant);
  });

  it.each([
    ['devices that need a reboot', 'devices is:needs-reboot'],
    ['devices not seen in 30 days', 'devices is:stale'],
    ['reboot required', 'devices is:needs-reboot'],
    ['reboot all', 'devices'],
    ['scan all devices', 'devices'],
    ['patch status web-01', 'packages web-01'],
    ['patch compliance', 'compliance groups'],
    ['missing patches', 'missing severity:critical,high,medium,low'],
    ['audit log', 'audit'],
    ['explain package openssl', 'missing openssl'],
    ['groups Laptops', 'group Laptops'],
    ['missing CVE-2024-6387 csv', 'missing CVE-2024-6387'],
  ])('%s only begins like a command', (said, meant) => {
    expect(isSentence(said)).toBe(true);
    expect(saidLine(said)).toBe(meant);
  });

  it.each(['devices web-01', 'devices without', 'reboot web-01', 'patch web-01 critical', 'status', 'pause'])(
    '%s is a command',
    (line) => {
      expect(isSentence(line)).toBe(false);
    },
  );

  it.each(['web-01', 'please reboot web-01', 'waitings', 'finder', 'show reboot web-01'])(
    '%s is left to the search',
    (said) => {
      expect(saidLine(said)).toBeNull();
    },
  );

  it('takes no line for a sentence that is longer than one', () => {
    const said = 'which devices are missing patches';
    expect(saidLine(said.padEnd(300))).not.toBeNull();
    for (const read of [saidLine, askedLine]) expect(read(`${said}${' x'.repeat(200)}`)).toBeNull();
    expect(withoutCourtesy(`reboot ${'x'.repeat(300)} please`)).toMatch(/please$/);
  });

  it('never puts what was typed into a change', () => {
    for (const line of ['find $1 $& x', 'user reboot web-01', 'what happened to x because y'])
      expect(saidLine(line)).toMatch(/^devices? /);
  });

  it.each([
    ['send alerts to #ops', 'subscribe #ops'],
    ['send patch failure alerts to #ops', 'subscribe #ops patch-failed'],
    ['tell #helpdesk when a new device shows up', 'subscribe #helpdesk device-added'],
    ['post critical alerts in <#C0OPS|ops> and the rest here', 'subscribe <#C0OPS|ops>'],
    ['alert me when patches fail', 'subscribe me patch-failed'],
  ])('%s is offered as a setting', (said, asked) => {
    expect(askedLine(said)).toBe(asked);
    expect(saidLine(said)).toBeNull();
  });

  it.each([
    ['which computers have not been seen for 2 weeks', 'devices is:stale', null],
    ['who hasn’t checked in this week', 'devices is:stale', null],
    ['offline since 14 days', 'devices is:offline sort:seen', 'since 14 days'],
    ['not seen in 3 months', 'devices is:stale', null],
    ['devices not patched in 30 days', 'devices is:pending', 'in 30 days'],
    ['who hasn’t been rebooted this month', 'devices is:needs-reboot', 'this month'],
    ['what happened to web-01 yesterday', 'device web-01 timeline', 'yesterday'],
    ['what happened yesterday', 'operations', 'yesterday'],
    ['what did I approve today', 'audit days:1', null],
    ['what did anybody change today', 'audit days:1', null],
    ['critical patches older than 30 days', 'missing severity:critical', 'older than 30 days'],
    ['mute notifications until tomorrow', 'help silence', 'until tomorrow'],
    ['mute alerts', 'help silence', null],
    ['cancel the reboot of web-01', 'approvals mine', 'web-01'],
    ['how many laptops are offline', 'devices is:offline sort:seen', null],
    ['what failed on the kiosks today', 'events name:patch-failed days:1', 'kiosks'],
    ['which reboots failed because of the agent', 'operations', 'because of the agent'],
    ['new devices this week', 'events name:device-added days:7', null],
    ['approve the openssl patch', 'approvals', 'openssl'],
    ['approve jsmith’s request', 'approvals', 'jsmith’s'],
    ['approve everything', 'approvals', null],
    [
      'deny the reboot of web-01 because maintenance today',
      'approvals',
      'web-01 … because maintenance today',
    ],
    ['resume the rollout: all well', 'approvals', 'all well'],
  ])('%s says what of it no command takes', (said, line, leftOutOf) => {
    const read = saidLine(said);
    expect(read).toBe(line);
    expect(leftOut(said, read ?? '')).toBe(leftOutOf);
  });

  it('keeps a whole clause, and leaves out all that is said besides names', () => {
    const line = 'devices user:jsmith group:laptops';
    expect(leftOut('jsmith laptop is slow, when was it rebooted?', line)).toBe('slow, when was it rebooted');
    expect(leftOut('which laptops does jsmith have', line)).toBeNull();
  });

  it.each([
    ['uninstall zoom', 'remove-software'],
    ['who has chrome installed', 'installed'],
    ['who has chrome 120', 'installed'],
    ['change the API key', 'own-settings'],
    ['where is the token set', 'own-settings'],
    ['is the API key valid', null],
    ['who has not been seen', null],
    ['which devices have openssl older than 3.0', 'installed'],
    ['which devices have outdated chrome', null],
    ['remove zoom from web-01', 'remove-software'],
    ['please lock the laptop of jsmith', 'lock'],
    ['remind me at 4pm', 'remind'],
    ['notify me when someone requests something', 'request-alerts'],
    ['stop alerts at night', 'repeat'],
    ['send a test alert to #ops', 'test-alert'],
    ['why does this need approval', 'approval-rules'],
    ['reboots should need two approvals', 'approval-rules'],
    ['patching requires 3 approvers', 'approval-rules'],
    ['can I approve my own requests', 'approval-rules'],
    ['remove web-01', null],
    ['what is waiting for approval', null],
  ])('%s is not done here: %s', (said, what) => {
    expect(notDone(said)).toBe(what);
  });

  it.each([
    ['what alerts are open', 'alerts'],
    ['which version are you', 'status'],
    ['export the list of devices as csv', 'devices'],
    ['give me a summary of the fleet', 'devices'],
    ['did my reboot go through', 'approvals mine'],
    ['did my scan finish', 'operations'],
    ['show users and roles', 'help roles'],
    ['what happens if I approve it', 'approvals'],
    ['status of my requests', 'approvals mine'],
    ['how compliant are we', 'compliance'],
    ['connect', 'status'],
    ['request a patch', 'help changing'],
    ['show the command queue', 'operations'],
    ['frobnicate it', null],
  ])('%s is about %s', (said, line) => {
    expect(topicLine(said)).toBe(line);
  });

  it.each([
    ['reboot web-01 please!', 'reboot web-01'],
    ['restart web-01, thanks', 'restart web-01'],
    ['reboot web-01, it hangs', 'reboot web-01 because it hangs'],
    ['reboot web-01 because they said please', 'reboot web-01 because they said please'],
    ['scan web-01, it-02', 'scan web-01, it-02'],
    ['thanks', 'thanks'],
  ])('%s means the same without courtesy', (said, meant) => {
    expect(withoutCourtesy(said)).toBe(meant);
  });
});
