/** A fleet for forms, and the fields of an opened form. */

import { describe, expect, it } from 'vitest';
import type { CommandForm } from '../../../src/commands/core/command.ts';
import { devicesCommand, onlyMatch } from '../../../src/commands/devices.ts';
import { fieldOfError as fieldAbout, formErrorOf } from '../../../src/commands/forms/form-errors.ts';
import { patchForm } from '../../../src/commands/forms/patch-form.ts';
import { formOf } from '../../../src/commands/forms/pressed-form.ts';
import { deviceSearch, groupOrPolicyForm } from '../../../src/commands/forms/subject-forms.ts';
import { registry } from '../../../src/commands/index.ts';
import { packagesCommand } from '../../../src/commands/packages.ts';
import { previewForm } from '../../../src/commands/preview.ts';
import { mentionsIn, wordsIn } from '../../../src/commands/targets/device-mentions.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { channelId, deviceId, groupId, newReference } from '../../../src/lib/ids.ts';
import { formWindow } from '../../../src/views/forms/form-window.ts';
import type { FormView } from '../../../src/views/models/form-model.ts';
import type { Problem } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { drawn, type Entered, fieldOf, textOf, valuesOf } from '../harness/forms.ts';
import { testPorts } from '../harness/ports.ts';
import { faultOf } from '../harness/typed-line.ts';

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

const fieldsOf = async (opened: Parameters<typeof drawn>[0]) => (await drawn(opened)).fields;

const readForm = (form: CommandForm, values: Entered, context: unknown = null) =>
  form.read(valuesOf(values), context, ports);

const openForm = (name: string): CommandForm => {
  const form = registry.find(name)?.form;
  if (form === undefined) throw new Error(`${name} has no form`);
  return form;
};

describe('the form that looks for devices', () => {
  const form = () => openForm('devices');

  it('gives the chosen device, or the typed text, with which it starts the next time', async () => {
    const expected = { kind: 'input', input: { words: ['#2'], filters: [] } };
    expect(readForm(form(), { device: ['2'], words: [] })).toEqual(expected);
    const typed = 'web or db os:linux sort:seen';
    const given = readForm(form(), { device: [], words: [typed] });
    expect(given).toMatchObject({ input: { words: ['web', 'or', 'db'], filters: [{ key: 'os' }], typed } });
    if (given.kind !== 'input') throw new Error('no input');
    expect(fieldOf(await fieldsOf(form().open(given.input, ports)), 'words')).toMatchObject({
      initial: typed,
    });
  });

  it('says above its fields why it is shown', async () => {
    const expected = { kind: 'words', text: 'No device was found.' };
    expect((await fieldsOf(form().open({ note: 'No device was found.' }, ports)))[0]).toEqual(expected);
  });

  it.each([
    ['nothing', { device: [], words: [' '] }, { device: expect.any(String) }],
    ['both', { device: ['2'], words: ['web'] }, { words: expect.any(String) }],
    ['an unknown filter', { words: ['so:linux'] }, { words: expect.stringContaining('so:linux') }],
    ['an open quote', { words: ['"web'] }, { words: expect.stringContaining('quote') }],
  ])('says on the field what is wrong: %s', (_what, values, errors) => {
    expect(readForm(form(), values)).toEqual({ kind: 'errors', errors });
  });
});

describe('the builder of device filters', () => {
  const entered = { os: ['Linux'], version: ['12, 13'], not_host: ['db, , kiosk'], group: ['20'] };

  it('has each field of the interface with its two operators, and asks nothing before there is a filter', async () => {
    fleet.previewQueries.length = 0;
    const fields = await fieldsOf(previewForm.open({}, ports));
    expect(fields.flatMap((field) => (field.kind === 'words' ? [] : [field.id]))).toEqual([
      ...['host', 'not_host', 'tag', 'not_tag', 'os', 'not_os', 'ip', 'not_ip', 'version', 'not_version'],
      ...['ou', 'not_ou'],
      'group',
    ]);
    expect(fieldOf(fields, 'os')).toMatchObject({ options: [{ value: 'Linux' }, { value: 'Windows' }] });
    expect(fleet.previewQueries).toEqual([]);
  });

  it('asks the service again after every change, and shows what matches', async () => {
    fleet.previewQueries.length = 0;
    const fields = await fieldsOf(previewForm.redraw?.(valuesOf(entered), null, ports));
    expect(fleet.previewQueries).toEqual([
      {
        filters: [
          { field: 'hostname', op: 'not_like_any', values: ['db', 'kiosk'] },
          { field: 'os_family', op: 'in', values: ['Linux'] },
          { field: 'os_version_id', op: 'in', values: ['12', '13'] },
        ],
        groupIds: [20],
        pageSize: 10,
        firstPage: 0,
      },
    ]);
    expect(fields[0]).toEqual({ kind: 'words', text: '1 device matches:\nweb-01 · #1' });
    const expected = { kind: 'words', text: expect.stringContaining('must match every field') };
    expect(fields[1]).toMatchObject(expected);
    expect(fieldOf(fields, 'version')).toMatchObject({ initial: '12, 13' });
    expect(fieldOf(fields, 'group')).toMatchObject({ initial: [{ value: '20', label: 'Linux servers' }] });
  });

  it('has no unit where the service does not filter by it', async () => {
    const documented = { ...ports, dialect: DIALECTS.documented };
    const fields = await fieldsOf(previewForm.open({}, documented));
    expect(fields.flatMap((field) => (field.kind === 'words' ? [] : [field.id]))).not.toContain('ou');
  });

  it('gives input for preview', () => {
    expect(readForm(previewForm, entered)).toEqual({
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
    const errors = { [field]: expect.any(String) };
    expect(readForm(previewForm, values)).toEqual({ kind: 'errors', errors });
  });
});

describe('the form of patch', () => {
  it('lists what is missing on the device, worst first, with everything chosen', async () => {
    const fields = await fieldsOf(patchForm.open({ device: 1 }, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({
      kind: 'choices',
      hint: 'To choose packages, remove “All missing patches” first. Missing: OpenSSL, zlib. OpenSSL requires a reboot.',
      initial: ['*'],
      options: [
        { value: '*', label: 'All missing patches (2)', detail: ['requires a reboot', 'OpenSSL, zlib'] },
        { value: '*critical', label: 'All critical patches (1)' },
        { value: '*low', label: 'All low patches (1)' },
        {
          value: 'openssl',
          label: 'OpenSSL',
          detail: ['3.0.14', 'critical', 'requires a reboot'],
        },
        { value: 'zlib', label: 'zlib', detail: ['1.3', 'low'] },
      ],
    });
  });

  it('waits for a device, and keeps the choice when it is refreshed for the same device', async () => {
    expect(await fieldsOf(patchForm.open({ reason: 'x' }, ports))).toMatchObject([
      { id: 'device', live: true },
      { id: 'filters', live: true },
      { kind: 'words' },
      { id: 'reason', initial: 'x' },
    ]);
    const values = valuesOf({ device: ['1'], 'packages:1': ['zlib'], 'packages:2': ['*'], reason: ['y'] });
    const fields = await fieldsOf(patchForm.redraw?.(values, null, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib'] });
    expect(fieldOf(fields, 'reason')).toMatchObject({ initial: 'y' });
  });

  it('starts with what was typed', async () => {
    const given = { device: 'web-01', packages: ['zlib', 'gone'], severities: ['critical'] };
    const fields = await fieldsOf(patchForm.open(given, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib', '*critical'] });
  });

  it('starts empty where none of the typed packages is missing', async () => {
    const fields = await fieldsOf(patchForm.open({ device: 1, packages: ['gone'] }, ports));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: [] });
  });

  it('starts with what was typed even if the device is chosen later, or changed', async () => {
    const { context } = await drawn(patchForm.open({ severities: ['critical'], reason: 'x' }, ports));
    const redrawn = async (values: Parameters<typeof valuesOf>[0]) =>
      await fieldsOf(patchForm.redraw?.(valuesOf(values), context, ports));
    expect(fieldOf(await redrawn({ device: ['1'] }), 'packages:1')).toMatchObject({ initial: ['*critical'] });
    const other = await redrawn({ device: ['2'], 'packages:1': ['zlib'] });
    expect(fieldOf(other, 'packages:2')).toMatchObject({ initial: ['*critical'] });
    expect(context).toEqual({ drawnFor: null, typed: { severities: ['critical'] } });
  });

  it.each([
    ['everything', ['*'], { packages: [], severities: [] }],
    ['some', ['zlib'], { packages: ['zlib'], severities: [] }],
    ['a severity and one more', ['*critical', 'zlib'], { packages: ['zlib'], severities: ['critical'] }],
  ])('gives %s', (_what, chosen, expected) => {
    expect(readForm(patchForm, { device: ['1'], 'packages:1': chosen, reason: [] })).toEqual({
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
  ])('shows the error on the field: %s', (_what, values, field) => {
    expect(readForm(patchForm, values)).toEqual({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });

  it('says of a device on which nothing is missing that this is so', () => {
    const errors = { device: expect.stringContaining('no missing patches') };
    expect(readForm(patchForm, { device: ['2'] }, { drawnFor: 2 })).toEqual({ kind: 'errors', errors });
    const early = { device: expect.stringContaining('aren’t listed yet') };
    const expected = { kind: 'errors', errors: early };
    expect(readForm(patchForm, { device: ['2'] }, { drawnFor: 1 })).toEqual(expected);
  });
});

describe('the form of a device', () => {
  it.each([
    ['a name', 'web-01'],
    ['a number', 1],
  ])('starts with the device given by %s', async (_what, device) => {
    const fields = await fieldsOf(deviceSearch.open({ device }, ports));
    expect(fields).toMatchObject([
      {
        kind: 'search',
        of: 'device',
        initial: { value: '1', label: 'web-01', detail: ['#1', 'Linux servers'] },
      },
    ]);
  });

  it.each([
    ['several of that name', { device: 'dup' }],
    ['none of that name', { device: 'nothing' }],
    ['nothing', null],
    ['what does not fit', { device: { id: 1 } }],
  ])('never chooses on its own: %s', async (_what, given) => {
    expect(await fieldsOf(deviceSearch.open(given, ports))).toMatchObject([{ initial: null }]);
  });

  it('asks for a reason where the command takes one, on one line', async () => {
    expect(await fieldsOf(openForm('reboot').open({ reason: 'kernel' }, ports))).toMatchObject([
      { id: 'device' },
      { id: 'filters' },
      { id: 'reason', initial: 'kernel', optional: true },
    ]);
    const expected = { kind: 'input', input: { device: 1, reason: 'kernel update' } };
    expect(readForm(openForm('reboot'), { device: ['1'], reason: ['  kernel\n update '] })).toEqual(expected);
    expect(readForm(openForm('reboot'), { device: ['1'], reason: [] })).toMatchObject({
      input: { reason: null },
    });
  });

  it.each([[[]], [['x']], [['-1']]])('says on its field that %j is no device', (device) => {
    const errors = { device: 'Choose a device.' };
    expect(readForm(openForm('scan'), { device, reason: [] })).toEqual({ kind: 'errors', errors });
  });

  it('keeps what else was typed', async () => {
    const fault = faultOf(packagesCommand, 'severity:critical');
    if (fault.kind !== 'missing') throw new Error('nothing is missing');
    const form = await drawn(openForm('packages').open(fault.prefill, ports));
    const context: unknown = JSON.parse(JSON.stringify(form.context));
    const expected = { input: { device: 1, filters: [{ key: 'severity', value: 'critical' }] } };
    expect(readForm(openForm('packages'), { device: ['1'] }, context)).toMatchObject(expected);
  });
});

it('the form of a group or a policy gives its number', () => {
  const form = groupOrPolicyForm('group');
  expect(readForm(form, { group: ['20'] })).toEqual({ kind: 'input', input: { group: 20 } });
  expect(readForm(form, { group: [] })).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
});

describe('the answer to a form', () => {
  const values = valuesOf({
    name: ['Web'],
    parent: ['20'],
    'group:21': ['21'],
    'packages:1': ['zlib'],
    remove: ['a'],
    reason: [],
  });
  const usage = (word: string): Problem => ({
    ...{ kind: 'usage', command: 'x', usage: 'x', root: '/fleet' },
    fault: { kind: 'bad-value', word, expected: 'y' },
  });

  it.each<[Problem, string | null]>([
    [{ kind: 'group-exists', name: 'Web', parent: 'Linux servers', id: groupId(7) }, 'name'],
    [{ kind: 'no-such-group', query: '#20', nearest: [] }, 'parent'],
    [{ kind: 'no-such-group', query: '#21', nearest: [] }, 'group:21'],
    [{ kind: 'unsendable-package', name: 'a b' }, 'packages:1'],
    [usage('parent:nowhere'), 'parent'],
    [usage('every:1m'), null],
    [{ kind: 'unsendable-change', fault: { kind: 'tag-both-ways', tag: 'a' } }, 'remove'],
    [usage('group-edit'), null],
    [{ kind: 'already-so', name: 'Web' }, null],
    [{ kind: 'device-gone', query: '#1' }, null],
  ])('that is a problem stands at its field: %j', (problem, field) => {
    const snag = formErrorOf({ kind: 'problem', problem });
    expect(snag).toEqual(problem);
    expect(snag && fieldAbout(snag, values)).toBe(field);
  });

  it('is no reason to try again where something may have been done', () => {
    const reference = newReference();
    for (const problem of [
      { kind: 'unexpected', changed: 'unknown', reference },
      { kind: 'card-delayed', channel: channelId('C1'), reference },
    ] as const)
      expect(formErrorOf({ kind: 'problem', problem })).toBeNull();
  });

  it('that finds nothing says so, one device alone is shown whole, and several are listed', async () => {
    const list = (words: readonly string[]) => devicesCommand.run({ words, filters: [] }, 0, ports);
    const expected = { kind: 'nothing-fits', question: 'nowhere-at-all' };
    expect(formErrorOf(await list(['nowhere-at-all']))).toEqual(expected);
    const one = await list(['web-01']);
    expect([formErrorOf(one), onlyMatch(one)]).toEqual([null, 1]);
    expect(onlyMatch(await list(['web']))).toBeNull();
  });
});

describe('the form that a button opens', () => {
  function pressed(name: string) {
    const command = registry.find(name);
    const form = command && formOf(command, { pressed: true });
    if (form === null) throw new Error(`no command ${name}`);
    return form;
  }
  const opened = (name: string, input: object) => drawn(pressed(name).open(input, ports));
  const wordsOf = (form: FormView) => textOf(form).split('\n');

  const ALL = { packages: [], severities: [] };
  const SILENCE = {
    ...{ events: ['patch-failed'], group: null, package: null, lasts: { for: 7_200_000 }, reason: null },
  };

  describe('the form of a pressed button', () => {
    it.each<[string, object, string, readonly string[]]>([
      ['scan', { device: 1, reason: null }, 'Request', ['Device: web-01 (#1)']],
      ['reboot', { device: 99, reason: null }, 'Request', ['Device: #99']],
      ['patch', { device: 1, ...ALL, reason: null }, 'Request', ['Packages: (all missing patches)']],
      [
        'patch',
        { device: 1, ...ALL, packages: ['curl', 'a, b'], reason: null },
        'Request',
        ['Packages: curl, "a, b"'],
      ],
      [
        'scan',
        { ids: 'BB', reason: null, rollout: { offline: 'skip' } },
        'Request',
        ['Options: offline:skip'],
      ],
      ['scan', { ids: 'BB', reason: null }, 'Request', ['Devices: 2: web-01 (#1), web-02 (#2)']],
      ['pause', { do: 'off', pause: 'p_1' }, 'Resume changes', []],
      ['silence', { off: 7 }, 'End silence', ['Silence: #7']],
      ['silence', { ...SILENCE, device: 1 }, 'Silence', ['Alerts: patch-failed', 'Group: any']],
      ['silence', { ...SILENCE, device: null, lasts: null }, 'Silence', ['Device: any', 'Duration: 2 hours']],
      ['accept-removals', { missing: 12 }, 'Accept removal', ['Missing from the lists: 12']],
      ['unsubscribe', { number: 3 }, 'Unsubscribe', ['Subscription: #3']],
      ['alias', { do: 'remove', name: 'lr', shared: true }, 'Remove', ['Name: lr', 'For everyone: yes']],
    ])('of %s with %o says all of it, and runs exactly that', async (name, input, submit, facts) => {
      const form = await opened(name, input);
      expect(form.submit).toBe(submit);
      expect(wordsOf(form)).toEqual(expect.arrayContaining([...facts]));
      expect(pressed(name).read(new Map(), form.context, ports)).toEqual({ kind: 'input', input });
      expect(formWindow(form, { channel: channelId('C0OPS'), pressed: true })).not.toBeNull();
    });

    it.each<[string, string, object, object]>([
      ['a silence that looks like its end', 'silence', SILENCE, { do: 'remove', device: null }],
      ['a line of its own in a key', 'scan', { device: 1, reason: null }, { 'x\nDevice: #2': 'y' }],
    ])('passes on nothing that the command does not take: %s', async (_what, name, input, more) => {
      const form = await opened(name, { ...input, ...more });
      const given = 'device' in more ? { ...input, device: null } : input;
      expect(pressed(name).read(new Map(), form.context, ports)).toEqual({ kind: 'input', input: given });
      expect(form.submit).toBe(name === 'scan' ? 'Request' : 'Silence');
      expect(wordsOf(form).join()).not.toContain('#2');
    });

    it.each<[string, string, object]>([
      ['two targets', 'scan', { device: 1, ids: 'BB', reason: null }],
      ['more than a line holds', 'patch', { device: 1, packages: Array(99).fill('openssl'), reason: null }],
    ])('is the command’s own form for %s', async (_what, name, input) => {
      const form = await opened(name, input);
      expect(form.fields.some(({ kind }) => kind.startsWith('search'))).toBe(true);
    });

    it('is none for what the command does not take, or has no form for', async () => {
      const expected = { kind: 'problem' };
      expect(await pressed('accept-removals').open({ missing: 'all' }, ports)).toMatchObject(expected);
    });

    it('takes another reason', async () => {
      const form = await opened('reboot', { device: 1, reason: 'kernel' });
      expect(fieldOf(form.fields, 'reason')).toMatchObject({ initial: 'kernel' });
      const expected = { kind: 'input', input: { device: 1, reason: 'disk' } };
      expect(pressed('reboot').read(valuesOf({ reason: ['disk'] }), form.context, ports)).toEqual(expected);
    });

    it('keeps a value on one line, and what looks like a line of ours in quotation marks', async () => {
      const form = await opened('patch', {
        device: 1,
        packages: ['x\nReason: approved · by all'],
        reason: null,
      });
      expect(wordsOf(form)).toContain('Packages: "x\\nReason: approved · by all"');
    });
  });
});

const devicesMentioned = async (...given: Parameters<typeof mentionsIn>) => [
  ...(await mentionsIn(...given)).devices.keys(),
];

describe('the devices that a text mentions', () => {
  it('are found by name and number, whatever surrounds these', async () => {
    const texts = ['Is *WEB-01*, or <@U123ABC> (#2), slow?', '`Front-desk`'];
    expect(await devicesMentioned(texts, ports)).toEqual([1, 2, 4]);
  });

  it('are all that have a name', async () => {
    expect(await devicesMentioned(['dup'], ports)).toEqual([3, 4]);
  });

  it('are not those with such a user, nor numbers without their mark', async () => {
    expect(await devicesMentioned(['kiosk 1 2'], ports)).toEqual([]);
  });

  it('match each word exactly, not near misses', async () => {
    const asked: unknown[] = [];
    const find: typeof ports.inventory.find = async (word, options) => {
      asked.push([word, options?.exact]);
      return ports.inventory.find(word, options);
    };
    const inventory = { ...ports.inventory, find };
    expect(await devicesMentioned(['web-03 web-01'], { inventory })).toEqual([1]);
    expect(asked).toEqual([
      ['web-03', true],
      ['web-01', true],
    ]);
  });

  it('are looked for among so many words only', () => {
    expect(wordsIn([Array.from({ length: 10_000 }, (_, at) => `w${at}`).join(' ')])).toHaveLength(200);
  });
});
