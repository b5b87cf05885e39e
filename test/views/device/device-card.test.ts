import { describe, expect, it } from 'vitest';
import type { Device, DeviceDetail, Volume } from '../../../src/fleet/model/resources.ts';
import { deviceId, eventId, personId, policyId } from '../../../src/lib/ids.ts';
import type { DevicePageView } from '../../../src/views/device/device-pages.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { PickLine } from '../../../src/views/models/list-model.ts';
import { bytesText } from '../../../src/views/text/common-text.ts';
import { type ButtonValue, type RenderedMessage, renderView, type View } from '../../../src/views/views.ts';
import { aDevice, anEvent, aPolicy, aPolicyStatus, NO_DETAIL, START } from '../../harness/builders.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { brokenRules } from '../slack-message-rules.ts';

const PAGES = ['hardware', 'volumes', 'network', 'updates', 'policies', 'timeline'];

type Option = { readonly value: string };
function optionsOf({ blocks }: RenderedMessage): readonly Option[] {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.flatMap(({ options = [] }: { readonly options?: readonly Option[] }) => options);
}

/** The page, or the command of the form. */
function whatIs(value: ButtonValue): string | undefined {
  if (value.do === 'device') return value.page;
  return value.do === 'form' ? value.command : undefined;
}

describe('device card', () => {
  const shown = renderView({ kind: 'device', device: aDevice(), groupName: 'Linux servers' });

  it('shows state, system, group, tags, last seen, pending patches and need of a reboot', () => {
    for (const part of [
      '*State*\nOnline',
      'Ubuntu 24.04',
      'Linux servers',
      '*Tags*\n`web`',
      '*Last seen*\nNow',
      '*Pending patches (required by policies)*\n3',
      '*Reboot required*\nYes',
    ]) {
      expect(renderedText(shown)).toContain(part);
    }
  });

  it('offers what can be done', () => {
    const offered = renderedButtons(shown).map(({ action }) => action);
    expect(offered).toEqual(['packages', 'queue', 'scan', 'patch', 'more', 'reboot']);
  });

  it.each([
    ['who may change it', {}, [...PAGES, 'device-edit']],
    ['who may only look', { lookOnly: { ask: [] } }, PAGES],
  ])('offers in its menu the pages, and the form to %s', (_who, reader, expected) => {
    const card = renderView({ kind: 'device', device: aDevice(), groupName: null, ...reader });
    const values = optionsOf(card).map(({ value }) => readButtonValue(value));
    expect(values.map((value) => value !== null && whatIs(value))).toEqual(expected);
  });

  it('carries a device of any number in its menu', () => {
    const device = aDevice({ id: deviceId(999_999_999_999_999) });
    const card = renderView({ kind: 'device', device, groupName: null });
    expect(optionsOf(card)).toHaveLength(PAGES.length + 1);
    expect(brokenRules(card)).toEqual([]);
  });

  it('shows how long ago it was seen and scanned', () => {
    const device = aDevice({ connected: false, lastDisconnectTime: START, lastRefreshTime: START });
    const away = renderedText(renderView({ kind: 'device', device, groupName: null }));
    expect(away).toMatch(/\*Last seen\*\n<!date[^|]*\(\{ago\}\)\|/);
    expect(away).toMatch(/\*Last scan\*\n<!date[^|]*\(\{ago\}\)\|/);
  });

  it('has no row for what the service does not state', () => {
    const device = aDevice({
      ...{ osFamily: null, osName: null, osVersion: null, groupId: null, tags: [], connected: null },
      ...{ lastDisconnectTime: null, lastRefreshTime: null, lastUpdateTime: null, lastProcessTime: null },
      ...{ pendingPatches: null, needsReboot: null, compliant: null },
      ...{ lastLoggedInUser: null, detail: null },
    });
    const labels = renderedText(renderView({ kind: 'device', device, groupName: null })).match(
      /^\*[^*]+\*$/gm,
    );
    expect(labels).toEqual(['*Device web-01*', '*State*', '*ID*']);
  });

  it('distinguishes zero from unknown', () => {
    const none = renderView({
      kind: 'device',
      device: aDevice({ pendingPatches: 0, needsReboot: false }),
      groupName: null,
    });
    expect(renderedText(none)).toContain('*Pending patches (required by policies)*\n0');
    const unsaid = renderView({
      kind: 'device',
      device: aDevice({ pendingPatches: null, connected: null }),
      groupName: null,
    });
    expect(renderedText(unsaid)).not.toContain('Pending patches');
    expect(renderedText(unsaid)).not.toMatch(/not stated/i);
    expect(renderedText(unsaid)).toContain('*State*\nConnection unknown');
  });
});

describe('a device that is not compliant', () => {
  const text = (over: Parameters<typeof aDevice>[0]) =>
    renderedText(renderView({ kind: 'device', device: aDevice(over), groupName: null, asOf: START }));
  const policies = [aPolicy({ id: policyId(7), name: 'Disable SMBv1' })];

  it('says which policies it fails', () => {
    const policyCompliance = [
      { policyId: policyId(7), compliant: false },
      { policyId: policyId(8), compliant: false },
      { policyId: policyId(9), compliant: true },
    ];
    expect(text({ compliant: false, policies, policyCompliance })).toContain(
      '*Compliance*\nNot compliant with: Disable SMBv1, policy 8',
    );
  });

  it('has no such row while it complies, or where that is not stated', () => {
    for (const compliant of [true, null]) expect(text({ compliant })).not.toContain('Compliance');
  });

  it.each([
    [true, 'non-compliant', false],
    [false, 'compliant', false],
    [true, 'unmanaged', true],
    [null, 'non-compliant', true],
  ] as const)('where compliant is %s, the word %s is shown: %s', (compliant, policyStatus, isShown) => {
    expect(text({ compliant, policyStatus }).includes(`policy status: ${policyStatus}`)).toBe(isShown);
  });

  it('says when it was read', () => {
    expect(text({})).toContain('As of <!date^');
  });
});

describe('lists', () => {
  const page = (at: number, unlisted = 0): View => ({
    kind: 'devices',
    title: '',
    rows: [{ device: aDevice(), groupName: null }],
    unlisted,
    paging: {
      command: 'devices',
      input: { words: [], filters: [] },
      page: at,
      pages: 3,
      total: 25,
      asOf: START,
    },
  });
  const pages = (at: number) =>
    renderedButtons(renderView(page(at)))
      .filter(({ action }) => action.startsWith('page:'))
      .map(({ action, value }) => [action, readButtonValue(value)]);

  it.each([
    [1, 'Up to 1 device couldn’t be listed.'],
    [3, 'Up to 3 devices couldn’t be listed.'],
  ])('say that devices are not among them: %j', (unlisted, said) => {
    expect(renderedText(renderView(page(0, unlisted)))).toContain(said);
    expect(renderedText(renderView(page(0)))).not.toContain('couldn’t be listed');
  });

  const totalled = (total: number, online: number, offline: number): string => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const totals = { online, offline, pending: total, needsReboot: 1, noncompliant: 0 };
    const shown = renderView({ ...view, totals, paging: { ...view.paging, total } });
    return renderedText(shown).split('\n')[1] ?? '';
  };

  it.each([
    [7, 7, 0, '7 devices: all online, all with pending patches, 1 requires a reboot, 0 not compliant.'],
    [7, 0, 7, '7 devices: all offline, all with pending patches, 1 requires a reboot, 0 not compliant.'],
    [7, 5, 1, '7 devices: 5 online, 1 offline, all with pending patches'],
    [1, 1, 0, '1 device: 1 online, 0 offline, 1 with pending patches, 1 requires a reboot'],
  ])('count above their rows how %i devices are', (total, online, offline, words) => {
    expect(totalled(total, online, offline)).toContain(words);
  });

  it('count what is not known beside what is', () => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const unknown = { connection: 2, pending: 3, needsReboot: 4, compliance: 5 };
    const totals = { online: 5, offline: 0, pending: 0, needsReboot: 0, noncompliant: 0, unknown };
    for (const [unstated, more] of [
      [1, '1 more device matches'],
      [13, '13 more devices match'],
    ] as const)
      expect(renderedText(renderView({ ...view, unstated }))).toContain(`Unknown whether ${more}.`);
    expect(renderedText(renderView({ ...view, totals, paging: { ...view.paging, total: 7 } }))).toContain(
      '7 devices: 5 online, 0 offline (2 unknown), 0 with pending patches (3 unknown), 0 require a reboot (4 unknown), 0 not compliant (5 unknown).',
    );
  });

  it('mark each device that is not compliant', () => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const rows = [aDevice({ compliant: false }), aDevice({ compliant: null })].map((device) => ({
      device,
      groupName: null,
    }));
    expect(renderedText(renderView({ ...view, rows })).match(/· not compliant/g)).toHaveLength(1);
  });

  const to = (at: number) => ({ do: 'run', command: 'devices', input: { words: [], filters: [] }, page: at });

  it.each([
    ['first', 0, [['page:next', to(1)]]],
    [
      'middle',
      1,
      [
        ['page:prev', to(0)],
        ['page:next', to(2)],
      ],
    ],
    ['last', 2, [['page:prev', to(1)]]],
  ] as const)('go on from the %s page', (_what, at, expected) => {
    expect(pages(at)).toEqual(expected);
  });
});

const GB = 1_024 ** 3;

type Page = DevicePageView['page'];
const pageOf = (page: Page, detail: Partial<DeviceDetail>, over: Partial<Device> = {}): View => ({
  kind: 'device-page',
  page,
  device: aDevice({ ...over, detail: { ...NO_DETAIL, ...detail } }),
  asOf: START,
});
/** With the text that replaces tables. */
const words = (view: View) => {
  const { blocks, plain } = renderView(view);
  return JSON.stringify([blocks, plain]);
};
const shared = (view: View) => words({ kind: 'shared', view, by: personId('UOPERATOR') });

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1023 bytes'],
    [1_024, '1 KB'],
    [1_536, '1.5 KB'],
    [8 * GB, '8 GB'],
    [498_416_451_584, '464 GB'],
    [2 * 1_024 * GB, '2 TB'],
    [null, 'size unknown'],
    [-1, 'size unknown'],
    [Number.NaN, 'size unknown'],
  ])('%s: %s', (size, expected) => {
    expect(bytesText(size)).toBe(expected);
  });
});

describe('volumes', () => {
  const volume = (over: Partial<Volume>): Volume => ({
    name: 'C:',
    label: 'OS',
    fileSystem: 'NTFS',
    systemDisk: true,
    sizeBytes: 100 * GB,
    freeBytes: 50 * GB,
    sent: { size: null, free: null },
    ...over,
  });
  it.each<[string, Partial<Volume>, RegExp]>([
    ['what is free', {}, /\*C:\* · OS · NTFS · system\\n.* 50 GB of 100 GB free \(50%\)"/],
    ['low space', { freeBytes: 9.9 * GB }, /9\.9 GB of 100 GB free \(9%\) · \*low on space\*/],
    ['no low space at a tenth', { freeBytes: 10 * GB }, /10 GB of 100 GB free \(10%\)"/],
    ['nothing free', { freeBytes: 0 }, /0 bytes of 100 GB free \(0%\) · \*low on space\*/],
    ['what is not stated', { freeBytes: null }, /Free space unknown/],
    [
      'more free than there is, which cannot be',
      { freeBytes: 200 * GB, sent: { size: '1', free: '2' } },
      /Free space unknown. Reported: size `1`, free `2`/,
    ],
  ])('say %s', (_what, over, expected) => {
    expect(words(pageOf('volumes', { volumes: [volume(over)] }))).toMatch(expected);
  });

  it.each<[string, readonly Partial<Volume>[], string]>([
    ['of all', [{ freeBytes: null }, { sizeBytes: null }], '2 volumes, free space unknown'],
    ['of one', [{}, { freeBytes: null }], '2 volumes, 0 low on space, 1 unknown'],
    [
      'of one beside a low one',
      [{ freeBytes: 1 }, { freeBytes: -1 }, {}],
      '3 volumes, 1 low on space, 1 unknown',
    ],
    ['of none', [{}], '1 volume, none low on space'],
  ])('are not called good where the space is unknown: %s', (_what, overs, summary) => {
    const { text } = renderView(pageOf('volumes', { volumes: overs.map(volume) }));
    expect(text).toContain(`Volumes for web-01: ${summary}.`);
  });

  it('stand as the agent wrote them where that says nothing', () => {
    const sent = { size: '1,000', free: '<!channel>' };
    const page = pageOf('volumes', { volumes: [volume({ sizeBytes: null, freeBytes: null, sent })] });
    expect(renderView(page).text).toContain(
      'Free space unknown. Reported: size `1,000`, free `&lt;!channel&gt;`',
    );
    expect(words(pageOf('hardware', { ramBytes: null, ramSent: '1,000' }))).toContain(
      'size unknown (`1,000`)',
    );
  });

  it('stand in a table with what is free and how large they are, and which are low', () => {
    const two = [volume({}), volume({ name: 'D:', label: null, systemDisk: false, freeBytes: 1 * GB })];
    const table = renderView(pageOf('volumes', { volumes: two })).blocks.find(({ type }) => type === 'table');
    expect(table?.['rows']).toEqual(
      [
        ['Volume', 'Free', 'Size', 'Space'],
        ['C:, OS, NTFS, system', '50 GB (50%)', '100 GB', '–'],
        ['D:, NTFS', '1 GB (1%)', '100 GB', 'low'],
      ].map((row) => row.map((text) => ({ type: 'raw_text', text }))),
    );
  });

  it('count those that are low for those who hear the message', () => {
    const low = volume({ freeBytes: 1 });
    const [first, ...others] = renderView(pageOf('volumes', { volumes: [low, volume({})] })).text.split('\n');
    expect(first).toBe('Volumes for web-01: 2 volumes, 1 low on space.');
    expect(others).toContain('1 byte of 100 GB free (0%) · *low on space*');
  });
});

describe('updates and policies', () => {
  it('say where updates come from, and what was put off', () => {
    const said = words(
      pageOf('updates', {
        wsus: { managed: true, server: 'wsus.example', reachable: false },
        autoUpdate: { enabled: true, options: ['download', 'notify'] },
        updateSource: { connected: false, error: 'timeout' },
      }),
    );
    expect(said).toContain('In use, server wsus.example, *not reachable*');
    expect(said).toContain('On (download, notify)');
    expect(said).toContain('*Not connected* (timeout)');
    expect(said).toContain('0 times, 0 notifications sent');
  });

  it('say an option once that only repeats whether updates are on', () => {
    expect(words(pageOf('updates', { autoUpdate: { enabled: false, options: ['off'] } }))).toContain('Off"');
  });

  it('show for each policy the device’s status, its schedule, and all lists’ policies', () => {
    const entry = aPolicyStatus({
      policyId: policyId(7),
      policyName: 'Old',
      nextRemediation: START,
      willReboot: true,
      pendingCount: 2,
    });
    const said = words(
      pageOf(
        'policies',
        {},
        {
          policyStatuses: [entry],
          policyCompliance: [{ policyId: policyId(7), compliant: false }],
          policies: [aPolicy({ id: policyId(7), name: 'Disable SMBv1' }), aPolicy({ id: policyId(9) })],
        },
      ),
    );
    expect(said).toMatch(/2 policies, 1 not compliant, 1 unknown; device not compliant/);
    expect(said).toMatch(
      /\*Disable SMBv1\* · #7 · .*\\n\*not compliant\* · needs remediation · 2 pending · will reboot/,
    );
    expect(said).toMatch(/Every day at 2:00 AM · next run .*\(per the management service\)/);
    expect(said).toMatch(/#9 · .*\\nNot evaluated yet/);
  });
});

describe('what is personal', () => {
  const detail: Partial<DeviceDetail> = {
    serial: 'BOARD-1',
    serviceTag: 'TAG-1',
    addresses: ['192.0.2.9'],
    lastLogon: { source: 'console', user: 'anna', time: START },
    networkCards: [
      {
        type: 'Ethernet',
        mac: '02:00:00:00:00:01',
        addresses: ['10.9.9.9'],
        connected: true,
        vendor: 'Intel',
        device: 'eth0',
      },
    ],
  };
  const PERSONAL =
    /SN-1001|BOARD-1|TAG-1|i-0abc|203\.0\.113\.10|10\.0\.0\.10|192\.0\.2\.9|10\.9\.9\.9|02:00:00|anna|deploy/;
  const over = { lastLoggedInUser: 'anna', instanceId: 'i-0abc' };

  it.each(['hardware', 'network'] as const)('stands on the page of %s for the one who asks', (page) => {
    expect(words(pageOf(page, detail, over))).toMatch(PERSONAL);
  });

  it.each(['hardware', 'volumes', 'network', 'updates', 'policies'] as const)(
    'stands on no shared page: %s',
    (page) => {
      expect(shared(pageOf(page, detail, over))).not.toMatch(PERSONAL);
    },
  );

  it('stands on no shared card, list, picker, queue or timeline', () => {
    const device = aDevice({ ...over, detail: { ...NO_DETAIL, ...detail } });
    const line = { device, groupName: null };
    const paging = {
      command: 'devices',
      input: { words: ['anna'], filters: [] },
      page: 0,
      pages: 3,
      total: 30,
      asOf: START,
    };
    const views: readonly View[] = [
      { kind: 'device', ...line },
      { kind: 'devices', title: 'anna', publicTitle: '…', rows: [line], unlisted: 0, paging },
      {
        kind: 'picker',
        query: 'web-01',
        rows: [{ ...line, seenAt: START, addresses: ['10.0.0.10'], serialNumber: 'SN-1001' }],
        total: 1,
        choices: [],
      },
      { kind: 'queue', device, rows: [], asOf: START },
      {
        kind: 'timeline',
        device,
        rows: [anEvent({ id: eventId(1), deviceId: deviceId(1001) })],
        since: START,
        paging: { ...paging, input: {} },
      },
    ];
    for (const view of views)
      expect([view.kind, shared(view)]).toEqual([view.kind, expect.not.stringMatching(PERSONAL)]);
    expect(views.slice(0, 3).map((view) => PERSONAL.test(words(view)))).toEqual([true, true, true]);
  });
});

describe('a device among others', () => {
  const away: PickLine = { device: aDevice({ connected: false }), groupName: 'Web', seenAt: START };
  const list = (rows: readonly PickLine[]): View => ({
    kind: 'picker',
    query: 'web-01',
    rows: rows.map((row) => ({
      ...row,
      addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
      serialNumber: 'sn-1',
    })),
    total: rows.length,
    choices: [],
  });

  it('is distinguished from these by group, last seen, addresses and serial number', () => {
    const said = words(list([away]));
    expect(said).toMatch(/Offline, last seen <!date/);
    expect(said).toContain('Web');
    expect(said).toContain('10.0.0.1, 10.0.0.2, 10.0.0.3 and 1 more · serial number sn-1');
  });

  it('shows no last-seen time where it is online, or where that is unknown', () => {
    const online = { ...away, device: aDevice({ connected: true }) };
    expect(words(list([online]))).not.toContain('last seen');
    expect(words(list([{ ...away, seenAt: null }]))).not.toContain('last seen');
  });
});
