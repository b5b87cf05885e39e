import { describe, expect, it } from 'vitest';
import { findDevice } from '../../../src/commands/forms/device-form.ts';
import { onlyFound } from '../../../src/commands/forms/find-form.ts';
import type { Form, FormOpened } from '../../../src/commands/forms/form.ts';
import { fieldOf as fieldAbout, snagOf } from '../../../src/commands/forms/form-snags.ts';
import { namedForm } from '../../../src/commands/forms/named-form.ts';
import { patchForm } from '../../../src/commands/forms/patch-form.ts';
import { previewForm } from '../../../src/commands/forms/preview-form.ts';
import { registry } from '../../../src/commands/index.ts';
import { readWords } from '../../../src/commands/line/grammar.ts';
import { devicesIn, wordsIn } from '../../../src/commands/targets/mentioned.ts';
import { channelId, deviceId, groupId, newReference } from '../../../src/ids.ts';
import type { Problem } from '../../../src/views/model.ts';
import type { FieldValues, FormField } from '../../../src/views/models/form-model.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { testPorts } from '../ports.ts';

const { ports, fleet } = testPorts({
  devices: [
    aDevice({ id: deviceId(1), name: 'web-01', osFamily: 'Linux', groupId: groupId(20) }),
    aDevice({ id: deviceId(2), name: 'web-02', osFamily: 'Windows', lastLoggedInUser: 'kiosk' }),
    aDevice({ id: deviceId(3), name: 'dup' }),
    aDevice({ id: deviceId(4), name: 'dup', customName: 'Front-desk' }),
  ],
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
  ],
  packages: [
    aPackage({ name: 'zlib', displayName: 'zlib', installed: false, severity: 'low', version: '1.3' }),
    aPackage({
      name: 'openssl',
      displayName: 'OpenSSL',
      installed: false,
      severity: 'critical',
      requiresReboot: true,
    }),
    aPackage({ name: 'curl', displayName: 'curl', installed: true }),
  ],
  previewed: [
    {
      id: deviceId(1),
      uuid: null,
      name: 'web-01',
      customName: null,
      groupId: groupId(20),
      groupName: null,
      osFamily: 'Linux',
      osVersion: null,
      addresses: [],
      privateAddresses: [],
      tags: [],
    },
  ],
});

const valuesOf = (values: Readonly<Record<string, readonly string[]>>): FieldValues =>
  new Map(Object.entries(values));
const fieldsOf = (opened: FormOpened): readonly FormField[] => {
  if (opened.kind !== 'form') throw new Error(JSON.stringify(opened));
  return opened.form.fields;
};
const fieldOf = (fields: readonly FormField[], id: string): FormField => {
  const found = fields.find((field) => field.kind !== 'words' && field.id === id);
  if (found === undefined) throw new Error(`no field ${id} in ${JSON.stringify(fields)}`);
  return found;
};
const read = (form: Form, values: Readonly<Record<string, readonly string[]>>, context: unknown = null) =>
  form.read(valuesOf(values), context, ports);
const formOf = (name: string): Form => {
  const form = registry.find(name)?.form;
  if (form === undefined) throw new Error(`${name} has no form`);
  return form;
};

describe('the form of a device', () => {
  it.each([
    ['a name', 'web-01'],
    ['a number', 1],
  ])('begins with the device that was given by %s', async (_what, device) => {
    const fields = fieldsOf(await findDevice.open({ device }, ports));
    expect(fields).toMatchObject([
      {
        kind: 'search',
        of: 'device',
        initial: { value: '1', label: 'web-01', detail: '#1 · Linux servers' },
      },
    ]);
  });

  it.each([
    ['several of that name', { device: 'dup' }],
    ['none of that name', { device: 'nothing' }],
    ['nothing', null],
    ['what does not fit', { device: { id: 1 } }],
  ])('never picks by itself: %s', async (_what, given) => {
    expect(fieldsOf(await findDevice.open(given, ports))).toMatchObject([{ initial: null }]);
  });

  it('asks for a reason where the command takes one, on one line', async () => {
    expect(fieldsOf(await formOf('reboot').open({ reason: 'kernel' }, ports))).toMatchObject([
      { id: 'device' },
      { id: 'reason', initial: 'kernel', optional: true },
    ]);
    expect(read(formOf('reboot'), { device: ['1'], reason: ['  kernel\n update '] })).toEqual({
      kind: 'input',
      input: { device: 1, reason: 'kernel update' },
    });
    expect(read(formOf('reboot'), { device: ['1'], reason: [] })).toMatchObject({ input: { reason: null } });
  });

  it.each([[[]], [['x']], [['-1']]])('says on its field that %j is no device', (device) => {
    expect(read(formOf('scan'), { device, reason: [] })).toEqual({
      kind: 'errors',
      errors: { device: 'Choose a device.' },
    });
  });

  it('goes on with what else was typed', async () => {
    const words = readWords('severity:critical');
    const parsed = words.kind === 'words' ? registry.find('packages')?.parse(words.words) : undefined;
    if (parsed?.kind !== 'fault' || parsed.fault.kind !== 'missing') throw new Error('nothing is missing');
    const opened = await formOf('packages').open(parsed.fault.given, ports);
    const context: unknown = JSON.parse(JSON.stringify(opened.kind === 'form' ? opened.form.context : null));
    expect(read(formOf('packages'), { device: ['1'] }, context)).toMatchObject({
      input: { device: 1, filters: [{ key: 'severity', value: 'critical' }] },
    });
  });
});

describe('the form that looks for devices', () => {
  const form = () => formOf('devices');

  it('gives the one that was chosen, or what was typed, which it begins with the next time', async () => {
    expect(read(form(), { device: ['2'], words: [] })).toEqual({
      kind: 'input',
      input: { words: ['#2'], filters: [] },
    });
    const typed = 'web or db os:linux sort:seen';
    const given = read(form(), { device: [], words: [typed] });
    expect(given).toMatchObject({ input: { words: ['web', 'or', 'db'], filters: [{ key: 'os' }], typed } });
    if (given.kind !== 'input') throw new Error('no input');
    expect(fieldOf(fieldsOf(await form().open(given.input, ports)), 'words')).toMatchObject({
      initial: typed,
    });
  });

  it('says above its fields why it is asked for', async () => {
    expect(fieldsOf(await form().open({ note: 'No device was found.' }, ports))[0]).toEqual({
      kind: 'words',
      text: 'No device was found.',
    });
  });

  it.each([
    ['nothing', { device: [], words: [' '] }, { device: expect.any(String) }],
    ['both', { device: ['2'], words: ['web'] }, { words: expect.any(String) }],
    ['an unknown filter', { words: ['so:linux'] }, { words: expect.stringContaining('so:linux') }],
    ['an open quote', { words: ['"web'] }, { words: expect.stringContaining('quote') }],
  ])('says on the field what is wrong: %s', (_what, values, errors) => {
    expect(read(form(), values)).toEqual({ kind: 'errors', errors });
  });
});

describe('the answer to a form', () => {
  const values = valuesOf({
    name: ['Web'],
    parent: ['20'],
    'group:21': ['21'],
    'packages:1': ['zlib'],
    reason: [],
  });
  const usage = (word: string): Problem => {
    return {
      kind: 'usage',
      command: 'x',
      usage: 'x',
      root: '/fleet',
      fault: { kind: 'bad-value', word, expected: 'y' },
    };
  };

  it.each<[Problem, string | null]>([
    [{ kind: 'group-exists', name: 'Web', id: groupId(7) }, 'name'],
    [{ kind: 'no-such-group', query: '#20', nearest: [] }, 'parent'],
    [{ kind: 'no-such-group', query: '#21', nearest: [] }, 'group:21'],
    [{ kind: 'unsendable-package', name: 'a b' }, 'packages:1'],
    [usage('parent:nowhere'), 'parent'],
    [usage('every:1m'), null],
    [usage('group-edit'), null],
    [{ kind: 'already-so', name: 'Web' }, null],
    [{ kind: 'device-gone', query: '#1' }, null],
  ])('that is a problem stands at its field: %j', (problem, field) => {
    const snag = snagOf({ kind: 'problem', problem });
    expect(snag).toEqual(problem);
    expect(snag && fieldAbout(snag, values)).toBe(field);
  });

  it('is no reason to ask once more where something may have been done', () => {
    const reference = newReference();
    for (const problem of [
      { kind: 'unexpected', changed: 'unknown', reference },
      { kind: 'card-delayed', channel: channelId('C1'), reference },
    ] as const)
      expect(snagOf({ kind: 'problem', problem })).toBeNull();
  });

  it('that finds nothing says so, one device alone is shown whole, and several are listed', async () => {
    const list = (words: readonly string[]) => runRead('devices', { words, filters: [] });
    expect(snagOf(await list(['nowhere-at-all']))).toEqual({
      kind: 'nothing-fits',
      question: 'nowhere-at-all',
    });
    const one = await list(['web-01']);
    expect([snagOf(one), onlyFound(one)]).toEqual([null, 1]);
    expect(onlyFound(await list(['web']))).toBeNull();
  });

  const runRead = async (name: string, input: unknown) => {
    const command = registry.find(name);
    if (command?.kind !== 'read') throw new Error('no such command');
    return command.run(input, 0, ports);
  };
});

it('the form of a group or a policy gives its number', () => {
  const form = namedForm({ command: 'group', of: 'group', title: 'Show a group', label: 'Group' });
  expect(read(form, { group: ['20'] })).toEqual({ kind: 'input', input: { group: 20 } });
  expect(read(form, { group: [] })).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
});

describe('the form of patch', () => {
  it('lists what is missing on the device, worst first, with everything chosen', async () => {
    const fields = fieldsOf(await patchForm.open({ device: 1 }, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({
      kind: 'choices',
      initial: ['*'],
      options: [
        { value: '*', label: 'Everything that is missing (2)' },
        { value: '*critical', label: 'Everything critical (1)' },
        { value: '*low', label: 'Everything low (1)' },
        { value: 'openssl', label: 'OpenSSL', detail: expect.stringMatching(/critical · needs a reboot$/) },
        { value: 'zlib', label: 'zlib', detail: '1.3 · low' },
      ],
    });
  });

  it('waits for a device, and keeps what was chosen of the same one when it is drawn anew', async () => {
    expect(fieldsOf(await patchForm.open({ reason: 'x' }, ports))).toMatchObject([
      { id: 'device', live: true },
      { kind: 'words' },
      { id: 'reason', initial: 'x' },
    ]);
    const values = valuesOf({ device: ['1'], 'packages:1': ['zlib'], 'packages:2': ['*'], reason: ['y'] });
    const fields = fieldsOf((await patchForm.redraw?.(values, null, ports)) ?? never());
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib'] });
    expect(fieldOf(fields, 'reason')).toMatchObject({ initial: 'y' });
  });

  it('begins with what was typed', async () => {
    const given = { device: 'web-01', packages: ['zlib', 'gone'], severities: ['critical'] };
    const fields = fieldsOf(await patchForm.open(given, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib', '*critical'] });
  });

  it.each([
    ['everything', ['*'], { packages: [], severities: [] }],
    ['some', ['zlib'], { packages: ['zlib'], severities: [] }],
    ['a severity and one more', ['*critical', 'zlib'], { packages: ['zlib'], severities: ['critical'] }],
  ])('gives %s', (_what, chosen, expected) => {
    expect(read(patchForm, { device: ['1'], 'packages:1': chosen, reason: [] })).toEqual({
      kind: 'input',
      input: { device: 1, ...expected, reason: null },
    });
  });

  it.each([
    ['no device', { device: [] }, 'device'],
    ['nothing chosen', { device: ['1'], 'packages:1': [] }, 'packages:1'],
    ['everything and a part of it', { device: ['1'], 'packages:1': ['*', 'zlib'] }, 'packages:1'],
    ['what was chosen for another device', { device: ['2'], 'packages:1': ['zlib'] }, 'device'],
    ['a device whose packages are not listed yet', { device: ['2'] }, 'device'],
  ])('says on the field that it will not do: %s', (_what, values, field) => {
    expect(read(patchForm, values)).toEqual({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });

  it('says of a device on which nothing is missing that this is so', () => {
    const errors = { device: expect.stringContaining('Nothing is missing') };
    expect(read(patchForm, { device: ['2'] }, { drawnFor: 2 })).toEqual({ kind: 'errors', errors });
    const early = { device: expect.stringContaining('not listed yet') };
    expect(read(patchForm, { device: ['2'] }, { drawnFor: 1 })).toEqual({ kind: 'errors', errors: early });
  });
});

describe('the builder of device filters', () => {
  const entered = {
    os: ['Linux'],
    version: ['12, 13'],
    not_host: ['db, , kiosk'],
    group: ['20'],
  };

  it('has each field of the interface with its two operators, and asks nothing before there is a filter', async () => {
    fleet.previewQueries.length = 0;
    const fields = fieldsOf(await previewForm.open({}, ports));
    expect(fields.flatMap((field) => (field.kind === 'words' ? [] : [field.id]))).toEqual([
      ...['host', 'not_host', 'tag', 'not_tag', 'os', 'not_os', 'ip', 'not_ip', 'version', 'not_version'],
      'group',
    ]);
    expect(fieldOf(fields, 'os')).toMatchObject({ options: [{ value: 'Linux' }, { value: 'Windows' }] });
    expect(fleet.previewQueries).toEqual([]);
  });

  it('asks the service anew with every change, and says what matches', async () => {
    fleet.previewQueries.length = 0;
    const fields = fieldsOf((await previewForm.redraw?.(valuesOf(entered), null, ports)) ?? never());
    expect(fleet.previewQueries).toEqual([
      {
        filters: [
          { field: 'hostname', op: 'not_like_any', values: ['db', 'kiosk'] },
          { field: 'os_family', op: 'in', values: ['Linux'] },
          { field: 'os_version_id', op: 'in', values: ['12', '13'] },
        ],
        groupIds: [20],
        pageSize: 10,
      },
    ]);
    expect(fields[0]).toEqual({ kind: 'words', text: '1 device matches:\nweb-01 · #1' });
    expect(fieldOf(fields, 'version')).toMatchObject({ initial: '12, 13' });
    expect(fieldOf(fields, 'group')).toMatchObject({ initial: [{ value: '20', label: 'Linux servers' }] });
  });

  it('gives what preview takes', () => {
    expect(read(previewForm, entered)).toEqual({
      kind: 'input',
      input: {
        filters: [
          { key: 'host', value: 'db', negated: true },
          { key: 'host', value: 'kiosk', negated: true },
          { key: 'os', value: 'Linux', negated: false },
          { key: 'version', value: '12', negated: false },
          { key: 'version', value: '13', negated: false },
          { key: 'group', value: '#20', negated: false },
        ],
      },
    });
  });

  it.each([
    ['no filter at all', {}, 'host'],
    ['a version that is no number', { not_version: ['ten'] }, 'not_version'],
  ])('says on the field what is wrong: %s', (_what, values, field) => {
    expect(read(previewForm, values)).toEqual({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });
});

describe('the devices that a text speaks of', () => {
  it('are found by name and number, whatever stands around these', async () => {
    const texts = ['Is *WEB-01*, or <@U123ABC> (#2), slow?', '`Front-desk`'];
    expect(await devicesIn(texts, ports)).toEqual([1, 2, 4]);
  });

  it('are all that have a name', async () => {
    expect(await devicesIn(['dup'], ports)).toEqual([3, 4]);
  });

  it('are not those with such a user, nor numbers without their mark', async () => {
    expect(await devicesIn(['kiosk 1 2'], ports)).toEqual([]);
  });

  it('are asked for by each word, and nothing that is near to it', async () => {
    const asked: unknown[] = [];
    const find: typeof ports.inventory.find = async (word, options) => {
      asked.push([word, options?.exact]);
      return ports.inventory.find(word, options);
    };
    const inventory = { ...ports.inventory, find };
    expect(await devicesIn(['web-03 web-01'], { inventory })).toEqual([1]);
    expect(asked).toEqual([
      ['web-03', true],
      ['web-01', true],
    ]);
  });

  it('are looked for among so many words only', () => {
    expect(wordsIn([Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(' ')])).toHaveLength(200);
  });
});

function never(): never {
  throw new Error('the form has no live fields');
}
