/** What lines as people say them are answered with, kind by kind. */
import { describe, expect, it } from 'vitest';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { renderView } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { caller, createTestDispatch } from '../harness/test-dispatch.ts';

const [servers, kiosks, laptops] = [groupId(1), groupId(2), groupId(3)];
const device = (id: number, name: string, group: typeof servers, user = '') =>
  aDevice({ id: deviceId(id), name, groupId: group, lastLoggedInUser: user, tags: [], detail: null });
const { ports } = testPorts({
  devices: [
    device(1, 'web-01', servers),
    device(2, 'db-01', servers),
    device(3, 'kiosk-01', kiosks),
    device(4, 'kiosk-02', kiosks),
    device(5, 'lt-01', laptops, 'okim'),
    { ...device(6, 'lt-02', laptops, 'jsmith'), osFamily: 'Windows', osName: '11 Pro' },
    { ...device(7, 'lt-03', laptops, 'jsmith'), osFamily: 'Windows', osName: '11 Pro' },
  ],
  groups: [
    aGroup({ id: servers, name: 'Linux servers' }),
    aGroup({ id: kiosks, name: 'Kiosks' }),
    aGroup({ id: laptops, name: 'Laptops' }),
  ],
});
await ports.inventory.snapshot({ lane: 'person' });
ports.inventory.learnPackages(['openssl', 'Firefox']);

/** Offered where no filter says what is asked about devices. */
const FILTERS =
  'run devices is:pending | run devices is:needs-reboot | run devices is:noncompliant | run devices is:offline';

/** The line that was run, and what it leaves out; or what is offered, beside what is not done. */
async function answered(text: string): Promise<string> {
  const view = await createTestDispatch({ given: { ports } }).dispatch.runText(text, caller, 'k');
  if (view.kind === 'expanded') return [view.line, view.leftOut ?? []].flat().join(' | ');
  const problem = view.kind === 'problem' ? view.problem : null;
  if (problem?.kind !== 'unknown-command' && problem?.kind !== 'not-all-devices') return view.kind;
  const lines = (problem.offers ?? []).flatMap((offer) =>
    offer.kind === 'line' ? `${offer.does} ${offer.line.replace('/fleet ', '')}` : [],
  );
  return [('notDone' in problem && problem.notDone) || [], lines].flat().join(' | ');
}

describe('what is left out of a change is never its target', () => {
  it.each([
    ['update firefox everywhere except db-01', 'form patch missing:Firefox -device:db-01'],
    ['update firefox on all devices excluding the laptops', 'form patch missing:Firefox -group:laptops'],
    ['install firefox on all but db-01', 'form patch missing:Firefox -device:db-01'],
    ['exclude db-01 and update firefox everywhere', 'form patch missing:Firefox -device:db-01'],
    ['except for db-01, update firefox everywhere', 'form patch missing:Firefox -device:db-01'],
    ['patch all linux servers but not web-01', 'form patch group:"linux servers" -device:web-01'],
    [
      'patch linux servers in 2 waves, skip db-01',
      'form patch group:"linux servers" -device:db-01 waves:50%',
    ],
    ['reboot the kiosks without kiosk-01', 'form reboot group:kiosks -device:kiosk-01'],
    ['restart every kiosk apart from kiosk-01', 'form reboot group:kiosks -device:kiosk-01'],
    ['restart all kiosks save kiosk-01', 'form reboot group:kiosks -device:kiosk-01'],
    ['reboot all kiosks, not kiosk-01', 'form reboot group:kiosks -device:kiosk-01'],
    ['reboot kiosks except kiosk-01', 'form reboot group:kiosks -device:kiosk-01'],
    ['reboot group:Kiosks but not kiosk-01', 'form reboot group:Kiosks -device:kiosk-01'],
    ['scan all laptops except jsmith’s because x', 'form scan group:laptops -user:jsmith because x'],
    ['scan all laptops except okim’s laptop', 'form scan group:laptops -device:#5'],
    ['reboot kiosks and laptops minus kiosk-01', 'form reboot group:kiosks group:laptops -device:kiosk-01'],
    ['reboot web-01 but leave db-01 alone', 'form reboot web-01'],
    ['reboot kiosk-01 not kiosk-02', 'form reboot kiosk-01'],
    ['reboot all except web-01', 'devices -device:web-01 | reboot'],
    ['patch everything other than the kiosks and laptops', 'devices -group:kiosks -group:laptops'],
  ])('%s: %s', async (text, answer) => {
    expect(await answered(text)).toBe(answer);
  });

  it.each([
    ['scan all laptops except jsmith’s laptop', 'exclusion | run devices group:laptops'],
    ['patch the kiosks except the moon', 'exclusion | run devices group:kiosks'],
    ['patch web-01 except openssl', 'exclusion | run device web-01'],
    ['patch web-01 without rebooting', 'exclusion | run device web-01'],
    ['mute alerts except for web-01', 'exclusion | run help silence'],
    ['send alerts to #ops except for kiosks', 'exclusion | run alerts'],
    ['silence group:Kiosks except kiosk-01', 'exclusion | run devices group:Kiosks -device:kiosk-01'],
    ['explain reboot kiosk-02 except kiosk-01', ''],
  ])('%s: says that it is not known how to, with what comes nearest: %s', async (text, answer) => {
    expect(await answered(text)).toBe(answer);
  });
});

describe('what is not so', () => {
  it.each([
    ['devices except kiosks', 'devices -group:kiosks'],
    ['show all devices except laptops', 'devices -group:laptops'],
    ['linux servers except web-01', 'devices group:"linux servers" -device:web-01'],
    ['devices group:Kiosks except kiosk-01', 'devices group:Kiosks -device:kiosk-01'],
    ['who needs firefox apart from the kiosks', 'devices missing:firefox -group:kiosks'],
    ['missing openssl but not on kiosks', 'devices missing:openssl -group:kiosks'],
    ['everything that is not windows', 'devices -os:windows'],
    ['non-windows laptops', 'devices group:laptops -os:windows'],
    ['which laptops aren’t windows', 'devices group:laptops -os:windows'],
    ['devices not in kiosks', 'devices -group:kiosks'],
    ['offline but not laptops', 'devices is:offline sort:seen -group:laptops'],
    ['pending reboots except kiosks', 'devices is:needs-reboot -group:kiosks'],
    ['which devices aren’t online', 'devices is:offline sort:seen'],
    ['devices that are not offline', 'devices is:online'],
    ['which devices are not compliant', 'devices is:noncompliant'],
    ['which kiosks don’t need a reboot', 'devices -is:needs-reboot group:kiosks'],
    ['which laptops are not missing patches', 'devices -is:pending group:laptops'],
    ['devices without pending patches', 'devices -is:pending'],
    ['which devices are up to date', 'devices -is:pending'],
    ['which devices are not up to date', 'devices is:pending'],
    ['which devices don’t have critical patches', 'devices -missing:critical'],
    ['which linux servers don’t need openssl', 'devices group:"linux servers" -missing:openssl'],
    ['who is not missing firefox', 'devices -missing:Firefox'],
    ['which devices have no policy', 'devices is:unmanaged'],
    ['patches that are not critical', 'missing severity:high,medium,low'],
    ['not patched', 'devices is:pending'],
    ['alerts except web-01', 'alerts | except web-01'],
    ['alerts that are not acknowledged', 'alerts | that are not acknowledged'],
    ['devices without tags', FILTERS],
    ['approve everything except the reboot of web-01', 'approvals | except the reboot of web-01'],
    ['don’t send alerts to #ops', 'subscriptions all | #ops'],
    ['requests not from me', 'approvals | not from me'],
    ['rollouts not finished', 'rollouts | not finished'],
    ['what was not approved', 'approvals'],
    ['web-01 is not responding', 'device web-01 | is not responding'],
    ['is web-01 not online', 'device web-01'],
    ['never rebooted', 'reboot-times | run devices is:needs-reboot'],
    ['devices without antivirus', 'installed | run devices'],
    ['who has firefox but not openssl', 'installed | run missing Firefox'],
  ])('%s is not answered with what is: %s', async (text, answer) => {
    expect(await answered(text)).toBe(answer);
  });
});

describe('approvals and requests of a time or a person', () => {
  it.each([
    ['approvals this week', 'audit days:7'],
    ['approvals today', 'audit days:1'],
    ['requests yesterday', 'audit days:2'],
    ['approvals of the last 24 hours', 'audit days:1'],
    ['denied this week', 'audit days:7'],
    ['approvals since monday', 'audit | since monday'],
    ['history of approvals', 'audit'],
    ['requests of anna', 'approvals | anna'],
    ['approvals from kim', 'approvals | kim'],
    ['requests from okim', 'approvals | okim'],
    ['kim’s requests', 'approvals | kim’s'],
    ['approvals for kiosks', 'approvals | kiosks'],
    ['requests for web-01', 'approvals web-01'],
  ])('%s: %s', async (text, answer) => {
    expect(await answered(text)).toBe(answer);
  });

  it('have those that wait beside those of a time', async () => {
    const view = await createTestDispatch().dispatch.runText('approvals today', caller, 'k');
    expect(view).toMatchObject({ offers: [{ line: '/fleet approvals' }] });
  });
});

describe('words of a kind', () => {
  const EACH = `
    missing severity:critical,high,medium,low => patches; updates; upgrades; patching; Patches?
    devices is:needs-reboot => reboots; restarts; rebooting; restarting; Reboots?; reboot needed; devices waiting for a reboot; which machines await a restart; computers due for reboot
    operations => scans; scanning; remediations; jobs; tasks; rollouts
    missing severity:critical,high => vulnerabilities; cves; security; risks; vulnerability; cve
    events name:patch-failed => failures; failed patches; failed updates; what failed
    events name:patch-installed => installs; Installs?
    missing severity:critical => critical; critical ones; only critical; Critical?; critical patches; anything critical
    devices is:stale => devices not seen for a week; machines that haven’t reported in 3 days; inactive for 2 months; silent since monday; which devices haven’t checked in this week; went dark last month
    devices is:stale group:laptops => which laptops haven’t reported in 3 days; laptops not seen for a week
    devices is:noncompliant group:Laptops => compliance report for Laptops; are the Laptops compliant; compliance of Laptops; Laptops compliance; show noncompliant Laptops; how compliant are the Laptops
    devices is:offline group:Kiosks => Kiosks offline; are the Kiosks offline
    missing openssl => which machines are missing openssl updates; missing openssl package; who needs openssl patches; missing openssl version; devices missing the openssl update; missing openssl updates
    missing Firefox group:kiosks => who needs firefox patches on kiosks; missing firefox updates on kiosks
    explain patch db-01 => whats the risk of patching db-01; should I patch db-01; impact of patching db-01; is it safe to patch db-01; what would patching db-01 do; can I patch db-01 now?; how risky is patching db-01 right now
    explain reboot group:kiosks => what happens if I reboot the kiosks; how risky is it to restart all kiosks; may I restart the kiosks
    help roles => who can approve?; add jane as approver; who are the admins; give okim the operator role; roles; which users are admins; who has the approver role; make okim an admin
    audit days:7 => audit log last 7 days; audit last week; audit trail this week; what did jane do last week; what did I approve last week
    alerts days:2 => alerts yesterday
    packages db-01 => vulnerabilities on db-01; updates of db-01
    device db-01 timeline => reboot history of db-01
  `
    .trim()
    .split('\n')
    .map((row) => row.trim().split(' => '));
  it.each(EACH)('%s answers them, and leaves out nothing that counts', async (line = '', texts = '') => {
    for (const text of texts.split('; ')) {
      const [read, out] = (await answered(text)).split(' | ');
      expect([text, read?.toLowerCase(), out === undefined || / run |^(?:jane|run) ?/.test(out)]).toEqual([
        text,
        line.toLowerCase(),
        true,
      ]);
    }
  });
});

describe('words that an answer leaves out', () => {
  it.each([
    ['owner of the Laptops', 'group Laptops | owner'],
    ['users of Laptops', 'group Laptops | users'],
    ['Kiosks location', 'group Kiosks | location'],
    ['health of the Kiosks', 'group Kiosks | status'],
    ['Linux servers uptime', 'group "Linux servers" | uptime'],
    ['Linux servers in berlin', 'group "Linux servers" | berlin'],
    ['risk report for Laptops', 'missing severity:critical,high group:Laptops | report'],
    ['web-01 warranty', 'device web-01 | warranty'],
    ['temperature of db-01', 'device db-01 | temperature'],
    ['when was web-01 bought', 'device web-01 timeline | bought'],
    ['logs of web-01', 'device web-01 | logs'],
    ['web-01 roles', 'device web-01 | roles'],
    ['connect web-01', 'device web-01 | connect'],
    ['rename web-01', 'device web-01 | rename'],
    ['delete web-01', 'device web-01 | delete'],
    ['services and policies of web-01', 'device web-01 | services'],
    ['open ports on web-01', 'device web-01 | open ports'],
    ['requests for Laptops', 'approvals | Laptops'],
    ['failed patches on Linux servers', 'events name:patch-failed | Linux servers'],
    ['which kiosks are offline and expensive', 'devices is:offline sort:seen group:kiosks | expensive'],
  ])('%s: %s', async (text, answer) => {
    expect(await answered(text)).toBe(answer);
  });

  it.each(
    'is web-01 compliant; which group is web-01 in; does web-01 need a reboot; check health of web-01'.split(
      '; ',
    ),
  )('%s: none, because the card says it', async (text) => {
    expect(await answered(text)).toBe('device web-01');
  });

  it.each(
    'show devices that smell funny; which devices are in berlin; list the devices of the main office; how many devices are under warranty; all devices with blue lights; which machines are expensive'.split(
      '; ',
    ),
  )('%s: asks for a filter in place of a list of the whole fleet', async (text) => {
    const view = await createTestDispatch({ given: { ports } }).dispatch.runText(text, caller, 'k');
    expect(await answered(text)).toBe(FILTERS);
    expect(renderView(view).text).toMatch(
      /^No filter of devices means “[\w ]+”\. `\/fleet help filters` lists/,
    );
  });

  it.each(['what did I approve yesterday', 'my approvals history', 'what did jane do last week'])(
    '%s: that the audit is of everybody',
    async (text) => {
      const view = await createTestDispatch({ given: { ports } }).dispatch.runText(text, caller, 'k');
      expect(view).toMatchObject({ line: expect.stringMatching(/^audit/), note: 'audit-person' });
    },
  );
});

describe('who uses a device', () => {
  it.each([
    'who is logged in on NAME',
    'last user of NAME',
    'who is on NAME',
    'who uses NAME',
    'is anyone logged in on NAME',
    'last logged in user NAME',
    'user on NAME',
    'who sits at NAME',
  ])('%s: the card, which says so where nobody is known', async (text) => {
    const asked = (name: string, given = {}) =>
      createTestDispatch({ given: { ports, ...given } }).dispatch.runText(
        text.replace('NAME', name),
        caller,
        'k',
      );
    const unnamed = await asked('web-01');
    expect(unnamed).toMatchObject({ line: 'device web-01', noUser: { needed: null } });
    expect(renderView(unnamed).text).toContain(
      'The management service doesn’t say who uses this device. Read as',
    );
    expect(await asked('lt-01')).toMatchObject({ line: 'device lt-01', noUser: null });
    expect(await asked('lt-01', { personalFrom: 'admin' })).toMatchObject({ noUser: { needed: 'admin' } });
  });

  it.each(['who is logged in', 'show logged in users', 'login history of web-01'])(
    '%s is not known',
    async (text) => {
      expect(await answered(text)).toMatch(/^users/);
    },
  );
});

describe('what there is not', () => {
  const STAND_INS =
    'who stands in for me; delegate my approvals to okim; I am on vacation next week; out of office; make okim my deputy; let okim approve for me; who covers for kim; who approves while I am away; forward my approvals to okim';
  const PROTECT =
    'exclude db-01 from patching; never patch db-01; don’t reboot db-01; block patches on db-01; protect db-01; no reboots on db-01; stop patching db-01; skip db-01; db-01 must never be rebooted; remove db-01 from patching; pause patching on kiosks; leave db-01 alone; pin openssl';
  const AGE =
    'patches older than 30 days; how old are the missing patches; oldest missing patches; patches released this week; how long has openssl been missing; which patches are overdue; patch age; latest patches; patch older than 30 days';
  const BEYOND =
    'reset password for okim; unlock the account of okim; connect to the vpn; remote into lt-01; share the screen of lt-01; wifi is broken on kiosk-01; printer offline; how many office licenses do we have; bitlocker key for lt-01; is antivirus running on web-01; back up web-01; copy files to web-01; clean up disk on web-01; wake kiosk-01; shut down kiosk-01; install printer drivers on kiosk-01; is web-01 encrypted; restart the print spooler on web-01; turn off kiosk-01; ssh to web-01';
  const SPEED = 'everything is slow; performance; cpu usage; it is hanging; high load';
  it.each([
    ['stand-ins', STAND_INS],
    ['protect', PROTECT],
    ['patch-age', AGE],
    ['beyond', BEYOND],
    ['speed', SPEED],
  ])('is said of %s, and never taken for a device or a list', async (what, texts) => {
    for (const text of texts.split('; '))
      expect([text, (await answered(text)).split(' |')[0]]).toEqual([text, what]);
  });

  it.each(
    'kiosk-01 is slow, what’s wrong with it; kiosk-01 is hanging; performance of kiosk-01; high load on kiosk-01; is kiosk-01 overloaded; kiosk-01 lags'.split(
      '; ',
    ),
  )('%s shows the card, and says that speed is not measured', async (text) => {
    const view = await createTestDispatch({ given: { ports } }).dispatch.runText(text, caller, 'k');
    expect(view).toMatchObject({ line: 'device kiosk-01', note: 'speed' });
    expect(renderView(view).text).toContain('Patchbay doesn’t measure speed or load. Read as');
  });

  it('names rules that refuse where a device is to be protected, and what they do not stop', async () => {
    const view = await createTestDispatch({ given: { ports } }).dispatch.runText(
      'never patch db-01',
      caller,
      'k',
    );
    const { text: words } = renderView(view);
    expect(words).toMatch(
      /^Patchbay can’t exempt a device .* `refuse` .* The management service’s own policies still run\./,
    );
  });

  it.each(['never patch db-01', 'skip db-01', 'do not touch db-01'])(
    '%s offers the device itself',
    async (text) => {
      expect(await answered(text)).toBe('protect | run device db-01');
    },
  );
});

it.each([
  'test the connection to the api',
  'is the api key ok',
  'are you connected',
  'are we connected to the server',
  'is everything running',
  'are you there',
  'can you reach the service',
  'check the connection',
  'does the api key work',
  'is my token still valid',
  'health check',
  'why are you not answering',
  'ping',
])('%s asks for the status, of which it leaves out nothing', async (text) => {
  expect(await answered(text)).toBe('status');
});
