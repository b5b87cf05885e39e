/** A bot whose devices have personal data in every field, and everything that it sends. */

import { registry } from '../../../src/commands/index.ts';
import type { Role } from '../../../src/lib/access.ts';
import { channelId, deviceId, messageTs, personId } from '../../../src/lib/ids.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import { createInFlight } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createFormMark } from '../../../src/slack/forms/form-payloads.ts';
import { createForms } from '../../../src/slack/forms/forms.ts';
import { createExportList, createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { createShortcuts } from '../../../src/slack/shortcuts/shortcuts.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { renderView } from '../../../src/views/views.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, anEvent, aPackage, NO_DETAIL, START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest } from '../../harness/records.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { acknowledging } from './decision-windows.ts';
import { createFakeSlackWeb } from './fake-slack-web.ts';
import { noExternalChannels, withoutRecording } from './open-access.ts';
import { createTestDispatch } from './test-dispatch.ts';

export const VIEWER = personId('UVIEWER');
export const OPERATOR = personId('UOPERATOR');
export const OPS = channelId('C0OPS');
export const USER = 'qzuser';
export const SERIAL = 'QZSERIAL-77';
export const PUBLIC = '198.51.100.77';
export const PRIVATE = '10.77.66.55';

const MAC = '02:aa:bb:77:66:55';
const MARKS = [
  USER,
  SERIAL,
  PUBLIC,
  PRIVATE,
  MAC,
  'fd77::55',
  'qzinstance',
  'qzboard',
  'qztag',
  'qzdomain-user',
];

const DETAIL = {
  ...NO_DETAIL,
  networkCards: [
    { type: 'ethernet', mac: MAC, addresses: [PRIVATE], connected: true, vendor: 'V', device: 'eth0' },
  ],
  addresses: ['fd77::55', PRIVATE],
  domainNames: ['example.com'],
  lastLogon: { source: 'console', user: 'qzdomain-user', time: START },
  serial: 'qzboard',
  serviceTag: 'qztag',
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

/** `role` is read each time, because roles change. */
export function createPersonalDataBot(role: (person: string) => Role | null = roleIn) {
  /** What was requested, the newest first. */
  const stored: RequestWithTargets[] = [];
  const content = {
    devices: [
      personal(1001),
      personal(1002),
      ...Array.from({ length: 12 }, (_, at) => ({ ...personal(2000 + at), name: `db-${at}` })),
    ],
    groups: [aGroup()],
    packages: [aPackage()],
    events: [anEvent({ address: PRIVATE })],
  };
  const { ports } = testPorts(content, { requests: stored });
  const said: string[] = [];
  const say = (what: unknown): void => void said.push(JSON.stringify(what));
  const saidOf = <T>(what: unknown, value: T) => {
    say(what);
    return { kind: 'ok', value } as const;
  };
  const people = {
    roleOf: async (person: string) => ({ role: role(person), maybe: null }) as const,
    knownRoleOf: (person: string) => ({ role: role(person), maybe: null }) as const,
    ...NO_GROUPS,
  };
  const web = createFakeSlackWeb(() => START);
  const { dispatch } = createTestDispatch({
    requests: {
      record: async ({ proposal }) => {
        const targets = proposal.targets.map(aReadyTarget);
        const request = aRequest({ action: proposal.command, targets });
        stored.unshift(request);
        return { kind: 'recorded', request, already: false };
      },
      withdraw: async () => ({ kind: 'absent' }),
      control: async () => ({ kind: 'absent' }),
    },
    given: { ports, personalFrom: 'operator', people, web, admins: () => [] },
  });
  const forms = createForms({
    formMark: createFormMark(secret('xapp-1')),
    recordRefusal: withoutRecording,
    registry,
    ports,
    personalFrom: 'operator',
    people,
    settings: createFakeSettings(),
    admins: () => [],
    inFlight: createInFlight(),
    root: '/fleet',
    dispatch,
    inbox: acknowledging(),
    reply: () => async (view) => say(renderView(view)),
    web: { showView: async (_where, window) => saidOf(window, { id: 'V1', hash: 'h' }) },
    log: silentLog,
  });
  const shortcut = createShortcuts({
    recordRefusal: withoutRecording,
    dispatch,
    inFlight: createInFlight(),
    people,
    personalFrom: 'operator',
    admins: () => [],
    ports,
    store: { targets: { of: async () => [aReadyTarget()] } },
    web: { showView: async (_where, window) => saidOf(window, { id: 'V1', hash: 'h' }) },
    directs: { channelOf: async () => channelId('D0'), remember: () => undefined },
    openForm: forms.open,
    reply: () => async (view) => say(renderView(view)),
    log: silentLog,
  });
  const share = createShareAnswer(
    dispatch,
    { say: async (_channel, message) => saidOf(message, { channel: OPS, ts: messageTs('1.1') }) },
    noExternalChannels,
  );
  const exported = createExportList({
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
