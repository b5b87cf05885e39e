/** The same edit of several devices, named with commas, selected by filters, or chosen in a form. */
import { describe, expect, it } from 'vitest';
import { deviceEditCommand } from '../../../src/commands/device-edit.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice } from '../../harness/builders.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';
import { inputOf } from '../harness/typed-line.ts';

const devices = [
  aDevice({ id: deviceId(1001), name: 'web-01', tags: ['old'] }),
  aDevice({ id: deviceId(1002), name: 'web-02', tags: ['old', 'dmz'] }),
  aDevice({ id: deviceId(1003), name: 'web-03', tags: ['dmz'] }),
  aDevice({ id: deviceId(1004), name: 'dup', tags: [] }),
  aDevice({ id: deviceId(1005), name: 'dup', tags: [] }),
  aDevice({ id: deviceId(1006), name: 'rack 1, top', tags: [] }),
  aDevice({ id: deviceId(1007), name: 'untold', tags: null }),
];
const ports = editFleetPorts({ devices });

const plan = async (text: string, more = ports) =>
  deviceEditCommand.plan(inputOf(deviceEditCommand, text), more);
const targetsOf = async (text: string) => {
  const planned = await plan(text);
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { proposal, leftOut = [] } = planned;
  return {
    command: proposal.command,
    targets: proposal.targets.map(({ deviceId: id }) => id),
    left: leftOut.map(({ name, problem }) => `${name}: ${problem.kind}`),
  };
};

describe('several devices', () => {
  it.each([
    ['web-01, web-02 tag:new', [1001, 1002]],
    ['web-01,web-02,#1003 tag:new', [1001, 1002, 1003]],
    ['web-01, #1001, WEB-02 tag:new', [1001, 1002]],
    ['web-01, , web-02, tag:new', [1001, 1002]],
  ])('%s are one request with a target for each', async (text, targets) => {
    expect(await targetsOf(text)).toEqual({
      command: { kind: 'device-edit', change: { retag: { add: ['new'], remove: [] } } },
      targets,
      left: [],
    });
  });

  it('that have the tags already are left out and named', async () => {
    expect(await targetsOf('web-01, web-02, web-03 tag:dmz -tag:old')).toEqual({
      command: { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: ['old'] } } },
      targets: [1001, 1002],
      left: ['web-03: already-so'],
    });
  });

  it('whose tags the service does not state are left out, or refused, since those would be lost', async () => {
    const left = ['untold: unsendable-change'];
    expect(await targetsOf('web-01, untold tag:dmz')).toMatchObject({ targets: [1001], left });
    expect(await plan('untold tag:dmz')).toMatchObject({ problem: { fault: { what: 'device-tags' } } });
  });

  it('are sealed with their own tags', async () => {
    const planned = await plan('web-01, web-02 tag:new');
    expect(planned).toMatchObject({
      proposal: { targets: [{ editable: { tags: ['old'] } }, { editable: { tags: ['old', 'dmz'] } }] },
    });
  });

  it.each([
    ['web-02, web-03 tag:dmz', { kind: 'none-to-change', leftOut: [{ name: 'web-02' }, { name: 'web-03' }] }],
    ['web-01, web-02 -tag:gone', { kind: 'usage', fault: { kind: 'bad-value', word: '-tag:gone' } }],
    ['web-01, web-02 tag:x name:y', { kind: 'usage', fault: { kind: 'bad-value', word: 'name:' } }],
    ['web-01, web-02 ip:192.0.2.1', { kind: 'usage', fault: { kind: 'bad-value', word: 'ip:' } }],
    ['web-01, web-02 tag:x -tag:x', { kind: 'unsendable-change' }],
    ['web-01, web-99 tag:x', { kind: 'not-all-devices', unknown: ['web-99'] }],
  ])('%s are refused', async (text, problem) => {
    expect(await plan(text)).toMatchObject({ kind: 'problem', problem });
  });

  it('of which a name fits two offer them, with the other names kept', async () => {
    const planned = await plan('web-01, dup, web-03 tag:x');
    expect(planned).toMatchObject({
      kind: 'view',
      view: { kind: 'picker', choices: [{ input: { device: 'web-01, #1004, web-03', add: ['x'] } }, {}] },
    });
  });

  it('are not meant where one device has the commas in its name', async () => {
    expect(await targetsOf('"rack 1, top" tag:x')).toMatchObject({ targets: [1006] });
    expect(await targetsOf('"rack 1, top" name:Rack')).toMatchObject({ targets: [1006] });
  });

  it('are selected by filters, but for those that set values', async () => {
    expect(await targetsOf('os:linux -is:stale tag:new')).toMatchObject({
      targets: [1001, 1002, 1003, 1004, 1005, 1006],
    });
  });
});

describe('the form for several devices', () => {
  it('opens with those that were typed', async () => {
    const opened = await deviceEditCommand.form?.open({ device: 'web-01, #1002', add: ['a'] }, ports);
    expect(opened).toMatchObject({
      form: {
        command: 'device-edit',
        fields: [
          { kind: 'searches', id: 'devices', initial: [{ value: '1001' }, { value: '1002' }] },
          { id: 'filters', initial: '' },
          { id: 'add', initial: 'a' },
          { id: 'remove', initial: '' },
          { id: 'group' },
          { id: 'exception', initial: null },
          { id: 'waves', initial: null },
          { id: 'brake', initial: null },
          { id: 'options', initial: '' },
          { id: 'reason' },
        ],
      },
    });
  });

  it('keeps a name that is none, and filters, in the line', async () => {
    const fieldsFor = async (typed: object) => {
      const opened = await deviceEditCommand.form?.open(typed, ports);
      return opened?.kind === 'form' ? opened.form.fields : [];
    };
    expect(await fieldsFor({ device: 'web-01, nope' })).toMatchObject([
      { initial: [] },
      { initial: 'web-01, nope' },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
    const filters = [{ key: 'tag', value: 'dmz', negated: false }];
    expect(await fieldsFor({ filters, rollout: { gate: 'manual' }, reason: 'x' })).toMatchObject([
      { id: 'devices', initial: [] },
      { id: 'filters', initial: 'tag:dmz' },
      { kind: 'words', text: '2 devices match now:\nweb-02 · #1002\nweb-03 · #1003' },
      {},
      {},
      {},
      {},
      { id: 'waves' },
      { id: 'brake' },
      { id: 'options', initial: 'gate:manual' },
      { id: 'reason', initial: 'x' },
    ]);
  });

  const read = (values: Readonly<Record<string, readonly string[]>>) =>
    deviceEditCommand.form?.read(new Map(Object.entries(values)), null, ports);

  it('is read as names with commas', async () => {
    const result = read({ devices: ['1001', '1002'], add: ['a, b'], remove: [], reason: ['why'] });
    const input = { device: '#1001, #1002', add: ['a', 'b'], reason: 'why' };
    expect(result).toEqual({ kind: 'input', input });
    expect(await deviceEditCommand.plan(input, ports)).toMatchObject({
      proposal: { targets: [{ deviceId: 1001 }, { deviceId: 1002 }], reason: 'why' },
    });
  });

  it('is read as filters and options', () => {
    const values = { devices: [], filters: ['os:linux brake:1'], options: ['waves:1'], add: ['a'] };
    expect(read(values)).toMatchObject({
      input: { filters: [{ key: 'os' }], rollout: { brake: {}, waves: [{}] }, add: ['a'] },
    });
  });

  it('for one device changes its tags', async () => {
    const input = { device: '#1001', remove: ['old'], reason: null };
    expect(read({ devices: ['1001'], add: [], remove: ['old'] })).toEqual({ kind: 'input', input });
    expect(await deviceEditCommand.plan(input, ports)).toMatchObject({ kind: 'proposal' });
  });

  it.each([
    [{ devices: [], add: ['a'] }, 'devices'],
    [{ devices: ['1001'], filters: ['os:linux'], add: ['a'] }, 'filters'],
    [{ devices: [], filters: ['os:linux because x'], add: ['a'] }, 'filters'],
    [{ devices: [], filters: ['grop:x'], add: ['a'] }, 'filters'],
    [{ devices: ['1001'], options: ['wave:1'], add: ['a'] }, 'options'],
    [{ devices: ['1001'], add: [' , '], remove: [] }, 'add'],
  ])('says at the field what is missing: %o', (values, field) => {
    expect(read(values)).toMatchObject({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });
});
