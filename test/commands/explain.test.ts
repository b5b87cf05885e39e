import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../src/commands/core/command.ts';
import { registry } from '../../src/commands/index.ts';
import { deviceId, groupId, newReference, policyId } from '../../src/lib/ids.ts';
import { readButtonValue } from '../../src/views/kit/buttons.ts';
import { toCsv } from '../../src/views/sharing/csv.ts';
import { type Problem, renderView, type View } from '../../src/views/views.ts';
import { aDevice, aGroup, aPackage, aPolicy } from '../harness/builders.ts';
import { renderedButtons, renderedText } from '../views/rendered-text.ts';
import { aPause } from '../views/samples/answer-samples.ts';
import type { FakeRecordsContent } from './harness/fake-records.ts';
import { testPorts } from './harness/ports.ts';
import { commandOf, faultOf, inputOf, proposalOf } from './harness/typed-line.ts';

const content = {
  devices: [
    aDevice(),
    aDevice({ id: deviceId(3), name: 'dup-01' }),
    aDevice({ id: deviceId(4), name: 'dup-01' }),
  ],
  groups: [aGroup({ id: groupId(1), name: '', parentId: groupId(1) }), aGroup()],
  packages: [
    aPackage({ id: 1, name: 'openssl', severity: 'critical' }),
    aPackage({ id: 2, name: 'vim', severity: 'low' }),
  ],
  policies: [
    aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', digest: 'c0ffee' }),
    aPolicy({ id: policyId(2_104), name: 'Disable SMBv1', type: 'custom' }),
  ],
};

const find = (name: string) => {
  const command = registry.find(name);
  if (command === null) throw new Error(`no command ${name}`);
  return command;
};
async function explained(
  text: string,
  kept: FakeRecordsContent = {},
  more: Partial<ReadPorts> = {},
): Promise<View> {
  const command = commandOf('read', 'explain');
  return command.run(inputOf(command, text), 0, { ...testPorts(content, kept).ports, ...more });
}
const wordsOf = (view: View): string => {
  const { text, blocks } = renderView(view);
  return `${text}\n${JSON.stringify(blocks)}`;
};

describe('explain of a rollout', () => {
  it('shows its waves, what it costs and who stays out, and asks nothing', async () => {
    const view = await explained('patch group:"Linux servers" severity:critical waves:1 wait:10m brake:1');
    const rollout = { plan: { waves: [1, 2], waitMs: 600_000 }, cost: { requests: expect.any(Number) } };
    expect(view).toMatchObject({ kind: 'explain-plan', targets: [{}, {}, {}], rollout });
    const words = wordsOf(view);
    expect(words).toContain('2 waves (1, 2 devices) · 10 minutes between waves');
    expect(words).toContain('stops at 1 failure in a wave');
    expect(words).toContain('requests to the management service; at least 13 minutes');
  });

  it('says that a reason is required, and explains a corrected line instead of requesting it', async () => {
    const rollouts = { reasonFrom: 2, maxDevices: 10, maxDevicesPerDay: 10, maxWaiting: 20, maxAgeMs: 1 };
    expect(wordsOf(await explained('reboot os:linux', {}, { rollouts: () => rollouts }))).toContain(
      'From 2 devices on, a request needs a reason.',
    );
    const view = await explained('reboot tag:wbe');
    expect(view).toMatchObject({
      problem: {
        kind: 'usage',
        offers: [{ does: 'run', line: '/fleet explain reboot tag:web', choice: { command: 'explain' } }],
      },
    });
  });
});

describe('explain of many devices', () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    aDevice({
      id: deviceId(2001 + at),
      name: `node-${at + 1}`,
      osFamily: at < 45 ? 'Linux' : 'Windows',
      osName: at < 45 ? 'Ubuntu' : '11 Pro',
    }),
  );
  const { ports: given } = testPorts({ ...content, devices: many, pageSize: 500 });
  const ports: ReadPorts = {
    ...given,
    missingPatches: {
      ...given.missingPatches,
      query: async (question) => {
        const answer = await given.missingPatches.query(question);
        const known = new Map([...answer.known].filter(([id]) => id <= 2050));
        return { ...answer, devices: answer.devices.filter(({ id }) => id <= 2050), known };
      },
    },
  };
  const shown = () => explained('patch os:linux,windows severity:critical', {}, ports);
  const listButton = async () => {
    const button = renderedButtons(renderView(await shown())).find(
      ({ action }) => action === 'explain:devices',
    );
    const value = readButtonValue(button?.value ?? '');
    if (value?.do !== 'run') throw new Error('no button');
    return value;
  };
  const pageOf = async (input: unknown, page: number, more: Partial<ReadPorts> = {}) => {
    const view = await commandOf('read', 'explain').run(input, page, { ...ports, ...more });
    if (view.kind !== 'explain-devices') throw new Error(JSON.stringify(view));
    return view;
  };

  it('counts groups and systems, and names some of them', async () => {
    const text = renderedText(renderView(await shown()));
    expect(text).toContain('*Groups*: Linux servers (50)');
    expect(text).toContain('*Systems*: Ubuntu 24.04 (45), Windows 11 Pro 24.04 (5)');
    expect(text).toMatch(/\*Devices\*: node-\d+(?:, node-\d+){7} and 42 more/);
    expect(text).toContain('*Left out: 10 devices*');
    expect(text).toMatch(/No missing patches \(10\): node-\d+(?:, node-\d+){7} and 2 more/);
    expect(text).toContain('A device that changes before its wave is left out.');
    expect(text).toContain('It could be paused or stopped, but what was sent couldn’t be canceled.');
  });

  it('lists a few one by one, without a button', async () => {
    const view = await explained('reboot node-1, node-2', {}, ports);
    expect(renderedText(renderView(view))).toContain('*node-1*');
    expect(renderedButtons(renderView(view)).map(({ action }) => action)).not.toContain('explain:devices');
  });

  it('shows all of them in pages, those that stay out last', async () => {
    const { command, input } = await listButton();
    expect(command).toBe('explain');
    const first = await pageOf(input, 0);
    expect(first).toMatchObject({ devices: 50, rows: { length: 20 }, paging: { total: 60, pages: 3 } });
    const last = await pageOf(input, 2);
    expect(last.rows.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: 10 }, () => 'target'),
      ...Array.from({ length: 10 }, () => 'left-out'),
    ]);
    const text = renderedText(renderView(last));
    expect(text).toContain('*Preview:* Install missing critical patches on 50 devices');
    expect(text).toContain('*Left out: 10 devices*');
  });

  it('keeps them as they were planned, and plans again once they are not kept any more', async () => {
    const { input } = await listButton();
    const before = await pageOf(input, 1);
    expect(await pageOf(input, 1)).toEqual(before);
    const { refreshReason, ...paging } = (await pageOf(input, 1, { results: testPorts({}).ports.results }))
      .paging;
    expect(refreshReason).toBe('gone');
    expect(paging).toMatchObject({ page: 1, total: 60 });
  });

  it('is a file with all of them', async () => {
    const { input } = await listButton();
    const file = toCsv(await pageOf(input, 0, { pageSize: 1_000 }));
    expect(file).toMatchObject({ rows: 60, omittedRows: 0 });
    expect(file?.text).toContain('node-1,2001,Linux servers,Ubuntu 24.04,yes,openssl,');
    expect(file?.text).toContain('node-60,node-60,2060,,,,,node-60 has no missing patches');
  });
});

describe('explain', () => {
  it.each([
    ['reboot web-01 because kernel', 'This would reboot web-01.', 'approver'],
    ['patch web-01', 'This would install all missing patches on web-01.', 'approver'],
    ['patch web-01 severity:critical', 'This would install openssl on web-01.', 'approver'],
    ['patch web-01 severity:critical,low', 'This would install 2 packages on web-01.', 'approver'],
    [
      'policy-remediate web-01 policy:#2103',
      'This would remediate Disable SMBv1 (policy 2103) on web-01.',
      'approver',
    ],
    ['policy-test web-01 policy:#2103', 'This would test Disable SMBv1 (policy 2103) on web-01.', null],
    ['scan #1001', 'This would scan web-01.', null],
  ])('says for “%s” what it would do and who must approve', async (text, what, approver) => {
    const words = wordsOf(await explained(text));
    expect(words).toContain(what);
    expect(words).toContain('Nothing was requested or sent.');
    expect(words).toContain('Requesting this needs the operator role.');
    if (approver === null) {
      expect(words).toContain('It needs no approval, so it would be sent right away.');
      expect(words).not.toContain('goes back to the approver');
    } else {
      expect(words).toMatch(/Another person with the approver role would have 30 minutes to approve it\./);
      expect(words).toContain('goes back to the approver');
    }
    expect(words).toContain('Linux servers');
  });

  it.each<[string, Problem | null, string]>([
    ['may', null, 'You can request this.'],
    [
      'may not',
      { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] },
      'To request this, you need the operator role.',
    ],
    [
      'may or may not',
      { kind: 'rights-unknown', reference: newReference() },
      'Requesting this needs the operator role.',
    ],
  ])('tells a reader who %s request it', async (_who, refused, said) => {
    const words = wordsOf(await explained('reboot web-01', {}, { refusal: async () => refused }));
    expect(words).toContain(said);
    expect(words).toContain('it would be re-checked and sent, and couldn’t be canceled.');
  });

  it('says of a change that it would be refused while all changes are paused, and why', async () => {
    const words = wordsOf(await explained('reboot web-01', { pause: aPause({ reason: 'incident' }) }));
    expect(words).toContain('All changes are paused, so it would be refused now.');
    expect(words).toContain('(reason: incident). This would be refused until changes are resumed.');
    expect(wordsOf(await explained('reboot web-01'))).not.toContain('paused');
  });

  it('plans what the command itself would request, with the same facts', async () => {
    const line = 'patch web-01 severity:critical because CVE list';
    const { command, targets, reason } = await proposalOf(line, testPorts(content).ports);
    expect(await explained(line)).toMatchObject({ kind: 'explain-plan', command, targets, reason });
  });

  it('gives the refusal that the command itself would give', async () => {
    expect(wordsOf(await explained('patch web-01 severity:high'))).toContain(
      'no missing patches with severity high',
    );
    expect(wordsOf(await explained('reboot nowhere-99'))).toContain('No device is named nowhere-99.');
  });

  it.each(['dup-01', 'web-01'])('explains what is chosen from several things, too (%s)', async (device) => {
    const text = device === 'dup-01' ? `reboot ${device}` : `policy-test ${device} policy:"Disable SMBv1"`;
    const view = await explained(text);
    const choices =
      view.kind === 'picker'
        ? view.choices
        : view.kind === 'choices'
          ? view.rows.map(({ choice }) => choice)
          : [];
    expect(choices).toHaveLength(2);
    for (const { command, input } of choices) {
      expect(command).toBe('explain');
      expect(await commandOf('read', command).run(input, 0, testPorts(content).ports)).toMatchObject({
        kind: 'explain-plan',
      });
    }
  });

  it('names the nearest of an unknown command', async () => {
    const nearest = expect.arrayContaining(['reboot']);
    expect(faultOf(find('explain'), 'rebot web-01')).toMatchObject({ word: 'rebot', nearest, of: 'command' });
  });

  it('says what goes with a removal, without the name that its form asks for', async () => {
    const words = wordsOf(await explained('device-remove web-01 because scrapped'));
    expect(words).toMatch(/^(?!.*Open form).*Remove the device web-01.*Another person/s);
  });

  it('says that reads and settings change nothing on a device', async () => {
    expect(wordsOf(await explained('devices os:windows'))).toMatch(/only reads.*Needs the viewer role\./s);
    expect(wordsOf(await explained('help'))).toMatch(/only reads.*Anyone can use it\./s);
    expect(wordsOf(await explained('timezone Europe/Berlin'))).toContain('only Patchbay’s own settings');
  });

  it.each(registry.all().map(({ name }) => name))(
    'has words for every command, and no button that would change anything: %s',
    async (name) => {
      const { examples, kind } = find(name);
      // Without arguments, a write command opens its form.
      for (const text of kind === 'write' ? examples : [name, ...examples]) {
        const words = wordsOf(await explained(text));
        for (const write of registry.all().filter((command) => command.kind === 'write')) {
          expect(words).not.toContain(`\\"command\\":\\"${write.name}\\",\\"input\\":{\\"device\\"`);
        }
        if (kind === 'write') continue;
        expect(words).toMatch(kind === 'read' ? /only reads/ : /only Patchbay’s own settings/);
      }
    },
  );
});
