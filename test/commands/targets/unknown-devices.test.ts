/** The error of single-device commands that get several names. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';
import { namedLine } from '../harness/typed-line.ts';

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

/** The problem that answers the line, if any. */
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
