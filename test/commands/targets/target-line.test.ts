/** The one grammar of the devices that a command changes: what is a name, a filter, an option, a package, a reason. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { optionOrReason, rolloutOptionsText } from '../../../src/commands/parser/rollout-options.ts';
import { reasonOffer } from '../../../src/commands/targets/resolve-targets.ts';
import { joinNames, namesWithWords } from '../../../src/commands/targets/target-line.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { testPorts } from '../harness/ports.ts';
import { namedLine, parsedChange, taken } from '../harness/typed-line.ts';

const inputOf = (line: string) => taken(parsedChange(line));
const filter = (key: string, value: string, more = {}) => ({ key, value, negated: false, ...more });
const LAPTOPS = filter('group', 'Laptops');

describe('the devices of a line', () => {
  it.each([
    ['reboot web-01', { device: 'web-01', reason: null }],
    ['reboot Front desk', { device: 'Front desk', reason: null }],
    ['reboot web-01, web-02,#1003', { device: 'web-01, web-02,#1003', reason: null }],
    ['reboot "rack 1, top", web-02', { device: '"rack 1, top" , web-02', reason: null }],
    ['reboot "rack 1, top"', { device: 'rack 1, top', reason: null }],
    ['reboot group:Laptops is:online', { filters: [LAPTOPS, filter('is', 'online')], reason: null }],
    [
      'reboot group:Laptops or os:windows because x',
      { filters: [LAPTOPS, filter('os', 'windows', { or: true })], reason: 'x' },
    ],
    ['scan -tag:kiosk', { filters: [{ key: 'tag', value: 'kiosk', negated: true }], reason: null }],
    [
      'policy-test group:Laptops policy:"Disable SMBv1"',
      { filters: [LAPTOPS], policy: 'Disable SMBv1', reason: null },
    ],
    [
      'device-edit os:windows tag:new because x',
      { filters: [filter('os', 'windows')], add: ['new'], reason: 'x' },
    ],
  ])('%s', (line, input) => expect(inputOf(line)).toEqual(input));
});

describe('the packages of a patch', () => {
  it.each([
    ['patch web-01 openssl', { device: 'web-01', packages: ['openssl'] }],
    ['patch web-01 waved:amd64', { device: 'web-01', packages: ['waved:amd64'] }],
    ['patch web-01 zlib:amd64', { device: 'web-01', packages: ['zlib:amd64'] }],
    ['patch web-01, web-02 openssl', { device: 'web-01, web-02', packages: ['openssl'] }],
    ['patch web-01 , web-02 openssl curl', { device: 'web-01 , web-02', packages: ['openssl', 'curl'] }],
    ['patch web-01,web-02 "Example Browser"', { device: 'web-01,web-02', packages: ['Example Browser'] }],
    ['patch group:Laptops openssl', { filters: [LAPTOPS], packages: ['openssl'] }],
    [
      'patch group:Laptops os:windows severity:critical because now',
      { filters: [LAPTOPS, filter('os', 'windows')], severities: ['critical'], reason: 'now' },
    ],
    ['patch web-01 "wait:amd64"', { device: 'web-01', packages: ['wait:amd64'] }],
  ])('%s', (line, input) =>
    expect(inputOf(line)).toEqual({ packages: [], severities: [], reason: null, ...input }),
  );
});

describe('the options of a line', () => {
  it.each([
    ['waves:1,25%,100%', { waves: [devices(1), share(25), share(100)] }],
    ['waves:5', { waves: [devices(5)] }],
    ['wait:10m', { waitMs: 600_000 }],
    ['wait:0s', { waitMs: 0 }],
    ['brake:3', { brake: devices(3) }],
    ['brake:10%', { brake: share(10) }],
    ['gate:manual', { gate: 'manual' }],
    ['offline:skip', { offline: 'skip' }],
    ['waves:1 brake:2 GATE:Auto', { waves: [devices(1)], brake: devices(2), gate: 'auto' }],
  ])('%s', (options, rollout) => {
    expect(inputOf(`reboot ${options} group:Laptops`)).toEqual({ filters: [LAPTOPS], rollout, reason: null });
    const expected = { device: 'web-01', packages: ['openssl'], rollout };
    expect(inputOf(`patch web-01 ${options} openssl because x`)).toMatchObject(expected);
  });

  it('are written as they are read', () => {
    const line = 'waves:1,25%,100% wait:90s brake:10% gate:manual offline:skip';
    const { rollout = {} } = inputOf(`reboot web-01 ${line}`) as { rollout?: object };
    expect(rolloutOptionsText(rollout)).toBe(line);
  });
});

const devices = (count: number) => ({ kind: 'devices', devices: count });
const share = (percent: number) => ({ kind: 'share', percent });

describe('a line that may mean something else', () => {
  it.each([
    ['reboot web-01 os:linux', { kind: 'bad-value', word: 'web-01' }],
    ['patch web-01, web-02 os:linux', { kind: 'bad-value', word: 'web-01, web-02' }],
    ['reboot group:Laptops because kernel waves:1', { kind: 'option-in-reason', option: 'waves:1' }],
    ['patch web-01 because wait:5m please', { kind: 'option-in-reason', option: 'wait:5m' }],
    [
      'reboot wavs:1 group:Laptops',
      { kind: 'unknown-word', word: 'wavs:1', nearest: ['waves:'], of: 'option' },
    ],
    ['patch wavs:1,25% group:Laptops', { kind: 'unknown-word', word: 'wavs:1,25%', nearest: ['waves:'] }],
    ['patch web-01 brak:3', { kind: 'unknown-word', word: 'brak:3', nearest: ['brake:'], of: 'option' }],
    ['scan gat:manual os:linux', { kind: 'unknown-word', nearest: ['gate:'], of: 'option' }],
    ['policy-run Base wavs:1', { kind: 'unknown-word', word: 'wavs:1', nearest: ['waves:'], of: 'option' }],
    ['policy-run Base tag:kiosk', { kind: 'unknown-word', word: 'tag:kiosk', nearest: [] }],
    ['reboot grop:Laptops', { kind: 'unknown-word', nearest: ['group:'] }],
    ['reboot is:needs', { kind: 'unknown-word', nearest: ['is:needs-reboot'] }],
    ['reboot ip:nowhere', { kind: 'bad-value', word: 'ip:nowhere' }],
    ['reboot sort:name', { kind: 'bad-value', word: 'sort:name' }],
    ['reboot waves:0 group:x', { kind: 'bad-value', word: 'waves:0' }],
    ['reboot waves:25%,10% group:x', { kind: 'bad-value' }],
    ['reboot waves:1,101% group:x', { kind: 'bad-value' }],
    [
      'reboot waves:100%,1 group:x',
      { kind: 'bad-value', expected: 'nothing after 100%, which is all devices' },
    ],
    ['reboot waves:1 waves:2 group:x', { kind: 'bad-value', expected: '“waves:” only once' }],
    ['reboot -waves:1 group:x', { kind: 'bad-value', expected: 'an option without “-”' }],
    ['reboot waves:1 or group:x', { kind: 'bad-value', expected: 'an option without “or”' }],
    ['reboot wait:25h group:x', { kind: 'bad-value', word: 'wait:25h' }],
    ['reboot gate:maual group:x', { kind: 'unknown-word', word: 'gate:maual', of: 'option' }],
    ['policy-remediate policy:x or group:"Linux servers"', { kind: 'bad-value', word: 'or' }],
    ['patch severity:critical or group:x', { kind: 'bad-value', word: 'or' }],
    ['reboot --all', { kind: 'unknown-word', word: '--all' }],
    ['reboot', { kind: 'missing', what: 'Which device?' }],
    ['reboot waves:1', { kind: 'missing', prefill: { rollout: { waves: [devices(1)] } } }],
    ['reboot group:x because', { kind: 'missing', prefill: { filters: [filter('group', 'x')] } }],
    ['patch severity:critical', { kind: 'missing', prefill: { severities: ['critical'] } }],
  ])('%s: is asked about', (line, fault) => {
    expect(parsedChange(line)).toMatchObject({ kind: 'fault', fault });
  });

  it('keeps a reason in quotes as it is', () => {
    const expected = { device: 'web-01', reason: 'it said wait:5m' };
    expect(inputOf('reboot web-01 because "it said wait:5m"')).toEqual(expected);
  });

  it('is offered both ways where an option stands in the reason', () => {
    const [moved = '', quoted = ''] = optionOrReason('reboot web-01 because kernel waves:1', 'waves:1');
    expect(inputOf(moved)).toEqual({ device: 'web-01', rollout: { waves: [devices(1)] }, reason: 'kernel' });
    expect(inputOf(quoted)).toEqual({ device: 'web-01', reason: 'kernel waves:1' });
  });
});

describe('whatever is typed', () => {
  const words = ['web', '"two words"', '#7', 'a,b', ',', 'or', '日本', '-x', '--all', 'because', '"because"'];
  const parts = ['group:x', 'os:linux', '-tag:y', 'missing:', 'in:z', 'waves:1', 'brake:x', 'zlib:amd64'];
  const line = fc
    .tuple(
      fc.constantFrom('scan', 'reboot', 'patch', 'policy-test', 'device-edit'),
      fc.array(fc.constantFrom(...words, ...parts), { maxLength: 6 }),
    )
    .map(([name, rest]) => [name, ...rest].join(' '));

  property([line])('bare words never become filters, and options never land in a reason', (typed) => {
    const parsed = parsedChange(typed);
    if (parsed.kind === 'fault') return;
    const { device, filters, reason } = parsed.input as {
      device?: string;
      filters?: readonly { key: string }[];
      reason: string | null;
    };
    // Names or filters: never both, and never neither.
    expect((device === undefined) !== (filters === undefined)).toBe(true);
    expect(reason ?? '').not.toMatch(/(?:^| )(?:waves|brake):/);
    for (const { key } of filters ?? []) expect(typed).toContain(`${key}:`);
  });

  const name = fc.stringMatching(/^[a-z](?:[a-z, ]*[a-z])?$/);
  property([fc.uniqueArray(name, { minLength: 1, maxLength: 5 })])(
    'names between commas are read back as they were written',
    (names) => {
      expect(namesWithWords(joinNames(names)).map((one) => one.name)).toEqual(names);
    },
  );
});

describe('a command of one device that gets several', () => {
  const GROUP = { key: 'group', value: 'Linux servers', negated: false };
  const { ports } = testPorts({
    devices: [aDevice(), aDevice({ id: deviceId(1002), name: 'db-01' })],
    groups: [aGroup()],
  });
  ports.inventory.learnPackages(['openssl']);

  function reading(line: string) {
    const { name, words } = namedLine(line);
    const command = registry.find(name);
    if (command === null) throw new Error(name);
    return { command, parsed: command.parse(words) };
  }

  async function problemOf(line: string) {
    const { command, parsed } = reading(line);
    if (parsed.kind === 'fault' || command.kind === 'setting') throw new Error(JSON.stringify(parsed));
    const result =
      command.kind === 'write'
        ? await command.plan(parsed.input, ports)
        : await command.run(parsed.input, 0, ports);
    const view = result.kind === 'view' ? result.view : result;
    if (view.kind !== 'problem') throw new Error(view.kind);
    return view.problem;
  }

  describe('filters in place of a device that is removed', () => {
    it.each([
      ['device-remove group:"Linux servers"', [GROUP]],
      ['device-remove group:"Linux servers" or is:online', [GROUP, expect.objectContaining({ or: true })]],
    ])('%s: are offered as a list', (line, filters) => {
      const choice = { command: 'devices', input: { words: [], filters } };
      expect(reading(line).parsed).toMatchObject({ kind: 'fault', fault: { kind: 'one-device', choice } });
    });

    it('are named where a saved name contains them', () => {
      const fault = { kind: 'one-device', filters: 'in:web', choice: null };
      expect(reading('device-remove in:web').parsed).toMatchObject({ kind: 'fault', fault });
    });

    it('are not said to list devices where they cannot', () => {
      const fault = { kind: 'bad-value', word: 'ip:nowhere' };
      expect(reading('device-remove ip:nowhere').parsed).toMatchObject({ kind: 'fault', fault });
    });

    it('are explained the same way, with the list as a button', async () => {
      const problem = await problemOf('explain device-remove group:"Linux servers"');
      const { text, blocks } = renderView({ kind: 'problem', problem });
      expect(text).toContain('This command takes one device.');
      const drawn = JSON.stringify(blocks);
      expect(drawn).toContain('`/fleet devices group:\\"Linux servers\\"` lists them');
      expect(drawn).toContain('Show list');
    });
  });

  describe('several devices', () => {
    it.each(['device web-01 db-01', 'device #1001 and #1002', 'device-remove web-01 db-01'])(
      '%s: each is offered by itself',
      async (line) => {
        const problem = await problemOf(line);
        expect(problem).toMatchObject({ kind: 'several-devices', offers: [{}, {}] });
        const drawn = JSON.stringify(renderView({ kind: 'problem', problem }).blocks);
        expect(drawn).toContain('This command takes one.');
        expect(drawn).not.toContain('Did you mean');
      },
    );

    it.each([
      ['reboot web-01 db-02', ['db-02'], ['reboot web-01, db-01', 'reboot web-01']],
      ['reboot web-01 and db-01', [], ['reboot web-01, db-01']],
      ['scan web-01 unlike-any', ['unlike-any'], ['scan web-01']],
      ['explain reboot web-01 db-02', ['db-02'], ['explain reboot web-01, db-01', 'explain reboot web-01']],
      ['patch web-01 db-01 openssl', ['openssl'], ['patch web-01, db-01 openssl']],
      ['patch web-01 db-01 db-O1 openssl', ['db-O1'], ['patch web-01, db-01 openssl']],
      ['patch web-01\nunlike-any\n- db-01 because new', ['unlike-any'], ['patch web-01, db-01 because new']],
      ['scan web-01; db-02', ['db-02'], ['scan web-01, db-01', 'scan web-01']],
    ])('%s: is offered with those that are devices, and never guessed', async (line, unknown, lines) => {
      const problem = await problemOf(line);
      expect(problem).toMatchObject({ kind: 'not-all-devices', unknown });
      const offered = 'offers' in problem ? problem.offers : [];
      expect(offered).toMatchObject(lines.map((one) => ({ line: `/fleet ${one}` })));
      expect(JSON.stringify(renderView({ kind: 'problem', problem }).blocks)).toContain('Did you mean');
    });
  });
});

describe('a line without its reason', () => {
  const WAVES = { waves: [{ kind: 'devices', devices: 1 }] } as const;

  it.each([
    [
      'reboot',
      { filters: [{ key: 'is', value: 'needs-reboot', negated: false }], rollout: WAVES, reason: null },
      'is:needs-reboot waves:1',
    ],
    ['reboot', { device: 42, reason: null }, '#42'],
    ['patch', { device: 'web-01', packages: ['curl'], severities: [], reason: null }, 'web-01 …'],
    ['policy-run', { policy: 2_103, reason: null }, '…'],
    ['group-edit', { group: 'Kiosks', name: 'Public', reason: null }, '…'],
  ])('%s with %j is completed from what was typed', (name, input, typed) => {
    expect(reasonOffer({ name, input })).toEqual({
      kind: 'line',
      does: 'form',
      line: `/fleet ${name} ${typed} because REASON`,
      choice: { command: name, input },
    });
  });
});
