import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import { settingsOf } from '../harness/product-settings.ts';
import { startProxy } from '../harness/proxy-server.ts';
import { runVerb } from '../harness/run-verb.ts';
import { type SandboxToJoin, startSandboxToJoin } from '../harness/sandbox-to-join.ts';
import type { StartedSandbox } from '../harness/start-sandbox.ts';

let sandbox: StartedSandbox;
let folder: string;
let settings: SandboxToJoin['settings'];

beforeAll(async () => {
  const joined = await startSandboxToJoin();
  ({ sandbox, folder, settings } = joined);
  return joined.stop;
});

/** Of a server that is gone. */
const closedAddress = async () => `http://127.0.0.1:${await freePort()}/api/`;

const SECRETS = ['FLEET_API_KEY', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'];
const linesOf = (out: string, name: string) =>
  out.split('\n').find((line) => new RegExp(` ${name}(, line [^:]+)?:`).test(line)) ?? '';

describe('the doctor', () => {
  it('passes all checks where nothing is wrong', async () => {
    const { code, out } = await runVerb(['doctor'], settings);
    expect(out).toMatch(/All checks passed\.\n$/);
    expect(out.split('\n').filter((line) => /^(warn|fail)/.test(line))).toEqual([]);
    for (const name of [
      'Slack bot token',
      'Slack scopes',
      'Slack transport',
      'Slack cards',
      'channels.approvals',
      'channels.patchAlerts',
      'channels.newDevices',
      'roles',
      'approvers',
      'service and key',
      'organization',
      'event log',
      'database',
      'clock vs Slack',
      'clock vs service',
    ]) {
      expect(linesOf(out, name)).toMatch(/^ok/);
    }
    expect(code).toBe(0);
  });

  it('says through which proxy it goes, without its password, and what that refuses', async () => {
    const proxy = await startProxy();
    const env = { ...settings, HTTP_PROXY: proxy.address('me:secret-word') };
    const open = await runVerb(['doctor'], env);
    expect(linesOf(open.out, 'proxy')).toContain(
      `the service through ${proxy.address()}, Slack through ${proxy.address()}`,
    );
    expect(linesOf(open.out, 'Slack bot token')).toMatch(/^ok/);
    expect(linesOf(open.out, 'clock vs service')).toMatch(/^ok/);
    const direct = await runVerb(['doctor'], { ...env, NO_PROXY: '127.0.0.1' });
    expect(linesOf(direct.out, 'proxy')).toContain('the service directly, Slack directly');
    proxy.refuse(407);
    const secure = { SLACK_API_URL: 'https://slack.invalid/api/', FLEET_BASE_URL: 'https://fleet.invalid/' };
    const refused = await runVerb(['doctor'], { ...env, ...secure });
    for (const name of ['Slack bot token', 'service and key'])
      expect(linesOf(refused.out, name)).toContain('the proxy requires valid credentials (HTTP 407)');
    expect(open.out + direct.out + refused.out).not.toContain('secret-word');
    await proxy.stop();
  });

  it('warns of addresses that ALLOW_HTTP lets pass, and reads a key with a line break after it', async () => {
    const far = {
      SLACK_API_URL: 'http://slack.invalid/api/',
      FLEET_API_KEY: `${settings['FLEET_API_KEY']}\n`,
    };
    const { out } = await runVerb(['doctor'], { ...settings, ...far, ALLOW_HTTP: 'yes' });
    expect(linesOf(out, 'encryption')).toBe('warn  encryption: http://slack.invalid/api/ is not encrypted');
    expect(linesOf(out, 'service and key')).toMatch(/^ok/);
  });

  it.each([
    ['FLEET_API_KEY', 'wrong-key', 'service and key', /401.*Unauthorized/],
    ['FLEET_ORGANIZATION', '999', 'service and key', /403/],
    ['FLEET_BASE_URL', 'http://127.0.0.1:1', 'service and key', /fail/],
    ['SLACK_BOT_TOKEN', 'xoxb-wrong', 'Slack bot token', /invalid_auth/],
    ['SLACK_APP_TOKEN', 'xapp-wrong', 'Slack transport', /invalid_auth/],
    ['DATABASE_URL', 'sqlite:/dev/null/folder/db', 'database', /fail/],
  ])('names a wrong %s (%s) and says what to do', async (name, value, check, seen) => {
    const { code, out } = await runVerb(['doctor'], { ...settings, [name]: value });
    expect(linesOf(out, check)).toMatch(/^fail/);
    expect(linesOf(out, check)).toMatch(seen);
    expect(out).toMatch(/→ /);
    if (SECRETS.includes(name)) expect(out).not.toContain(value);
    expect(code).toBe(1);
  });

  it('says in plain words that Slack cannot be reached', async () => {
    const address = await closedAddress();
    const { code, out } = await runVerb(['doctor'], { ...settings, SLACK_API_URL: address });
    expect(linesOf(out, 'Slack bot token')).toMatch(
      /^fail {2}Slack bot token: (\S+): the connection was refused$/,
    );
    expect(out).toContain(address);
    expect(out).not.toContain('Error');
    const remedies = out.split('\n').filter((line) => line.includes('→'));
    expect(remedies).toEqual(['      → check SLACK_API_URL and the network to it (firewall, proxy, DNS)']);
    expect(out).not.toMatch(/→ set SLACK_/);
    expect(out).toMatch(
      /\n1 problem to fix\. Once fixed, run this again for the checks that were skipped\.\n$/,
    );
    expect(code).toBe(1);
  });

  it.each([
    [
      'a wrong bot token',
      async () => ({ SLACK_BOT_TOKEN: 'xoxb-wrong' }),
      ['Slack bot token'],
      [
        'Slack scopes, cards, channels, roles, approvers, subscribed channels: the check "Slack bot token" failed',
      ],
    ],
    [
      'a Slack that is away',
      async () => ({ SLACK_API_URL: await closedAddress() }),
      ['Slack bot token'],
      [
        'Slack transport: the check "Slack bot token" failed',
        'Slack scopes, cards, channels, roles, approvers, subscribed channels: the check "Slack bot token" failed',
        'clock vs Slack: the check "Slack bot token" failed',
      ],
    ],
    [
      'a wrong key',
      async () => ({ FLEET_API_KEY: 'wrong-key' }),
      ['service and key'],
      ['organization, event log: the check "service and key" failed'],
    ],
    [
      'a service that is away',
      async () => ({ FLEET_BASE_URL: await closedAddress() }),
      ['service and key'],
      [
        'organization, event log: the check "service and key" failed',
        'clock vs service: the check "service and key" failed',
      ],
    ],
  ])(
    'counts %s once, and names what it could not check because of it',
    async (_, change, failed, skipped) => {
      const { code, out } = await runVerb(['doctor'], { ...settings, ...(await change()) });
      const lines = out.split('\n');
      const named = (status: string) =>
        lines.filter((line) => line.startsWith(status)).map((line) => line.slice(6));
      expect(named('fail').map((line) => line.split(':')[0])).toEqual(failed);
      expect(named('skip')).toEqual(skipped);
      expect(named('warn')).toEqual([]);
      expect(out).not.toContain('see the results above');
      expect(out).toContain(
        '\n1 problem to fix. Once fixed, run this again for the checks that were skipped.\n',
      );
      expect(code).toBe(1);
    },
  );

  it('names variables that are no settings', async () => {
    const { code, out } = await runVerb(['doctor'], { ...settings, SLACK_COMAND: '/ops' });
    expect(out).toContain('warn  settings: SLACK_COMAND is not a setting; did you mean SLACK_COMMAND?\n');
    expect(out).toMatch(/\nAll checks passed with 1 warning\.\n$/);
    expect(code).toBe(0);
  });

  it('names the address of a service that refuses the connection', async () => {
    const address = (await closedAddress()).replace(/\/$/, '');
    const { out } = await runVerb(['doctor'], { ...settings, FLEET_BASE_URL: address });
    expect(linesOf(out, 'service and key')).toBe(
      `fail  service and key: ${address}: the connection was refused`,
    );
  });

  it('says which organization it is, and that the key sees others only', async () => {
    const { out } = await runVerb(['doctor'], settings);
    expect(linesOf(out, 'organization')).toMatch(/^ok.* is "Example Corporation"$/);
    const other = await runVerb(['doctor'], { ...settings, FLEET_ORGANIZATION: '999' });
    expect(linesOf(other.out, 'organization')).toMatch(
      /^warn.* the key can see other organizations, but not 999$/,
    );
  });

  it('says nothing of organizations to a key that may not list them', async () => {
    const { out } = await runVerb(['doctor'], { ...settings, FLEET_API_KEY: 'wrong-key' });
    expect(linesOf(out, 'organization')).toBe('');
  });

  it('sees that the bot is not in a channel', async () => {
    const { channels } = await sandbox.state();
    const random = channels.find(({ name }) => name === 'random')?.id ?? '';
    const { out } = await runVerb(['doctor'], await settingsOf(sandbox, folder, { approvals: random }));
    expect(linesOf(out, 'channels.approvals')).toMatch(/the bot is not in #random/);
    expect(out).toContain('/invite @Patchbay');
    await settingsOf(sandbox, folder);
  });

  it('never prints a token or a key', async () => {
    const { out, err } = await runVerb(['doctor'], settings);
    for (const name of SECRETS) {
      expect(out + err).not.toContain(settings[name]);
    }
  });
});
