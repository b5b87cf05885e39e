import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLORS,
  colorName,
  colorValue,
  countSeverities,
  hasSeverity,
  isColor,
  packageState,
  severityRank,
  systemName,
} from '../../../src/fleet/model/derived-fields.ts';
import {
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  eventKindOf,
  LOG_EVENT_NAMES,
} from '../../../src/fleet/model/event-kinds.ts';
import {
  policyIdOf,
  policyName,
  policyStatusOf,
  toPolicyFacts,
} from '../../../src/fleet/model/policy-status.ts';
import { isMissing, type Policy } from '../../../src/fleet/model/resources.ts';
import { instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { aDevice, aPackage, aPolicy, aPolicyStatus, START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';

describe('the name of a system', () => {
  it.each([
    ['Windows', '11 Pro', '23H2', 'Windows 11 Pro 23H2'],
    ['Windows', 'Server 2022 Standard', null, 'Windows Server 2022 Standard'],
    ['WINDOWS', '11 Pro', null, 'Windows 11 Pro'],
    ['Windows', 'Windows 11 Pro', null, 'Windows 11 Pro'],
    ['Windows', 'windows 10', '', 'windows 10'],
    ['Windows', null, '10.0.20348', 'Windows 10.0.20348'],
    ['Windows', '', '', 'Windows'],
    ['Linux', 'Ubuntu', '24.04', 'Ubuntu 24.04'],
    ['Mac', 'macOS', '15.1', 'macOS 15.1'],
    [null, '11 Pro 23H2', null, 'Windows 11 Pro 23H2'],
    [null, '10 Enterprise LTSC', '10.0.19044', 'Windows 10 Enterprise LTSC 10.0.19044'],
    ['', 'Server 2022 Standard 21H2', null, 'Windows Server 2022 Standard 21H2'],
    [null, 'Windows 11 Pro', null, 'Windows 11 Pro'],
    ['Linux', 'Server 2022', null, 'Server 2022'],
    [null, '11 bullseye', null, '11 bullseye'],
    [null, '10.15.7', null, '10.15.7'],
    [null, 'Ubuntu Server 2022', null, 'Ubuntu Server 2022'],
    [null, 'Haiku', null, 'Haiku'],
    [null, null, null, null],
    ['', '', '', null],
  ])('of family %s, name %s and version %s is %s', (osFamily, osName, osVersion, expected) => {
    expect(systemName({ osFamily, osName, osVersion })).toBe(expected);
  });
});

describe('the state of a package', () => {
  it.each([
    ['missing', {}],
    ['missing', { deferredUntil: START }],
    ['deferred', { deferredUntil: later(START, 1) }],
    ['ignored', { ignored: true }],
    ['ignored', { ignored: true, deferredUntil: later(START, 1) }],
    ['installed', { installed: true }],
    ['installed', { installed: true, ignored: true, deferredUntil: later(START, 1) }],
  ] as const)('is %s with %o', (state, over) => {
    expect(packageState(aPackage(over), START)).toBe(state);
  });

  const anyPackage = fc.record({
    installed: fc.boolean(),
    ignored: fc.boolean(),
    deferredUntil: fc.option(fc.integer({ min: -5, max: 5 }).map((ms) => instant(START + ms))),
  });
  property([anyPackage])('is “missing” exactly when the package is missing', (over) => {
    const item = aPackage(over);
    expect(packageState(item, START) === 'missing').toBe(isMissing(item, START));
  });
});

describe('severities', () => {
  it('are ordered from the worst to missing ones', () => {
    const words = ['critical', 'High', 'medium', 'low', 'no_known_cves', 'a new word', '', null];
    const ranks = words.map(severityRank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(ranks.slice(0, 6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(ranks[6]).toBe(ranks[7]);
  });

  it('are counted, worst first, with missing ones separate', () => {
    const items = ['low', null, 'critical', '', 'low'].map((severity) => ({ severity }));
    expect(countSeverities(items)).toEqual([
      { severity: 'critical', count: 1 },
      { severity: 'low', count: 2 },
      { severity: null, count: 2 },
    ]);
  });

  it('match in any capitalization, and never without a severity', () => {
    expect(hasSeverity({ severity: 'Critical' }, ['critical'])).toBe(true);
    expect(hasSeverity({ severity: 'high' }, ['critical', 'low'])).toBe(false);
    expect(hasSeverity({ severity: null }, ['critical'])).toBe(false);
  });
});

/** The table of §2.1. */
const DOCUMENTED = [
  ['Pine Green', '#059F1D'],
  ['Salmon', '#CC6666'],
  ['Lemonade', '#E9FF03'],
  ['Bubblegum', '#FFa4c0'],
  ['Colorado Snow', '#FFFFFF'],
  ['Battleship Hull', '#61666F'],
  ['Utah Clay', '#D78500'],
  ['Electric Violet', '#BD0FE1'],
  ['Forgot Sunscreen', '#F65C23'],
];

describe('the colors of groups', () => {
  it('are those of the interface, in order', () => {
    expect(COLORS.map(({ name, value }) => [name, value])).toEqual(DOCUMENTED);
  });

  it.each(DOCUMENTED)('%s is the name of %s, however it is capitalized', (name, value) => {
    expect([value, value?.toLowerCase(), value?.toUpperCase()].map((form) => colorName(form ?? ''))).toEqual([
      name,
      name,
      name,
    ]);
    expect(colorValue(` ${name?.toLowerCase()} `)).toBe(value);
  });

  it.each(['#123456', '', 'red', '#059F1'])('shows the unknown color "%s" as the first one', (value) => {
    expect(colorName(value)).toBe('Pine Green');
  });

  it('has no name without a color', () => {
    expect(colorName(null)).toBeNull();
  });

  it.each([
    ['#059F1D', true],
    ['#ffa4c0', true],
    ['059F1D', false],
    ['#059F1', false],
    ['#059F1D0', false],
    ['#05 F1D', false],
    ['#05GF1D', false],
    ['', false],
  ])('"%s" is of the form #RRGGBB: %s', (text, expected) => {
    expect(isColor(text)).toBe(expected);
  });

  it('accepts any value of that form, and no other text', () => {
    expect(colorValue('#123456')).toBe('#123456');
    expect(colorValue('a nice green')).toBeNull();
  });
});

describe('the kinds of events', () => {
  /** All names of §6. */
  const NAMES = [
    'org.exceeded_endpoint_limit',
    'saml.user.create',
    'slack.app.added',
    'slack.app.reinstalled',
    'system.add',
    'system.delete',
    'system.group.action',
    'system.notification.response',
    'system.notification.sent',
    'system.patch.applied',
    'system.patch.failed',
    'system.patch.uninstall',
    'system.policy.action',
    'user.create',
    'user.login',
    'user.logout',
    'user.removed',
  ];

  it.each(NAMES)('%s has a kind', (name) => {
    expect(eventKindOf({ name, exitCode: null })).not.toBeNull();
  });

  it('are those of all names of the log, and of no others', () => {
    expect(LOG_EVENT_NAMES).toEqual(NAMES);
  });

  it('every kind has an event', () => {
    const told = LOG_EVENT_NAMES.flatMap((name) => [0, 1].map((exitCode) => eventKindOf({ name, exitCode })));
    expect([...new Set(told)].sort()).toEqual([...EVENT_KIND_NAMES].sort());
  });

  it('no two kinds have a name in common', () => {
    const names = EVENT_KIND_NAMES.flatMap((kind) => {
      const { one, many, also } = EVENT_KINDS[kind];
      return [one, many, ...also].map((name) => name.toLowerCase());
    });
    expect(new Set(names).size).toBe(names.length);
  });
});

const ID = policyId(12);
const remediate = { kind: 'policy-remediate', policyId: ID } as const;

const harden = (change: Partial<Policy> = {}) =>
  aPolicy({ id: ID, name: 'Harden SSH well', type: 'required_software', ...change });

describe('the policy of a command', () => {
  it.each([
    [{ kind: 'policy-test', policyId: ID }, ID],
    [remediate, ID],
    [{ kind: 'scan' }, null],
    [{ kind: 'patch', packages: ['openssl'] }, null],
  ] as const)('of %j is %j', (command, id) => {
    expect(policyIdOf(command)).toBe(id);
  });
});

describe('the status of a device under a policy', () => {
  it('is its newest entry; one without a time counts as the oldest', () => {
    const newest = aPolicyStatus({ status: 1, createTime: later(START, MINUTE) });
    const others = [
      aPolicyStatus({ createTime: null }),
      aPolicyStatus(),
      newest,
      aPolicyStatus({ policyId: policyId(13) }),
    ];
    expect(policyStatusOf(aDevice({ policyStatuses: others }), ID)).toBe(newest);
  });

  it('is unknown when only other policies, or none, are listed', () => {
    expect(policyStatusOf(aDevice({ policyStatuses: [] }), ID)).toBeNull();
    const others = [aPolicyStatus({ policyId: null }), aPolicyStatus({ policyId: policyId(13) })];
    expect(policyStatusOf(aDevice({ policyStatuses: others }), ID)).toBeNull();
  });

  it.each([
    ['the policy itself', [harden()], [aPolicyStatus()], 'Harden SSH well'],
    ['its entry', [], [aPolicyStatus()], 'Harden SSH'],
    [
      'its entry when another policy is listed',
      [harden({ id: policyId(13) })],
      [aPolicyStatus()],
      'Harden SSH',
    ],
    ['its entry when the policy has an empty name', [harden({ name: '' })], [aPolicyStatus()], 'Harden SSH'],
    ['nothing when the entry has no name', [], [aPolicyStatus({ policyName: null })], null],
    ['nothing when the entry has an empty name', [], [aPolicyStatus({ policyName: '' })], null],
    ['nothing', [], [], null],
  ])('has its name from %s', (_what, policies, policyStatuses, name) => {
    expect(policyName(aDevice({ policies, policyStatuses }), ID)).toBe(name);
  });

  it('is shown to approvers of policy commands, and of no others', () => {
    const policyStatuses = [aPolicyStatus()];
    expect(toPolicyFacts(aDevice({ policyStatuses }), remediate, null)).toEqual({
      name: 'Harden SSH',
      type: 'custom',
      status: 0,
      digest: null,
    });
    expect(toPolicyFacts(aDevice({ policyStatuses }), remediate, harden())).toMatchObject({
      name: 'Harden SSH well',
      type: 'required_software',
      digest: 'c0ffee',
    });
    expect(toPolicyFacts(aDevice(), remediate, null)).toEqual({
      name: null,
      type: null,
      status: null,
      digest: null,
    });
    expect(toPolicyFacts(aDevice({ policyStatuses }), { kind: 'reboot' }, null)).toBeNull();
    const listed = aDevice({ policies: [harden()] });
    expect(toPolicyFacts(listed, remediate, null)).toMatchObject({
      name: 'Harden SSH well',
      type: 'required_software',
      digest: null,
    });
  });
});
