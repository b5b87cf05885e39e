/** How a person uses each command on a phone: the words in its answer, and its form filled in. */
import type { FormEntries } from './phone-harness.ts';

/** How a form is opened; by default by typing the command alone. */
export type FormOpening =
  | { readonly typed: string }
  | { readonly helped: true }
  | { readonly shortcut: string };

export type FilledForm = {
  readonly open?: FormOpening;
  readonly entries: FormEntries;
  readonly shows: readonly string[];
  /** Words of the public card, by channel. */
  readonly card?: ExpectedCard;
};
export type ExpectedCard = { readonly in: 'ops' | 'approvals'; readonly holds: readonly string[] };
export type CommandUse = {
  /** Replaces the line from the table of all commands. */
  readonly line?: string;
  readonly shows: readonly string[];
  readonly card?: ExpectedCard;
  readonly form?: FilledForm;
};

const GROUP = 'Linux servers';
const SMB = 'Disable SMBv1';
const HELPED = { helped: true } as const;

const waits = (name: string): ExpectedCard => ({ in: 'approvals', holds: [name, 'Approve'] });
const acts = (name: string): ExpectedCard => ({ in: 'ops', holds: [name] });

const LOOKING: Readonly<Record<string, CommandUse>> = {
  device: {
    shows: ['web-01', 'Ubuntu 22.04', GROUP],
    form: { entries: { device: 'web-02' }, shows: ['web-02', '#4002'] },
  },
  devices: {
    shows: ['63 devices', 'app-01'],
    form: {
      open: { shortcut: 'Find a device' },
      entries: { device: 'db-02' },
      shows: ['db-02', '#4016'],
    },
  },
  packages: {
    shows: ['web-01', 'openssl', 'critical'],
    form: { entries: { device: 'web-02' }, shows: ['Packages for web-02'] },
  },
  missing: {
    line: 'missing openssl group:"Database servers"',
    shows: ['openssl', 'db-08'],
    form: {
      entries: { package: 'openssl', group: 'Database servers' },
      shows: ['openssl', 'Database servers'],
    },
  },
  queue: {
    shows: ['Queue for web-01'],
    form: { entries: { device: 'web-02' }, shows: ['Queue for web-02'] },
  },
  events: {
    shows: ['Events', SMB],
    form: { open: { typed: 'events name:' }, entries: { device: 'web-01' }, shows: ['Events', 'web-01'] },
  },
  groups: { shows: ['11 groups', 'Kiosks', 'Finance laptops'] },
  group: {
    shows: [GROUP, '63', '#3111'],
    form: { entries: { group: 'Kiosks' }, shows: ['Kiosks', '#3140'] },
  },
  policies: { shows: ['4 policies', SMB] },
  policy: {
    shows: [SMB, 'worklet'],
    form: { entries: { policy: 'Require VPN' }, shows: ['Require VPN client', '#2104'] },
  },
  compliance: { shows: ['Compliance', GROUP] },
  preview: {
    shows: ['26 devices', 'web-01'],
    form: { entries: { host: 'kiosk', os: 'Windows' }, shows: ['Preview', 'kiosk-01'] },
  },
  organization: { shows: ['Example Corporation', '240 devices'] },
  approvals: { shows: ['web-01', 'before it all'] },
  operations: { shows: ['web-02'] },
  audit: {
    line: 'audit device web-02',
    shows: ['Audit', 'scan'],
    form: {
      open: { typed: 'audit device' },
      entries: { device: 'web-02', days: '30 days' },
      shows: ['Audit', 'scan'],
    },
  },
  status: { shows: ['Slack', 'Database', '240 devices'] },
  explain: {
    shows: ['web-01', 'approver', 'Nothing was requested'],
    form: { entries: { line: 'scan web-02' }, shows: ['web-02', 'Nothing was requested'] },
  },
  help: { shows: ['/fleet device', 'Examples'] },
};

const CHANGING: Readonly<Record<string, CommandUse>> = {
  scan: {
    shows: ['app-02'],
    card: acts('app-02'),
    form: {
      entries: { device: 'build-02', reason: 'by hand' },
      shows: ['build-02'],
      card: { in: 'ops', holds: ['build-02', 'by hand'] },
    },
  },
  patch: {
    shows: ['app-03', 'Approval requested'],
    card: waits('app-03'),
    form: {
      entries: { device: 'build-02', packages: 'openssl' },
      shows: ['build-02', 'Approval requested'],
      card: { in: 'approvals', holds: ['build-02', 'openssl', 'Approve'] },
    },
  },
  reboot: {
    shows: ['web-04', 'Approval requested'],
    card: waits('web-04'),
    form: {
      entries: { device: 'web-07', reason: 'kernel' },
      shows: ['web-07', 'Approval requested'],
      card: waits('web-07'),
    },
  },
  'policy-test': {
    shows: ['win-fs-01'],
    card: acts('win-fs-01'),
    form: { entries: { device: 'win-ts-02', policy: SMB }, shows: ['win-ts-02'], card: acts('win-ts-02') },
  },
  'policy-remediate': {
    shows: ['win-ts-03', 'Approval requested'],
    card: waits('win-ts-03'),
    form: {
      entries: { device: 'win-fs-03', policy: SMB, reason: 'audit' },
      shows: ['win-fs-03', 'Approval requested'],
      card: waits('win-fs-03'),
    },
  },
  'policy-run': {
    shows: ['Require VPN client', 'Approval requested'],
    card: waits('audit one'),
    form: {
      entries: { policy: 'Require VPN client', reason: 'audit' },
      shows: ['Approval was already requested', 'Require VPN client'],
    },
  },
  'device-edit': {
    line: 'device-edit kiosk-01 name:"Desk of kiosk-01" because it moved',
    shows: ['kiosk-01'],
    card: acts('Edit kiosk-01'),
    form: {
      entries: { device: 'kiosk-02', tags: 'lobby', exception: 'Excluded', reason: 'it moved' },
      shows: ['kiosk-02', 'Approval requested'],
      card: { in: 'approvals', holds: ['kiosk-02', 'lobby'] },
    },
  },
  'group-create': {
    shows: ['Lab A', 'Approval requested'],
    card: waits('Lab A'),
    form: {
      entries: {
        name: 'Lab B',
        parent: 'Servers',
        every: '12 hours',
        notes: 'new rooms',
        reason: 'they opened',
      },
      shows: ['Lab B', 'Approval requested'],
      card: { in: 'approvals', holds: ['Lab B', 'new rooms'] },
    },
  },
  'policy-create': {
    shows: ['Night A', 'Approval requested'],
    card: waits('Night A'),
    form: {
      entries: {
        name: 'Night B',
        severity: ['Critical', 'High'],
        groups: ['Kiosks'],
        days: ['Sunday'],
        time: '02:15',
        flags: ['Automatic reboot'],
        defer: '2, 6',
        reason: 'a quiet hour',
      },
      shows: ['Night B', 'Approval requested'],
      card: {
        in: 'approvals',
        holds: ['Night B', 'only critical and high severity', '02:15', '2 and 6 hours'],
      },
    },
  },
  'policy-edit': {
    line: 'policy-edit "Apply Critical Patches" time:03:30 because a quiet hour',
    shows: ['Apply Critical Patches', 'Approval requested'],
    card: waits('Apply Critical Patches'),
    form: {
      entries: { policy: 'Require VPN client', time: '04:45', reason: 'a quiet hour' },
      shows: ['Require VPN client', 'Approval requested'],
      card: { in: 'approvals', holds: ['Require VPN client', '00:00 → 04:45'] },
    },
  },
  'device-remove': {
    line: 'device-remove desk-99',
    shows: ['No device', 'desk-99'],
    form: {
      entries: { device: 'desk-01', confirm: 'desk-01', reason: 'retired' },
      shows: ['desk-01', 'Approval requested'],
      card: waits('Remove the device desk-01'),
    },
  },
  'group-remove': {
    line: 'group-remove default',
    shows: ['The Default Group can’t be removed'],
    form: {
      entries: { group: 'Finance laptops', confirm: 'Finance laptops', reason: 'it’s empty' },
      shows: ['Finance laptops', 'Approval requested'],
      card: waits('Remove the group Finance laptops'),
    },
  },
  'group-edit': {
    line: 'group-edit "Database servers" every:12h because audit',
    shows: ['Database servers', 'Approval requested'],
    card: waits('Database servers'),
    form: {
      entries: { group: 'Macs', every: '8 hours', reason: 'audit' },
      shows: ['Macs', 'Approval requested'],
      card: waits('Macs'),
    },
  },
};

const SETTING: Readonly<Record<string, CommandUse>> = {
  alerts: { shows: ['Alerts', 'web-01'] },
  acknowledge: {
    shows: ['You acknowledged'],
    form: { entries: { alert: 'build-04' }, shows: ['You acknowledged'] },
  },
  subscribe: {
    shows: ['Patch failed'],
    form: {
      entries: { where: 'Only to me', events: ['Patch failed', 'Device added'] },
      shows: ['Patch failed', 'Device added'],
    },
  },
  unsubscribe: {
    shows: ['User added'],
    form: { entries: { which: 'Device added' }, shows: ['Device added'] },
  },
  subscriptions: { shows: ['User added'] },
  silence: {
    shows: ['Alerts silenced until', 'app-05'],
    form: {
      entries: { device: 'app-06', lasts: '8 hours', reason: 'it moves' },
      shows: ['Alerts silenced until', 'app-06'],
    },
  },
  alias: {
    shows: ['saved', 'one'],
    form: { open: HELPED, entries: { name: 'two', line: 'device web-01' }, shows: ['saved', 'two'] },
  },
  save: {
    shows: ['saved', 'one'],
    form: { entries: { name: 'two', line: 'web os:linux' }, shows: ['saved', 'two'] },
  },
  saved: { shows: ['one', 'web os:linux'] },
  timezone: {
    shows: ['Europe/Berlin'],
    form: { open: HELPED, entries: { zone: 'new york' }, shows: ['America/New_York'] },
  },
  pause: {
    shows: ['paused'],
    form: { open: HELPED, entries: { reason: 'the data center moves' }, shows: ['paused'] },
  },
  'accept-removals': { shows: ['There’s nothing to accept'] },
};

/** By the command's name. */
export const COMMAND_USES: Readonly<Record<string, CommandUse>> = { ...LOOKING, ...CHANGING, ...SETTING };
