/**
 * Who may not see what is personal asks for everything there is, in every way: none of a device's logged-in user,
 * serial number and addresses is ever in what goes to Slack for them.
 */
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/commands/index.ts';
import { channelId, deviceId, messageTs, personId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import { createForms } from '../../src/slack/forms/forms.ts';
import { createExport } from '../../src/slack/sharing/export.ts';
import { createShare } from '../../src/slack/sharing/share.ts';
import { createShortcuts } from '../../src/slack/shortcuts/shortcuts.ts';
import { readButtonValue } from '../../src/views/kit/button-value.ts';
import type { ButtonValue, View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { aDevice, aGroup, anApproval, anEvent, aPackage, START, someFacts } from '../harness/builders.ts';
import { createFakeWeb } from './fake-web.ts';

const VIEWER = personId('UVIEWER');
const OPERATOR = personId('UOPERATOR');
const OPS = channelId('C0OPS');

const USER = 'qzuser';
const SERIAL = 'QZSERIAL-77';
const PUBLIC = '198.51.100.77';
const PRIVATE = '10.77.66.55';
const MARKS = [
  USER,
  SERIAL,
  PUBLIC,
  PRIVATE,
  'qzinstance',
  'qzboard',
  'qztag',
  'qzdomain-user',
  '02:aa:bb:77:66:55',
  'fd77::55',
];

const DETAIL = {
  networkCards: [
    {
      type: 'ethernet',
      mac: '02:aa:bb:77:66:55',
      addresses: [PRIVATE],
      connected: true,
      vendor: 'V',
      device: 'eth0',
    },
  ],
  addresses: ['fd77::55', PRIVATE],
  domainNames: ['example.com'],
  lastLogon: { source: 'console', user: 'qzdomain-user', time: START },
  volumes: [],
  disks: [],
  ramBytes: null,
  cpu: null,
  vendor: null,
  model: null,
  version: null,
  serial: 'qzboard',
  serviceTag: 'qztag',
  shellVersion: null,
  wmiIntegrity: null,
  wsus: null,
  autoUpdate: null,
  updateSource: null,
  distinguishedName: null,
};
const personal = (id: number) =>
  aDevice({
    id: deviceId(id),
    name: 'web-01',
    lastLoggedInUser: USER,
    serialNumber: SERIAL,
    addresses: [PUBLIC],
    privateAddresses: [PRIVATE],
    instanceId: 'qzinstance',
    detail: DETAIL,
  });

function aTown() {
  const { ports } = testPorts({
    devices: [
      personal(1001),
      personal(1002),
      ...Array.from({ length: 12 }, (_, at) => ({ ...personal(2000 + at), name: `db-${at}` })),
    ],
    groups: [aGroup()],
    packages: [aPackage()],
    events: [anEvent({ address: PRIVATE })],
  });
  const said: string[] = [];
  const say = (what: unknown): void => void said.push(JSON.stringify(what));
  const saidOf = <T>(what: unknown, value: T) => {
    say(what);
    return { kind: 'ok', value } as const;
  };
  const people = {
    roleOf: async (person: string) =>
      ({ kind: 'role', role: person === VIEWER ? 'viewer' : 'operator' }) as const,
    knownRoleOf: (person: string) =>
      ({ kind: 'role', role: person === VIEWER ? 'viewer' : 'operator' }) as const,
  };
  const web = createFakeWeb(() => START);
  const dispatch = createDispatch({
    registry,
    ports,
    personalFrom: 'operator',
    settings: createFakeSettings(),
    people,
    desk: {
      request: async ({ proposal }) => ({
        kind: 'asked',
        approval: anApproval({ command: proposal.command, targets: proposal.targets }),
        already: false,
      }),
      decide: async () => ({ kind: 'absent' }),
    },
    cards: {
      whenPosted: async () => ({ kind: 'posted', place: { channel: OPS, ts: messageTs('1.000001') } }),
    },
    web,
    approvalsChannel: OPS,
    root: '/fleet',
    admins: [],
    log: silentLog,
  });
  const forms = createForms({
    registry,
    ports,
    personalFrom: 'operator',
    people,
    settings: createFakeSettings(),
    admins: [],
    root: '/fleet',
    dispatch,
    inbox: { take: async () => undefined },
    tell: () => async (view) => say(render(view)),
    web: {
      openView: async (_id, window) => saidOf(window, 'V1'),
      pushView: async (_id, window) => saidOf(window, 'V2'),
      updateView: async (_id, window) => saidOf(window, null),
      redrawView: async (_id, window) => saidOf(window, 'h'),
    },
    kick: () => undefined,
    log: silentLog,
  });
  const shortcut = createShortcuts({
    dispatch,
    people,
    personalFrom: 'operator',
    admins: [],
    ports,
    store: { approvals: { get: async () => anApproval({ targets: [someFacts()] }) } },
    web: {
      openView: async () => ({ kind: 'ok', value: 'V1' }),
      updateView: async (_id, window) => saidOf(window, null),
    },
    directs: { to: async () => channelId('D0'), learn: () => undefined },
    openForm: forms.open,
    log: silentLog,
  });
  const share = createShare(dispatch, {
    say: async (_channel, message) => saidOf(message, { channel: OPS, ts: messageTs('1.1') }),
  });
  const exported = createExport({
    dispatch,
    web: {
      openDirect: async () => ({ kind: 'ok', value: channelId('D0') }),
      sendFile: async (_channel, file) => saidOf(file, null),
    },
    log: silentLog,
  });
  return { ports, dispatch, forms, shortcut, share, exported, said, say };
}

/** What the buttons of a message would run. */
function buttonsOf(view: View): readonly Extract<ButtonValue, { do: 'run' | 'device' }>[] {
  const values = [...JSON.stringify(render(view).blocks).matchAll(/"value":("(?:[^"\\]|\\.)*")/g)];
  return values.flatMap(([, json = '""']) => {
    const value = readButtonValue(String(JSON.parse(json)));
    return value?.do === 'run' || value?.do === 'device' ? [value] : [];
  });
}

const NAMED = ['web-01', '#1001', 'db-3'];
const PAGES = [
  '',
  ' facts',
  ' hardware',
  ' volumes',
  ' network',
  ' updates',
  ' policies',
  ' timeline',
  ' queue',
];
const ABOUT_ALL = [
  'devices',
  'devices sort:name',
  'devices sort:seen',
  'devices sort:group',
  'devices -sort:os',
];
const LINES = [
  ...NAMED.flatMap((name) => PAGES.map((page) => `device ${name}${page}`)),
  ...ABOUT_ALL,
  'devices sort:pending',
  ...registry.all().flatMap(({ examples }) => examples),
  ...NAMED.flatMap((name) => [
    `packages ${name}`,
    `queue ${name}`,
    `events ${name}`,
    `explain reboot ${name}`,
  ]),
  'explain patch #1001',
  'explain device-edit #1001 tag:x',
  'device-edit #1001 ip:10.0.0.1 because x',
  'reboot #1001 because x',
  'scan db-3',
  ...registry.all().map(({ name }) => name),
  ...registry.all().map(({ name }) => `help ${name}`),
];
/** A person's own words come back in answers: what is asked here is not looked for. */
const BY_PERSONAL = [
  [`devices ${USER}`, 'devices'],
  [`devices ${SERIAL}`, 'devices'],
  [`devices ${PUBLIC}`, 'devices'],
  ['devices 10.77.0.0/16', 'devices'],
  ['devices qzuse', 'devices'],
  ['devices qzusre', 'devices'],
] as const;

function leaks(said: readonly string[]): readonly string[] {
  return MARKS.filter((mark) => said.some((one) => one.toLowerCase().includes(mark.toLowerCase())));
}

describe('somebody below the role that sees what is personal', () => {
  it('is told nothing of it by any command, its buttons, files or what they share', async () => {
    const { dispatch, share, exported, said, say } = aTown();
    const caller = { person: VIEWER, channel: OPS };
    for (const text of LINES) {
      const view = await dispatch.text(text, caller, text);
      say(render(view));
      for (const value of buttonsOf(view).slice(0, 8)) {
        const again =
          value.do === 'run' ? value : { command: 'device', input: { device: value.device }, page: 0 };
        const order = {
          name: again.command,
          input: again.input,
          page: again.page ?? 0,
          caller,
          requestKey: 'k',
        };
        say(render(await dispatch.command(order)));
        say(await exported(order));
        const instead = await share(order);
        if (instead !== null) say(render(instead));
      }
    }
    expect(said.length).toBeGreaterThan(300);
    expect(leaks(said)).toEqual([]);
  }, 60_000);

  it('finds no device by it', async () => {
    const { dispatch } = aTown();
    const caller = { person: VIEWER, channel: OPS };
    for (const [text] of BY_PERSONAL) {
      expect(await dispatch.text(text, caller, 'k'), text).not.toMatchObject({
        view: { rows: [expect.anything()] },
      });
      const view = await dispatch.text(text, caller, 'k');
      expect(JSON.stringify(view), text).not.toMatch(/web-01|db-\d/);
    }
    for (const mark of [USER, SERIAL, PUBLIC, PRIVATE]) {
      expect(await dispatch.text(`device ${mark}`, caller, 'k'), mark).toMatchObject({
        problem: { kind: 'no-such-device' },
      });
    }
  });

  it.each([
    [`devices user:${USER}`, 'user:'],
    [`devices -serial:${SERIAL}`, 'serial:'],
    ['devices web or db ip:10.77.0.0/16', 'ip:'],
    ['preview ip:10.77', 'ip:'],
  ])('is told that %s is not answered', async (text, what) => {
    const view = await aTown().dispatch.text(text, { person: VIEWER, channel: OPS }, 'k');
    expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'personal', what, needed: 'operator' } });
  });

  it('is told nothing of it by forms, menus and shortcuts', async () => {
    const { forms, shortcut, said, say } = aTown();
    const caller = { person: VIEWER, channel: OPS };
    for (const { name, form } of registry.all()) {
      if (form === undefined) continue;
      for (const given of [{}, { device: 1001 }, { device: 'web-01' }, { device: USER }]) {
        const instead = await forms.open({ kind: 'open', triggerId: 't' }, { command: name, given, caller });
        if (instead !== null) say(render(instead));
      }
    }
    for (const text of ['web-01', '#1001 is slow']) {
      await shortcut({
        user: { id: VIEWER },
        callback_id: 'act_on_device',
        trigger_id: 't',
        channel: { id: OPS },
        message: { text },
      });
    }
    expect(said.length).toBeGreaterThan(50);
    const typed = said.filter((one) => !one.includes(`"given":{"device":"${USER}"`));
    expect(leaks(typed.map((one) => one.replaceAll(`\\"device\\":\\"${USER}\\"`, '')))).toEqual([]);
  });

  it('is offered no device by it while they type, but by its name', async () => {
    const { forms, ports } = aTown();
    await ports.inventory.snapshot();
    const offered = async (value: string) => {
      let found: readonly unknown[] = [];
      const payload = { user: { id: VIEWER }, action_id: 'search_device', value };
      await forms.suggest(payload, async (options) => {
        found = options;
      });
      return found.length;
    };
    expect(await offered('web-01')).toBe(2);
    for (const mark of [USER, SERIAL, PUBLIC, PRIVATE, 'qzus', '10.77.'])
      expect(await offered(mark), mark).toBe(0);
  });
});

describe('a channel', () => {
  const shared = async (isPersonal: (channel: typeof OPS) => boolean) => {
    const { dispatch } = aTown();
    const said: string[] = [];
    const say = async (_channel: typeof OPS, message: unknown) => {
      said.push(JSON.stringify(message));
      return { kind: 'ok', value: { channel: OPS, ts: messageTs('1.1') } } as const;
    };
    const share = createShare(dispatch, { say }, isPersonal);
    const caller = { person: OPERATOR, channel: OPS };
    for (const page of ['facts', 'hardware', 'network'])
      await share({ name: 'device', input: { device: 1001, page }, page: 0, caller, requestKey: 'k' });
    expect(said).toHaveLength(3);
    return leaks(said);
  };

  it('is shown nothing personal by those who may see it', async () => {
    expect(await shared(() => false)).toEqual([]);
  });

  it('that the policy file names is shown it', async () => {
    expect(await shared((channel) => channel === OPS)).toEqual(
      expect.arrayContaining([USER, SERIAL, PRIVATE]),
    );
  });

  it('is shown on the card of a request that somebody was logged in, and not who', () => {
    const view = {
      kind: 'approval',
      approval: anApproval({ targets: [someFacts({ lastLoggedInUser: USER })] }),
      operation: null,
    } as const;
    const card = JSON.stringify(render({ ...view, shared: true }));
    expect(card).toContain('Somebody, not named here');
    expect(card).not.toContain(USER);
    expect(JSON.stringify(render(view))).toContain(USER);
  });

  it('is shown on the card of an edit how many addresses change, and not which', () => {
    const editable = { customName: null, exception: false, tags: [], addresses: [PUBLIC], intoGroup: null };
    const approval = anApproval({
      command: { kind: 'device-edit', change: { addresses: [PRIVATE] } },
      targets: [someFacts({ editable })],
    });
    const view = { kind: 'approval', approval, operation: null } as const;
    const card = JSON.stringify(render({ ...view, shared: true }));
    expect(card).toContain('not shown here');
    expect(leaks([card])).toEqual([]);
    expect(leaks([JSON.stringify(render(view))])).toEqual([PUBLIC, PRIVATE]);
  });
});

describe('somebody who may see what is personal', () => {
  it('is shown it, and finds devices by it', async () => {
    const { dispatch, forms, ports } = aTown();
    const caller = { person: OPERATOR, channel: OPS };
    const answer = async (text: string) => JSON.stringify(render(await dispatch.text(text, caller, text)));
    expect(await answer('device #1001')).toContain(USER);
    expect(await answer('device #1001 hardware')).toContain(SERIAL);
    expect(await answer('device #1001 network')).toContain(PRIVATE);
    expect(await answer('device web-01')).toContain(SERIAL.toLowerCase());
    expect(await answer(`devices user:${USER}`)).toContain('14 devices');
    expect(await answer('explain reboot #1001')).toContain(USER);
    await ports.inventory.snapshot();
    await forms.suggest(
      { user: { id: OPERATOR }, action_id: 'search_device', value: USER },
      async (options) => {
        expect(options.length).toBe(14);
      },
    );
  });

  it('asks after somebody who may not, and the index still knows it', async () => {
    const { dispatch } = aTown();
    await dispatch.text('device #1001', { person: VIEWER, channel: OPS }, 'k');
    const view = await dispatch.text(
      `devices serial:${SERIAL} #1001`,
      { person: OPERATOR, channel: OPS },
      'k',
    );
    expect(view).toMatchObject({ view: { paging: { total: 1 } } });
  });
});
