/** Every line that help shows is accepted: every usage in every variant, and every example. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/commands/core/command.ts';
import { registry } from '../../src/commands/index.ts';
import { createLineParser } from '../../src/commands/parser/line-parser.ts';
import { readDetail } from '../../src/fleet/schema/device.ts';
import { channelId, deviceId, groupId, personId, policyId } from '../../src/lib/ids.ts';
import type { Problem, View } from '../../src/views/views.ts';
import { aDevice, aGroup, anOrganization, aPackage, aPolicy } from '../harness/builders.ts';
import { anAlert } from '../harness/records.ts';
import { createFakeSettings } from './harness/fake-settings.ts';
import { testPorts } from './harness/ports.ts';

const ME = personId('UOPERATOR');
const LINUX = groupId(3_111);
const POLICIES = [
  aPolicy({ id: policyId(2_101), groupIds: [LINUX] }),
  aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', groupIds: [LINUX] }),
  aPolicy({ id: policyId(2_104), name: 'Require VPN client', type: 'required_software', groupIds: [LINUX] }),
];
const NAMES = ['web-01', 'win-ts-01', 'front network', 'web-02'];
const CONTENT = {
  devices: NAMES.map((name, at) =>
    aDevice({
      id: deviceId(1_042 + at),
      name,
      groupId: LINUX,
      tags: ['web', 'old'],
      detail: readDetail({ PS_VERSION: '5.1.20348' }, null),
      osFamily: at === 1 ? 'Windows' : at === 2 ? 'Mac' : 'Linux',
      policies: POLICIES,
    }),
  ),
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: LINUX, parentId: groupId(1), policyIds: [policyId(2_104)] }),
    aGroup({ id: groupId(3_112), name: 'Web servers', parentId: groupId(1), policyIds: [policyId(2_103)] }),
  ],
  packages: [
    aPackage({ severity: 'critical', cves: ['CVE-2026-0001', 'CVE-2026-1234'] }),
    aPackage({ id: 502, name: 'example-browser', displayName: 'Example Browser', severity: 'high' }),
    aPackage({ id: 503, name: 'curl', displayName: 'curl', severity: 'medium' }),
    aPackage({ id: 504, name: 'vim', displayName: 'vim', severity: 'low' }),
  ],
  policies: POLICIES,
  organizations: [anOrganization()],
};

/** Values by command, then by key, then for anything. */
const FILLS: Readonly<Record<string, string>> = {
  'group NAME': '"Linux servers"',
  'group #ID': '#3111',
  'group-edit NAME': '"Web servers"',
  'group-edit #ID': '#3112',
  'group-remove NAME': '"Web servers"',
  'group-remove #ID': '#3112',
  'group-create NAME': '"New site"',
  'policy-edit NAME': '"Apply All Patches"',
  'policy-edit #ID': '#2101',
  'policy-create NAME': '"Weekly patches"',
  TEXT: '"Please save your work"',
  MINUTES: '30',
  'zone:UTC': 'UTC',
  'policy NAME': '"Apply All Patches"',
  'policy #ID': '#2101',
  'policy-test policy:NAME': '"Disable SMBv1"',
  'policy-test policy:#ID': '#2103',
  'policy-run NAME': '"Require VPN client"',
  'policy-run #ID': '#2104',
  'policy-remediate policy:NAME': '"Require VPN client"',
  'policy-remediate policy:#ID': '#2104',
  'group-edit policy:NEW': '"Apply All Patches"',
  'group-edit policy:OLD': '"Disable SMBv1"',
  'wsus:ADDRESS': 'http://wsus.example:8530',
  'alias COMMAND': 'devices is:online',
  'explain COMMAND': 'reboot web-01',
  'help COMMAND': 'device',
  'save NAME': 'web',
  'alias NAME': 'lr',
  'audit NAME': 'web-01',
  'operations ID': 'r_01kq',
  'device-edit FILTERS': 'os:linux',
  OPTIONS: 'waves:1,25% wait:10m brake:2 gate:manual offline:skip',
  'group:NAME': '"Linux servers"',
  'group:#ID': '#3111',
  'parent:GROUP': '"Linux servers"',
  'policy:NAME': '"Apply All Patches"',
  'policy:#ID': '#2101',
  'fails:NAME': '"Apply All Patches"',
  'fails:#ID': '#2101',
  'os:NAME': 'Linux',
  'tag:NAME': 'web',
  'tag:NEW': 'dmz',
  'tag:OLD': 'old',
  'tag:TEXT': 'web',
  'ou:TEXT': 'Servers',
  'in:NAME': 'kept',
  'user:NAME': 'deploy',
  'user:#ID': '#5',
  'name:NEW': '"Front door"',
  'name:EVENT': 'patch-failed',
  'color:NAME': '"Utah Clay"',
  'color:#RRGGBB': '#3366ff',
  'ip:ADDRESS': '10.0.0.10',
  'ip:NETWORK': '10.0.0.0/16',
  'ip:TEXT': '10.0.',
  'host:TEXT': 'web',
  'notes:TEXT': '"of Ann"',
  'serial:TEXT': 'SN-1',
  'version:ID': '4737',
  'version:AGENT': '2',
  'version:SYSTEM': '24.04',
  'powershell:VERSION': '5.1',
  'cve:CVE-…': 'CVE-2026-0001',
  'CVE-…': 'CVE-2026-0001',
  'missing:CVE-…': 'CVE-2026-0001',
  'missing:PACKAGE': 'openssl',
  'missing:SEVERITY': 'critical',
  'device:NAME': 'web-01',
  'device:#ID': '#1042',
  'days:N': '3',
  'until:DATE': '2026-03-05',
  'silence:N': '3',
  NAME: 'web-01',
  '#ID': '#1042',
  PACKAGE: 'openssl',
  EVENTS: 'patch failures',
  FILTERS: 'os:linux is:online',
  REASON: 'kernel update',
  ZONE: 'Europe/Berlin',
  N: '3',
  '#CHANNEL': '#ops',
  ALERT: '70001',
};
const fillOf =
  (command: string): UsageValues =>
  (placeholder, key) => {
    const typed = key === null ? placeholder : `${key}:${placeholder}`;
    const found =
      FILLS[`${command} ${typed}`] ??
      FILLS[typed] ??
      (command.startsWith('policy-') ? FILLS[placeholder] : undefined);
    if (found === undefined) throw new Error(`nothing is known for ${typed} of ${command}`);
    return found;
  };

const LINES = registry
  .all()
  .flatMap(({ name, usage, examples }) =>
    [...new Set([...usageLines(usage, fillOf(name)), ...examples])].map((line) => [line, name] as const),
  );

async function understood(line: string) {
  const alert = anAlert();
  const settings = createFakeSettings({ ofEvent: async () => alert, shown: async () => alert });
  for (const name of ['lr', 'web']) {
    await settings.aliases.save({ owner: ME, by: ME, name, line: 'devices' });
    await settings.saved.save({ owner: ME, by: ME, name: name === 'lr' ? 'kept' : name, line: 'is:online' });
  }
  for (const named of [settings.aliases, settings.saved])
    for (const name of ['lr', 'web']) await named.save({ owner: null, by: ME, name, line: 'devices' });
  const reading = await createLineParser({ registry, settings })(line, ME);
  const parsed = reading.kind === 'kept' ? reading.parsed : reading;
  return { asked: parsed, settings };
}

/** All their arguments are optional: their form asks for them. */
const FORMS = [
  'preview',
  'device-edit web-01',
  'device-edit #1042',
  'device-edit os:linux',
  'device-edit web-01 waves:1,25% wait:10m brake:2 gate:manual offline:skip',
  'device-edit web-01 because kernel update',
  'group-edit "Web servers"',
  'group-edit #3112',
  'group-edit "Web servers" because kernel update',
  'policy-edit "Apply All Patches"',
  'policy-edit #2101',
  'policy-create "Weekly patches" days:mon,thu',
  'policy-create "Weekly patches" days:weekdays',
  'policy-create "Weekly patches" days:every',
  'policy-create "Weekly patches" time:02:00',
  'policy-edit "Apply All Patches" because kernel update',
];

/** These would change alerts of channels; their own tests try them. */
const OF_ALERTS = ['acknowledge', 'subscribe', 'unsubscribe', 'silence'];

async function answered(command: Command, input: unknown, settings: ReturnType<typeof createFakeSettings>) {
  const { ports } = testPorts(CONTENT);
  switch (command.kind) {
    case 'read':
      return command.run(input, 0, ports);
    case 'setting': {
      if (OF_ALERTS.includes(command.name)) return null;
      const more = { settings, refusal: async () => null, channel: channelId('C0OPS') };
      return command.run(input, 0, { ...ports, ...more });
    }
    case 'write': {
      const plan = await command.plan(input, ports);
      return plan.kind === 'proposal' ? null : plan.kind === 'view' ? plan.view : wrong(plan.problem);
    }
  }
}

function wrong(problem: Problem): View {
  return { kind: 'problem', problem };
}

describe('every line that help shows', () => {
  it('is many lines', () => {
    expect(LINES.length).toBeGreaterThan(150);
  });

  it.each(LINES)('“%s” is answered', async (line, name) => {
    const { asked, settings } = await understood(line);
    if (asked.kind !== 'command' && asked.kind !== 'fill-in') throw new Error(JSON.stringify(asked));
    expect(asked.command.name).toBe(name);
    if (asked.kind === 'fill-in') return expect(FORMS).toContain(line);
    const view = await answered(asked.command, asked.input, settings);
    // An edit to the current value is still understood.
    const isWrong = view?.kind === 'problem' && view.problem.kind !== 'already-so';
    expect(isWrong ? view.problem : null).toBeNull();
  });
});

describe('the lines of a usage', () => {
  it.each([
    ['x NAME|#ID [a|b]', ['x name', 'x #id', 'x name a', 'x name b']],
    ['x [is:a|b]', ['x', 'x is:a', 'x is:b']],
    ['x GO [because REASON] | off', ['x go', 'x go because reason', 'x off']],
    ['x [device NAME|#ID]', ['x', 'x device name', 'x device #id']],
    ['x [for 2h|until 18:00]', ['x', 'x for 2h', 'x until 18:00']],
    [
      'x [[shared] NAME = COMMAND …] | [remove NAME]',
      [...['x', 'x name = command', 'x shared name = command'], ...['x', 'x remove name']],
    ],
    ['x [-tag:OLD]', ['x', 'x -tag:old']],
  ])('%s', (usage, lines) => {
    expect(usageLines(usage, (placeholder) => placeholder.toLowerCase())).toEqual(lines);
  });
});

/** Lines that follow a usage text. */

/** Replaces a placeholder in capitals, given the key before it. */
type UsageValues = (placeholder: string, key: string | null) => string;

/**
 * Lines that a usage allows: one without optional parts, then one for each optional part and each alternative. ` | `
 * separates whole lines; `[…]` is optional; `|` inside a word or brackets separates alternatives.
 */
function usageLines(usage: string, fill: UsageValues): readonly string[] {
  const [name = ''] = usage.split(' ');
  return splitTopLevel(usage.slice(name.length).trim(), ' | ').flatMap((whole) =>
    variants(whole).map((rest) => `${name} ${fillUsage(rest, fill)}`.trim()),
  );
}

/** Splits at `by`, outside of brackets. */
function splitTopLevel(text: string, by: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1;
    if (text[at] === ']') depth -= 1;
    if (depth === 0 && text.startsWith(by, at)) {
      parts.push('');
      at += by.length - 1;
    } else parts.push(`${parts.pop()}${text[at]}`);
  }
  return parts;
}

/**
 * The first alternative of each choice without optional parts, then each other alternative and each optional part
 * alone.
 */
function variants(sequence: string): readonly string[] {
  const items = splitTopLevel(sequence, ' ').filter((item) => item !== '');
  const all = items.map((item) =>
    item.startsWith('[') ? choices(item.slice(1, -1)).flatMap(variants) : choices(item),
  );
  const plainest = items.map((item, at) => (item.startsWith('[') ? '' : (all[at]?.[0] ?? '')));
  const others = all.flatMap((each, at) => each.map((one) => plainest.with(at, one)));
  const lines = [plainest, ...others].map((words) => words.filter((word) => word !== '').join(' '));
  return [...new Set(lines)];
}

/** `is:a|b` is `is:a` or `is:b`, `PACKAGE|cve:CVE` is either, `device NAME|#ID` is `device` with either. */
function choices(text: string): readonly string[] {
  const [first = '', ...others] = splitTopLevel(text, '|');
  const before = /^[a-z]+ (?=[^ ]+$)/.exec(first)?.[0] ?? '';
  if (before !== '' && others.length > 0 && others.every((one) => !one.includes(' ')))
    return choices(text.slice(before.length)).map((one) => `${before}${one}`);
  const key = /^[a-z-]+:/.exec(first)?.[0] ?? '';
  return [first, ...others.map((one) => (/^[a-z-]+:/.test(one) ? one : `${key}${one}`))];
}

function fillUsage(line: string, fill: UsageValues): string {
  return line
    .replaceAll(' …', '')
    .replaceAll(
      /(?:([a-z-]+):)?(#?[A-Z]+(?:-…)?)/g,
      (_whole, key: string | undefined, placeholder: string) =>
        `${key === undefined ? '' : `${key}:`}${fill(placeholder, key?.replace(/^-/, '') ?? null)}`,
    );
}
