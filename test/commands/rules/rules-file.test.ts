import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../src/commands/rules/compile-rules.ts';
import { failedTests } from '../../../src/commands/rules/rule-tests.ts';
import { parseConfigurationFile } from '../../../src/config/configuration-file.ts';
import { instant } from '../../../src/lib/clock.ts';
import { groupId, personId, userGroupId } from '../../../src/lib/ids.ts';
import { isMember } from '../../../src/rules/quorum.ts';
import { judge, type RuleDevice, type RuleQuestion } from '../../../src/rules/rules.ts';
import { FILE_HEAD, rulesFromFile } from '../../harness/rules-file.ts';

const NOW = instant(Date.UTC(2026, 11, 1, 12, 0));
/** Tuesday at noon. */
const NOON = { date: '2026-12-01', minute: 720 };
const GROUPS = [
  { id: groupId(1), name: '', parentId: null },
  { id: groupId(2), name: 'Kiosks', parentId: groupId(1) },
  { id: groupId(3), name: 'Lobby', parentId: groupId(2) },
  { id: groupId(4), name: 'Databases', parentId: groupId(1) },
];
const DEVICE: RuleDevice = {
  groupId: groupId(1),
  tags: [],
  osFamily: 'Windows',
  osName: '11',
  osVersion: '',
};

/** What a file says of a reboot, or of what `asked` says otherwise. */
function verdict(rule: string, device: Partial<RuleDevice> = {}, asked: Partial<RuleQuestion> = {}) {
  const { setFor } = rulesFromFile(`timezone: UTC\nrules:\n  - ${rule}`);
  const question = { kind: 'reboot', isFree: false, size: 1, isBy: () => false, at: NOON } as const;
  return judge(setFor(GROUPS), { ...question, ...asked }, [[{ ...DEVICE, ...device }]]);
}
const asksFor = (judgement: ReturnType<typeof judge>) =>
  judgement.kind === 'asks'
    ? judgement.demands.map(({ rule, quorums }) => [rule, quorums.map(({ count }) => count)])
    : judgement.kind;
const PLAIN = [[null, [1]]];

describe('as people say it', () => {
  it('production needs two people', () => {
    const rule = '{ name: production, when: { devices: "tag:production" }, approvals: 2 }';
    expect(asksFor(verdict(rule, { tags: ['Production'] }))).toEqual([['production', [2]]]);
    expect(asksFor(verdict(rule))).toEqual(PLAIN);
  });

  it('databases are decided by the DBAs', () => {
    const rule = '{ name: databases, when: { devices: "group:Databases" }, approvers: [S0DBA] }';
    expect(verdict(rule, { groupId: groupId(4) })).toMatchObject({
      demands: [{ rule: 'databases', quorums: [{ from: { userGroups: ['S0DBA'] }, count: 1 }] }],
    });
  });

  it('one DBA and one from security', () => {
    const rule =
      '{ name: db-removals, when: { devices: "group:Databases", commands: [device-remove] }, approvers: { S0DBA: 1, S0SEC: 1 } }';
    const database = { groupId: groupId(4) };
    expect(asksFor(verdict(rule, database, { kind: 'device-remove' }))).toEqual([['db-removals', [1, 1]]]);
    expect(asksFor(verdict(rule, database))).toEqual(PLAIN);
  });

  it('the helpdesk reboots kiosks at night without asking', () => {
    const rule =
      '{ name: kiosks, when: { devices: "group:Kiosks", commands: [reboot], by: [S0HELP], time: "22:00-05:00" }, run: { perHour: 40 } }';
    const [kiosk, isBy] = [{ groupId: groupId(3) }, () => true];
    const night = { ...NOON, minute: 1_380 };
    expect(verdict(rule, kiosk, { isBy, at: night })).toMatchObject({ by: [{ rule: 'kiosks', left: 39 }] });
    expect(asksFor(verdict(rule, kiosk, { isBy }))).toEqual(PLAIN);
    expect(asksFor(verdict(rule, kiosk, { at: night }))).toEqual(PLAIN);
    expect(asksFor(verdict(rule, {}, { isBy, at: night }))).toEqual(PLAIN);
  });

  it('the lab needs nobody', () => {
    const rule = '{ name: lab, when: { devices: "tag:lab" }, run: { perHour: 200 } }';
    expect(asksFor(verdict(rule, { tags: ['lab'] }))).toBe('runs');
  });

  it('more than fifty devices: a second person', () => {
    const rule = '{ name: many, when: { atLeast: 51 }, approvals: 2 }';
    expect(asksFor(verdict(rule, {}, { size: 51 }))).toEqual([['many', [2]]]);
    expect(asksFor(verdict(rule, {}, { size: 50 }))).toEqual(PLAIN);
  });

  it('domain controllers never from chat', () => {
    const rule =
      '{ name: controllers, when: { devices: "tag:dc" }, refuse: "Use the console, with a second person." }';
    expect(verdict(rule, { tags: ['dc'] })).toMatchObject({
      kind: 'refused',
      rules: [{ name: 'controllers', because: 'Use the console, with a second person.' }],
    });
  });

  it('freeze over Christmas', () => {
    const rule =
      '{ name: freeze, when: { time: "2026-12-18..2027-01-04" }, refuse: "Change freeze until 4 January." }';
    expect(asksFor(verdict(rule, {}, { at: { ...NOON, date: '2026-12-24' } }))).toBe('refused');
    expect(asksFor(verdict(rule))).toEqual(PLAIN);
  });

  it('Friday afternoon only with the boss', () => {
    const rule = '{ name: friday, when: { time: "fri 13:00-24:00" }, approvers: [U0BOSS] }';
    const friday = { date: '2026-12-04', minute: 800 };
    expect(verdict(rule, {}, { at: friday })).toMatchObject({
      demands: [{ rule: 'friday', quorums: [{ from: { people: ['U0BOSS'] } }] }],
    });
  });

  it('every patch needs a ticket', () => {
    const rule = `{ name: ticket, when: { commands: [patch] }, reason: 'CHG-\\d{5}' }`;
    for (const kind of ['patch', 'patch-all', 'patch-each'] as const)
      expect(verdict(rule, {}, { kind })).toMatchObject({
        reasons: [{ rule: 'ticket', reason: /CHG-\d{5}/u }],
      });
    expect(verdict(rule)).toMatchObject({ reasons: [] });
  });

  it('ping again after 20 minutes, on-call decides after 40', () => {
    const rule =
      '{ name: urgent, when: { devices: "tag:production" }, expires: 2h, remind: 20m, escalate: { after: 40m, to: [S0ONCALL] } }';
    expect(verdict(rule, { tags: ['production'] })).toMatchObject({
      expiresMs: 7_200_000,
      demands: [{ remindMs: 1_200_000, escalate: { afterMs: 2_400_000, to: { userGroups: ['S0ONCALL'] } } }],
    });
  });
});

describe('the devices of a rule', () => {
  const fits = (devices: string, device: Partial<RuleDevice>) =>
    asksFor(verdict(`{ name: r, when: { devices: '${devices}' }, refuse: No. }`, device)) === 'refused';

  it.each<[string, Partial<RuleDevice>, boolean]>([
    ['group:Kiosks', { groupId: groupId(3) }, true],
    ['group:#2', { groupId: groupId(3) }, true],
    ['group:Kiosks', { groupId: groupId(4) }, false],
    ['group:Kiosks,Databases', { groupId: groupId(4) }, true],
    ['group:Kiosks -tag:lab', { groupId: groupId(2), tags: ['lab'] }, false],
    ['group:Kiosks or tag:lab', { tags: ['lab'] }, true],
    ['os:"windows 11"', {}, true],
    ['os:linux', {}, false],
    // Not known: it fits what refuses.
    ['group:Kiosks', { groupId: null }, true],
    ['group:Kiosks', { groupId: groupId(99) }, true],
    ['os:linux', { osFamily: null, osName: null, osVersion: null }, true],
  ])('%s of %j: %s', (devices, device, expected) => {
    expect(fits(devices, device)).toBe(expected);
  });

  it.each([
    ['missing:openssl', 'missing: doesn’t apply here; use group:, os: or tag:'],
    ['web-01', 'web-01 is no filter'],
    ['tag:"open', 'isn’t closed'],
    ['', 'selects nothing'],
  ])('%j is a fault: %s', (devices, words) => {
    const read = parseConfigurationFile(`${FILE_HEAD}rules: [{ name: r, when: { devices: '${devices}' } }]`);
    if (read.kind === 'faults') throw new Error(read.faults.join());
    const compiled = compileRules(read.configuration);
    expect(compiled).toMatchObject({ kind: 'faults', faults: [expect.stringContaining(words)] });
    expect(compiled).toMatchObject({ faults: [expect.stringMatching(/^line 6, column \d+: rule r: /)] });
  });

  it('a group that is gone asks an admin beside what else holds, and never refuses', () => {
    const { setFor } = rulesFromFile('rules: [{ name: r, when: { devices: "group:Gone" }, refuse: No. }]');
    const question = { kind: 'reboot', isFree: false, size: 1, isBy: () => false, at: NOON } as const;
    expect(judge(setFor(GROUPS), question, [[DEVICE]])).toMatchObject({
      demands: [{ rule: 'r', isLost: true, quorums: [{ from: { people: ['U0ADMIN'] } }] }, { rule: null }],
    });
    expect(judge(setFor(null), question, [[DEVICE]]).kind).toBe('refused');
  });
});

describe('a fault of the rules', () => {
  const faultsOf = (lines: string) => {
    const read = parseConfigurationFile(`${FILE_HEAD}${lines}`);
    return read.kind === 'faults' ? read.faults : [];
  };

  it.each([
    [
      'rules: [{ name: a, aprovals: 2 }]',
      'line 6, column 20: rules.0 has an unknown key: aprovals; did you mean approvals?',
    ],
    ['rules: [{ name: a, when: { devices: group:A,B } }]', 'rules.0.when has an unknown key: B'],
    ['rules: [{ name: a, when: { device: x } }]', 'unknown key: device; did you mean devices?'],
    ['rules: [{ name: a }, { name: a }]', 'another rule is called a too'],
    ['rules: [{ name: a, approvals: 11 }]', 'rules.0.approvals must be a whole number from 1 to 10'],
    ['rules: [{ name: a, approvers: [S0HELP] }]', 'list S0HELP under roles.approver or roles.admin, too'],
    ['rules: [{ name: a, when: { by: [S0WHO] } }]', 'list S0WHO under roles, too'],
    ['rules: [{ name: a, escalate: { after: 5m, to: [S0HELP] } }]', 'list S0HELP under'],
    [
      'rules: [{ name: a, approvers: { S0DBA: 1 }, approvals: 2 }]',
      'approvals doesn’t apply where approvers says how many of each',
    ],
    [
      'rules: [{ name: a, approvers: [U0BOB, U0BOB], approvals: 2 }]',
      'approvals asks for 2 people, and approvers names 1',
    ],
    [
      'otherwise: { approvers: [U0BOB] }\nrules: [{ name: a, approvals: 2 }]',
      'approvals asks for 2 people, and approvers names 1',
    ],
    [
      'rules: [{ name: a, expires: 10m, escalate: { after: 10m, to: [U0BOSS] } }]',
      'escalate.after must be shorter than expires, 10 minutes',
    ],
    [`rules: ${'['.repeat(20_000)}`, 'line 6, column 8: nested too deeply'],
    ['otherwise: { approvers: { S0DBA: 1 } }\nrules: [{ name: a, approvals: 2 }]', 'approvals doesn’t apply'],
    ['rules: [{ name: a, run: { perHour: 5 }, approvals: 2 }]', 'rule a has run and approvals: keep one'],
    ['rules: [{ name: a, run: { perHour: 5 }, refuse: No. }]', 'rule a has run and refuse: keep one'],
    ['rules: [{ name: a, run: true }]', 'rules.0.run must say how many devices an hour'],
    ["rules: [{ name: a, reason: '(' }]", 'rules.0.reason must be required, or a regular expression'],
    ['rules: [{ name: a, when: { time: soon } }]', 'rules.0.when.time must be a time, such as'],
    [
      'rules: [{ name: a, when: { commands: [rebot] } }]',
      'rules.0.when.commands.0 must be one of scan, reboot',
    ],
    ['rules: [{ name: a, remind: often }]', 'rules.0.remind must be never, or a duration'],
    ['timezone: Mars', 'timezone must be a time zone, such as Europe/Berlin'],
    ['tests: [{ command: reboot, expect: [b] }]', 'no rule is called b'],
  ])('%j: %s', (lines, words) => {
    const faults = faultsOf(lines);
    expect(faults.join('\n')).toContain(words);
    for (const fault of faults) expect(fault).toMatch(/^line \d+, column \d+: /);
  });
});

describe('tests in the file', () => {
  const failed = (lines: string) => {
    const read = parseConfigurationFile(`${FILE_HEAD}${lines}`);
    if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
    const { approvalRules, roles } = read.configuration;
    const compiled = compileRules({ approvalRules, roles });
    if (compiled.kind === 'faults') throw new Error(compiled.faults.join('\n'));
    return failedTests(approvalRules, compiled.inForce, NOW);
  };
  const RULES = `rules:
  - { name: kiosks, when: { devices: "group:Kiosks", by: [S0HELP], time: "22:00-05:00" }, run: { perHour: 5 } }
  - { name: lab, when: { devices: "tag:lab" }, approvals: 2 }
  - { name: freeze, when: { time: "2026-12-24" }, refuse: No. }
tests:`;

  it('say nothing where the rules do as they say', () => {
    const tests = [
      '{ command: reboot, device: { group: Kiosks }, by: [U1A, S0HELP], at: "2026-12-01 23:00", expect: run }',
      '{ command: reboot, device: { group: Kiosks }, by: U1A, at: "2026-12-01 23:00", expect: [] }',
      '{ command: reboot, device: { tags: [lab] }, expect: [lab] }',
      '{ command: scan, device: { tags: [lab] }, expect: run }',
      '{ command: patch, at: "2026-12-24 08:00", expect: refuse }',
    ];
    expect(failed([RULES, ...tests.map((one) => `  - ${one}`)].join('\n'))).toEqual([]);
  });

  it('name their place, what they expect and what the rules say', () => {
    expect(failed(`${RULES}\n  - { command: reboot, device: { tags: [lab] }, expect: run }`)).toEqual([
      'line 11, column 5: the test of reboot expects run, and the rules say [lab]',
    ]);
  });
});

it('a person is a member by id, or by a group that was read; what was not read is not known', () => {
  const people = { people: [personId('U1')], userGroups: [userGroupId('S1')] };
  expect(isMember(people, personId('U1'), { in: [], out: [] })).toBe(true);
  expect(isMember(people, personId('U2'), { in: [userGroupId('S1')], out: [] })).toBe(true);
  expect(isMember(people, personId('U2'), { in: [], out: [userGroupId('S1')] })).toBe(false);
  expect(isMember(people, personId('U2'), { in: [], out: [] })).toBeNull();
});
