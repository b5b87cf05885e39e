/** Sentences that ask for a change or name something of the fleet. */
import { describe, expect, it } from 'vitest';
import { changeSaid, lineOfMentions } from '../../../src/commands/targets/sentence.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

const { ports } = testPorts({
  devices: [
    aDevice({ id: deviceId(1), name: 'web-01', groupId: groupId(1), tags: ['web'] }),
    aDevice({ id: deviceId(2), name: 'web-02', groupId: groupId(1), tags: ['web'] }),
    aDevice({ id: deviceId(5), name: 'db-05', lastLoggedInUser: 'jsmith', tags: ['database'] }),
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
    'update all laptops except lt-03',
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
    expect(await changeSaid('restart jsmith’s laptop', ports)).toMatchObject({
      asks: true,
      among: { query: 'user:jsmith group:laptops', devices: [{ name: 'lt-03' }, { name: 'lt-04' }] },
    });
    expect(await changeSaid('restart all laptops', ports)).toMatchObject({ asks: false });
  });

  it('means the only device of a user that is of such a kind', async () => {
    expect(await line('restart jsmith’s database server')).toBe('reboot #5');
  });
});

describe('a question', () => {
  it.each([
    ['which version of zoom does jsmith have', 'packages jsmith zoom'],
    ['is openssl on web-01 current', 'packages web-01 openssl'],
    ['what laptop does jsmith have', 'devices user:jsmith group:Laptops'],
    ['why did openssl fail on web-01', 'device web-01 timeline'],
    ['who needs chrome', 'devices missing:"Google Chrome" or missing:GoogleChrome'],
  ])('%s is answered by %s', async (said, meant) => {
    expect(await lineOfMentions(said, ports)).toBe(meant);
  });
});
