import { describe, expect, it } from 'vitest';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';

const CHANNELS = 'channels: {approvals: C01, patchAlerts: C02, newDevices: C03}';

describe('the configuration file', () => {
  it('keeps people and user groups apart', () => {
    const read = parseConfigurationFile(`roles: {approver: [U01, S01, W02]}\n${CHANNELS}`);
    expect(read).toMatchObject({
      kind: 'configuration',
      configuration: {
        roles: { approver: { people: ['U01', 'W02'], userGroups: ['S01'] }, viewer: { people: [] } },
      },
    });
  });

  it('shows personal data to viewers in private and in no channel, unless it says otherwise', () => {
    const roles = 'roles: {approver: [U01]}';
    expect(parseConfigurationFile(`${roles}\n${CHANNELS}`)).toMatchObject({
      configuration: { personal: 'viewer', personalChannels: [] },
    });
    expect(
      parseConfigurationFile(`${roles}\n${CHANNELS}\npersonal: operator\npersonalChannels: [C09]`),
    ).toMatchObject({
      configuration: { personal: 'operator', personalChannels: ['C09'] },
    });
  });

  it('allows no external channel and no other team, unless it says otherwise', () => {
    const roles = 'roles: {approver: [U01]}';
    expect(parseConfigurationFile(`${roles}\n${CHANNELS}`)).toMatchObject({
      configuration: { externalChannels: [], otherTeams: [] },
    });
    for (const [given, read] of [
      ['allow', 'allow'],
      ['[C09]', ['C09']],
    ])
      expect(
        parseConfigurationFile(`${roles}\n${CHANNELS}\nexternalChannels: ${given}\notherTeams: [T02]`),
      ).toMatchObject({
        configuration: { externalChannels: read, otherTeams: ['T02'] },
      });
  });

  it('limits the age of changes to 15 minutes, unless it says otherwise', () => {
    const rest = `roles: {approver: [U01]}\n${CHANNELS}`;
    const limit = (line: string) => {
      const read = parseConfigurationFile(`${rest}\n${line}`);
      return read.kind === 'configuration'
        ? read.configuration.changes.maxAgeMs / 60_000
        : read.faults.join('\n');
    };
    expect(limit('')).toBe(15);
    expect(limit('changes: {}')).toBe(15);
    expect(limit('changes: {maxAge: 5m}')).toBe(5);
    expect(limit('changes: {maxAge: 2h}')).toBe(120);
    for (const bad of ['0m', '25h', '15', '"15"', '1d', 'never', '[]', '{}', 'null'])
      expect(limit(`changes: {maxAge: ${bad}}`)).toContain(
        'changes.maxAge must be a duration from 1m to 24h, such as 15m',
      );
    expect(limit('changes: {age: 5m}')).toBe(
      'line 3, column 11: changes has an unknown key: age (known: maxAge)',
    );
    expect(limit('changes: 15m')).toContain('changes must contain maxAge, such as `maxAge: 15m`');
  });

  it('takes an https address with the place of the id for tickets, and none else', () => {
    const read = (url: string) =>
      parseConfigurationFile(`roles: {approver: [U01]}\n${CHANNELS}\nticketUrl: ${url}   # tickets`);
    const good = 'https://tickets.example.com/browse/{id}?view=all';
    expect(read(good)).toMatchObject({ configuration: { ticketUrl: good } });
    for (const bad of [
      ...['http://a.example/{id}', 'https://a.example/', 'https://{id}.example/', 'javascript:{id}', '[]'],
      ...['https://a.example/{id}/{id}', 'https://a.example/{key}', '"https://a.example/{id}|<!channel>"'],
      ...[
        '"https://a.example/ {id}"',
        'https://u@a.example/{id}',
        `https://a.example/${'a'.repeat(200)}{id}`,
      ],
    ])
      expect(read(bad)).toEqual({
        kind: 'faults',
        faults: [expect.stringMatching(/^line 3, column 1: ticketUrl must be an https URL of up to 200 /)],
      });
    expect(parseConfigurationFile(`roles: {approver: [U01]}\n${CHANNELS}\nticketURL: x`)).toMatchObject({
      faults: [
        'line 3, column 1: the configuration file has an unknown key: ticketURL; did you mean ticketUrl?',
      ],
    });
  });

  it('names the place and the nearest key of each fault', () => {
    const text = `roles:
  aprover: [U01]
  operator:
    - U01
    - bob
channels:
  approvals: "#approvals"
  patchAlert: C02
rotes: []
rollouts: {maxAge: 999h, speed: 3}`;
    const read = parseConfigurationFile(text);
    const faults = read.kind === 'faults' ? read.faults.map((fault) => fault.replace(/ \(U….*/, '')) : [];
    expect(faults).toEqual([
      'line 5, column 7: roles.operator.1 must be a Slack user id',
      'line 2, column 3: roles has an unknown key: aprover; did you mean approver?',
      'line 7, column 3: channels.approvals must be a channel id (C… or G…), not a name',
      'line 6, column 1: channels.patchAlerts is missing: a channel id, such as C0123456789',
      'line 6, column 1: channels.newDevices is missing: a channel id, such as C0123456789',
      'line 8, column 3: channels has an unknown key: patchAlert; did you mean patchAlerts?',
      'line 10, column 12: rollouts.maxAge must be a duration from 1m to 168h, such as 24h',
      'line 10, column 26: rollouts has an unknown key: speed (known: reasonFrom, maxDevices, maxDevicesPerDay, maxAge, maxWaiting)',
      'line 9, column 1: the configuration file has an unknown key: rotes; did you mean roles?',
    ]);
  });

  it.each([
    [
      'nobody may approve',
      `roles: {operator: [U01]}\n${CHANNELS}`,
      'roles.approver and roles.admin are empty, so nobody can approve requests',
    ],
    ['it is not YAML', 'roles: [', 'not valid YAML'],
    ['it is empty', '', 'roles is missing'],
    [
      'a role is unknown',
      `roles: {boss: [U01], approver: [U02]}\n${CHANNELS}`,
      'roles has an unknown key: boss',
    ],
    [
      'personal data is for an unknown role',
      `roles: {approver: [U01]}\n${CHANNELS}\npersonal: everybody`,
      'personal must be the lowest role that sees personal data in private: viewer, operator',
    ],
    [
      'a channel for personal data is a name',
      `roles: {approver: [U01]}\n${CHANNELS}\npersonalChannels: [ops]`,
      'personalChannels.0 must be a channel id',
    ],
    [
      'external channels are neither allowed nor listed',
      `roles: {approver: [U01]}\n${CHANNELS}\nexternalChannels: deny`,
      'externalChannels must be allow, or a list of channel ids',
    ],
    [
      'another team is a name',
      `roles: {approver: [U01]}\n${CHANNELS}\notherTeams: [acme]`,
      'otherTeams.0 must be a team id',
    ],
    ['there are no channels', 'roles: {approver: [U01]}', 'channels is missing'],
  ])('reports that %s', (_, text, line) => {
    const read = parseConfigurationFile(text);
    expect(read.kind === 'faults' ? read.faults.join('\n') : '').toContain(line);
  });
});

describe('every fault of the configuration file', () => {
  const ROLES = 'roles: {approver: [U01]}';
  it.each([
    ['- a list', 'the configuration file needs `roles:` and `channels:`'],
    ['just words', 'the configuration file needs `roles:` and `channels:`'],
    [`roles: 5\n${CHANNELS}`, 'roles must list ids for each role, such as `approver: [U0123456789]`'],
    [`roles: {approver: U01}\n${CHANNELS}`, 'roles.approver must be a list of ids, such as [U0123456789]'],
    [`roles: {approver: [5]}\n${CHANNELS}`, 'roles.approver.0 must be a Slack user id (U… or W…)'],
    [`roles: {approver: [null]}\n${CHANNELS}`, 'roles.approver.0 must be a Slack user id (U… or W…)'],
    [`roles: {approver: {a: b}}\n${CHANNELS}`, 'roles.approver must be a list of ids'],
    [`${ROLES}\nchannels: [C01]`, 'channels must have approvals, patchAlerts and newDevices'],
    [
      `${ROLES}\nchannels: {approvals: 5, patchAlerts: C02, newDevices: C03}`,
      'channels.approvals must be a channel id',
    ],
    [`${ROLES}\nchannels: {approvals: , patchAlerts: C02, newDevices: C03}`, 'channels.approvals is missing'],
    [`${ROLES}\n${CHANNELS}\npersonal: 5`, 'personal must be the lowest role'],
    [`${ROLES}\n${CHANNELS}\npersonalChannels: C01`, 'personalChannels must be a list of channel ids'],
    [`${ROLES}\n${CHANNELS}\npersonalChannels: [5]`, 'personalChannels.0 must be a channel id'],
    [`${ROLES}\n${ROLES}\n${CHANNELS}`, 'line 2, column 1: not valid YAML near `roles`: a key is used twice'],
    [
      `roles:\n\tapprover: [U01]\n${CHANNELS}`,
      'line 2, column 1: not valid YAML near `roles`: a tab at the start of a line; indent with spaces',
    ],
    ['roles: {approver: [U01', 'line 1, column 23: not valid YAML near `approver`: close every bracket'],
    [`roles: {approver: ["U01]}\n${CHANNELS}`, 'not valid YAML near'],
    [`roles:\n  approver: [U01]\n viewer: [U02]\n${CHANNELS}`, 'not valid YAML near'],
    [`roles: *nobody\n${CHANNELS}`, 'line 1, column 8: not valid YAML near `roles`: references'],
    [`roles: !secret {approver: [U01]}\n${CHANNELS}`, 'line 1, column 8: not valid YAML near `roles`: tags'],
    [`${ROLES}\n---\n${CHANNELS}`, 'not valid YAML near'],
    [`${ROLES}\n${CHANNELS}: x`, 'the configuration file has an unknown key: (no name)'],
    ['@roles: 5', 'line 1, column 1: not valid YAML near `@roles`: a value starts with a special character'],
    ['%YAML 9\n---\nroles: 5', "lines that start with % aren't supported"],
  ])('%j is reported in our own words', (text, words) => {
    const printed: unknown[] = [];
    const onWarning = (warning: unknown) => void printed.push(warning);
    process.on('warning', onWarning);
    const read = parseConfigurationFile(text);
    process.off('warning', onWarning);
    const faults = read.kind === 'faults' ? read.faults : [];
    expect(faults.join('\n')).toContain(words);
    expect(faults.join('\n')).not.toMatch(
      /invalid|expected|unrecognized|received|at line \d|implicit|flow|alias|must be unique/i,
    );
    for (const fault of faults) expect(fault).toMatch(/^line \d+, column \d+: [^\n]{20,}$/);
    expect(printed).toEqual([]);
  });
});
