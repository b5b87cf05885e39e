/** A bot whose devices have something personal in every field, and everything that it says. */
import type { Role } from '../../src/access.ts';
import { registry } from '../../src/commands/index.ts';
import { channelId, deviceId, messageTs, personId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import { createForms } from '../../src/slack/forms/forms.ts';
import { createInFlight } from '../../src/slack/in-flight.ts';
import { createExport } from '../../src/slack/sharing/export.ts';
import { createShare } from '../../src/slack/sharing/share.ts';
import { createShortcuts } from '../../src/slack/shortcuts/shortcuts.ts';
import { render } from '../../src/views/render.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { aDevice, aGroup, anEvent, aPackage, START } from '../harness/builders.ts';
import { anApproval, someFacts } from '../harness/records.ts';
import { allInternal, unnoted } from './doors.ts';
import { createFakeWeb } from './fake-web.ts';
import { createFakeWork } from './forms/fake-work.ts';

export const VIEWER = personId('UVIEWER');
export const OPERATOR = personId('UOPERATOR');
export const OPS = channelId('C0OPS');
export const USER = 'qzuser';
export const SERIAL = 'QZSERIAL-77';
export const PUBLIC = '198.51.100.77';
export const PRIVATE = '10.77.66.55';

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

export const roleIn = (person: string): Role => (person === VIEWER ? 'viewer' : 'operator');

/** `role` is asked each time: roles come and go. */
export function aTown(role: (person: string) => Role | null = roleIn) {
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
    roleOf: async (person: string) => ({ role: role(person), maybe: null }) as const,
    knownRoleOf: (person: string) => ({ role: role(person), maybe: null }) as const,
  };
  const web = createFakeWeb(() => START);
  const dispatch = createDispatch({
    noted: unnoted,
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
    noted: unnoted,
    registry,
    ports,
    personalFrom: 'operator',
    people,
    settings: createFakeSettings(),
    admins: [],
    inFlight: createInFlight(),
    root: '/fleet',
    dispatch,
    store: { work: createFakeWork().work },
    whisper: async (_caller, message) => say(message),
    direct: async (_caller, message) => {
      say(message);
      return true;
    },
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
    noted: unnoted,
    dispatch,
    inFlight: createInFlight(),
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
    tell: () => async (view) => say(render(view)),
    log: silentLog,
  });
  const share = createShare(
    dispatch,
    {
      say: async (_channel, message) => saidOf(message, { channel: OPS, ts: messageTs('1.1') }),
    },
    allInternal,
  );
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

export function leaks(said: readonly string[]): readonly string[] {
  return MARKS.filter((mark) => said.some((one) => one.toLowerCase().includes(mark.toLowerCase())));
}
