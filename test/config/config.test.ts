import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCommandName, readConfig, readMistypedVariables, secretsOf } from '../../src/config/config.ts';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';
import { slashCommands } from '../../src/lib/slash-commands.ts';

const POLICY = `
roles:
  viewer: [U0VIEWER]
  operator: [S0OPERATORS]
  approver: [U0APPROVER, S0APPROVERS]
channels: {approvals: C0APPROVALS, patchAlerts: C0ALERTS, newDevices: G0NEW}
`;
/** Of the form that Slack gives them. */
const SIGNING_SECRET = '0123456789abcdef0123456789abcdef';
let folder: string;
let good: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-config-'));
  writeFileSync(join(folder, 'policy.yml'), POLICY);
  good = {
    FLEET_BASE_URL: 'https://fleet.example/api/',
    FLEET_API_KEY: 'key-of-the-service',
    FLEET_ORGANIZATION: '42',
    SLACK_BOT_TOKEN: 'xoxb-bot-token',
    SLACK_APP_TOKEN: 'xapp-app-token',
    PATCHBAY_CONFIG: join(folder, 'policy.yml'),
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

function configOf(env: NodeJS.ProcessEnv) {
  const read = readConfig(env);
  if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
  return read.config;
}
function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const read = readConfig(env);
  return read.kind === 'faults' ? read.faults : [];
}

describe('settings', () => {
  it('are read with their defaults', () => {
    const config = configOf(good);
    expect(config).toMatchObject({
      fleet: { baseUrl: 'https://fleet.example/api', organizationId: 42, dialect: 'live' },
      slack: { apiUrl: 'https://slack.com/api/', command: '/fleet', transport: { kind: 'socket' } },
      database: { kind: 'sqlite', path: 'patchbay.sqlite' },
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
    });
    expect(config.fleet.apiKey.reveal()).toBe('key-of-the-service');
  });

  it('name another root command, whose longest form Slack accepts', () => {
    const longest = `/${'a'.repeat(22)}`;
    expect(configOf({ ...good, SLACK_COMMAND: longest }).slack.command).toBe(longest);
    expect(readCommandName({ SLACK_COMMAND: longest })).toBe(longest);
    expect(Math.max(...slashCommands(longest).map(({ slash }) => slash.length))).toBe(32);
  });

  it.each(['fleet', '/', '/Fleet', '/fleet ops', '/-', `/${'a'.repeat(23)}`])(
    'refuse the root command %j',
    (command) => {
      expect(faultsOf({ ...good, SLACK_COMMAND: command })).toEqual([
        expect.stringContaining('SLACK_COMMAND must be a slash'),
      ]);
      expect(() => readCommandName({ SLACK_COMMAND: command })).toThrow('SLACK_COMMAND must be a slash');
    },
  );

  it('choose HTTP when there is a signing secret instead of an app token', () => {
    const { SLACK_APP_TOKEN: _, ...rest } = good;
    const { transport } = configOf({ ...rest, SLACK_SIGNING_SECRET: SIGNING_SECRET }).slack;
    expect(transport.kind === 'http' && transport.signingSecret.reveal()).toBe(SIGNING_SECRET);
  });

  describe('of a proxy', () => {
    it('are null when none is set', () => {
      expect(configOf({ ...good, NO_PROXY: 'a.test' }).fleet.proxy).toBeNull();
    });

    it('are the same for both services', () => {
      const env = {
        ...good,
        HTTP_PROXY: 'http://p.test:3128',
        HTTPS_PROXY: 'http://q.test',
        NO_PROXY: 'a.test',
      };
      const { fleet, slack } = configOf(env);
      expect(fleet.proxy).toBe(slack.proxy);
      expect(fleet.proxy?.http?.reveal()).toBe('http://p.test:3128');
      expect(fleet.proxy?.https?.reveal()).toBe('http://q.test');
      expect(fleet.proxy?.except).toBe('a.test');
    });

    it('are read in lower case first, as in other programs', () => {
      const env = { ...good, HTTPS_PROXY: 'http://large.test', https_proxy: 'http://small.test' };
      expect(configOf(env).slack.proxy?.https?.reveal()).toBe('http://small.test');
      expect(configOf({ ...env, https_proxy: '' }).slack.proxy?.https?.reveal()).toBe('http://large.test');
    });

    it.each(['p.test:3128', 'socks5://p.test', 'http://me:%zz-secret@p.test'])('refuse %s', (address) => {
      const faults = faultsOf({ ...good, HTTP_PROXY: address });
      expect(faults).toEqual([expect.stringMatching(/^HTTP_PROXY must be an http:\/\/ or https:\/\/ URL/)]);
      expect(faults.join()).not.toContain('secret');
    });

    it('contain credentials that belong in no log, in any form', () => {
      const config = configOf({ ...good, HTTP_PROXY: 'http://me:long%40secret@p.test:3128' });
      const secrets = secretsOf(config).map((one) => one.reveal());
      const forms = [
        'http://me:long%40secret@p.test:3128',
        'long%40secret',
        'long@secret',
        btoa('me:long@secret'),
      ];
      expect(secrets).toEqual(expect.arrayContaining(forms));
    });
  });

  it('choose PostgreSQL by its address', () => {
    const { database } = configOf({ ...good, DATABASE_URL: 'postgres://u:p@db/patchbay' });
    expect(database.kind === 'postgres' && database.url.reveal()).toBe('postgres://u:p@db/patchbay');
  });

  it('list everything that is missing at once, one line each', () => {
    const faults = faultsOf({});
    for (const name of [
      'FLEET_BASE_URL',
      'FLEET_API_KEY',
      'FLEET_ORGANIZATION',
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'PATCHBAY_CONFIG',
    ]) {
      expect(faults.filter((line) => line.startsWith(`${name} is missing`))).toHaveLength(1);
    }
    expect(faults.every((line) => !line.includes('\n'))).toBe(true);
  });

  it('treat an empty variable as missing', () => {
    expect(faultsOf({ ...good, FLEET_API_KEY: '' })).toEqual([
      'FLEET_API_KEY is missing: the API key of the management service',
    ]);
  });

  it.each([
    ['FLEET_BASE_URL', 'fleet.example', 'FLEET_BASE_URL must be an http:// or https:// URL'],
    ['FLEET_BASE_URL', 'file:///etc/passwd', 'FLEET_BASE_URL must be an http:// or https:// URL'],
    ['FLEET_ORGANIZATION', '0', 'FLEET_ORGANIZATION must be a positive whole number'],
    ['FLEET_DIALECT', 'Live', 'FLEET_DIALECT must be one of live, documented'],
    ['SLACK_BOT_TOKEN', 'xapp-1', 'SLACK_BOT_TOKEN must start with xoxb-'],
    ['SLACK_APP_TOKEN', 'xoxb-1', 'SLACK_APP_TOKEN must start with xapp-'],
    ['DATABASE_URL', 'mysql://db', 'DATABASE_URL must be sqlite:PATH or postgres://…'],
    ['SLACK_BOT_TOKEN', 'xoxb-1\n2', 'SLACK_BOT_TOKEN must contain only letters, digits, - and _'],
    ['FLEET_API_KEY', 'two words', 'FLEET_API_KEY must be one line of ASCII characters without spaces'],
    ['FLEET_API_KEY', 'line\nbreak', 'FLEET_API_KEY must be one line of ASCII characters without spaces'],
    ['FLEET_BASE_URL', 'https://user@a.test', 'FLEET_BASE_URL must not contain a user or a password'],
    ['SLACK_API_URL', 'http://u:secret@127.0.0.1:9', 'SLACK_API_URL must not contain a user or a password'],
    [
      'FLEET_CONSOLE_URL',
      'https://:p@a.test/{id}',
      'FLEET_CONSOLE_URL must not contain a user or a password',
    ],
    ['ALLOW_HTTP', 'true', 'ALLOW_HTTP must be yes, or absent'],
    ['PORT', '65536', 'PORT must be a port number from 0 to 65535'],
    ['PORT', '-1', 'PORT must be a port number from 0 to 65535'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent'],
    ['PATCHBAY_CONFIG', '/no/such', "PATCHBAY_CONFIG points to a file that can't be read: /no/such"],
  ])('%s=%s is one clear line', (name, value, line) => {
    expect(faultsOf({ ...good, [name]: value })).toEqual([line]);
  });

  it('are read without the spaces and line breaks around them', () => {
    const copied = {
      FLEET_API_KEY: ' key\n',
      SLACK_BOT_TOKEN: 'xoxb-1\r\n',
      FLEET_BASE_URL: ' https://a.test\n',
    };
    const { fleet, slack } = configOf({ ...good, ...copied });
    expect([fleet.apiKey.reveal(), slack.botToken.reveal(), fleet.baseUrl]).toEqual([
      'key',
      'xoxb-1',
      'https://a.test',
    ]);
  });

  it.each(['a', 'signing-secret', '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(31)}g`])(
    'refuse %s as a signing secret without quoting it',
    (text) => {
      const { SLACK_APP_TOKEN: _, ...rest } = good;
      expect(faultsOf({ ...rest, SLACK_SIGNING_SECRET: text })).toEqual([
        'SLACK_SIGNING_SECRET must be 32 hexadecimal digits',
      ]);
    },
  );

  it.each(['FLEET_BASE_URL', 'SLACK_API_URL'])('send no key unencrypted, except where %s may', (name) => {
    const far = ['http://a.test', 'http://10.0.0.5:80', 'http://127.0.0.1.a.test', 'http://localhost.a.test'];
    for (const address of far) {
      expect(faultsOf({ ...good, [name]: address })).toEqual([
        expect.stringContaining(`${name} must be https://`),
      ]);
      expect(faultsOf({ ...good, [name]: address, ALLOW_HTTP: 'yes' })).toEqual([]);
    }
    for (const near of ['http://127.0.0.1:3000', 'http://127.9.9.9', 'http://localhost', 'http://[::1]:80'])
      expect(faultsOf({ ...good, [name]: near })).toEqual([]);
  });

  it('are never reported in the words of a library', () => {
    const odd = ['x', ' ', '-', '{}', 'http://', 'null', '\u0000', '9'.repeat(99), 'sqlite:', '[', '/'];
    const names = Object.keys(good).concat(
      'FLEET_DIALECT',
      'FLEET_CONSOLE_URL',
      'SLACK_SIGNING_SECRET',
      'SLACK_API_URL',
    );
    const others = ['SLACK_COMMAND', 'DATABASE_URL', 'HOST', 'PORT', 'LOG_LEVEL'];
    const faults = [...names, ...others].flatMap((name) =>
      odd.flatMap((value) => faultsOf({ ...good, [name]: value })),
    );
    expect(faults.length).toBeGreaterThan(50);
    expect(
      faults.filter((line) => /invalid|expected|unrecognized|received|too small|column \d/i.test(line)),
    ).toEqual([]);
  });

  it('report variables that were meant as settings, and no others', () => {
    const env = {
      SLACK_BOT_TOKN: 'x',
      SLAK_APP_TOKEN: 'x',
      LOGLEVEL: 'x',
      database_url: 'x',
      PATCHBAY_COLOR: 'x',
    };
    const others = { HOSTS: 'x', POST: 'x', HOSTNAME: 'x', HTTPS_PROXY: 'x', PATH: 'x', EDITOR: 'x' };
    expect(readMistypedVariables({ ...good, ...env, ...others })).toEqual([
      { name: 'SLACK_BOT_TOKN', meant: 'SLACK_BOT_TOKEN' },
      { name: 'SLAK_APP_TOKEN', meant: 'SLACK_APP_TOKEN' },
      { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
      { name: 'database_url', meant: 'DATABASE_URL' },
      { name: 'PATCHBAY_COLOR', meant: null },
    ]);
  });

  it('refuse two transports', () => {
    expect(faultsOf({ ...good, SLACK_SIGNING_SECRET: SIGNING_SECRET })).toEqual([
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: keep the first for Socket Mode, or the second for HTTP',
    ]);
  });

  it('name the faulty place in the configuration file', () => {
    const path = join(folder, 'bad.yml');
    writeFileSync(path, 'roles: {approver: [alice]}\nchannels: {approvals: "#approvals"}\nrotes: []\n');
    const faults = faultsOf({ ...good, PATCHBAY_CONFIG: path });
    expect(faults.join('\n')).toContain('roles.approver.0 must be a Slack user id');
    expect(faults.join('\n')).toContain('channels.approvals must be a channel id');
    expect(faults.join('\n')).toContain('channels.newDevices is missing');
    expect(faults.join('\n')).toContain('unknown key: rotes');
  });

  it('never show a secret, printed in any way', () => {
    const config = configOf({ ...good, DATABASE_URL: 'postgres://u:pass-of-db@db/patchbay' });
    const printed = [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.fleet.apiKey}`].join(
      '\n',
    );
    for (const value of ['key-of-the-service', 'xoxb-bot-token', 'xapp-app-token', 'pass-of-db']) {
      expect(printed).not.toContain(value);
    }
  });
});

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
    ).toMatchObject({ configuration: { personal: 'operator', personalChannels: ['C09'] } });
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
      ).toMatchObject({ configuration: { externalChannels: read, otherTeams: ['T02'] } });
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
