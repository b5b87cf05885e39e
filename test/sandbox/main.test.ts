/** `npm run sandbox` as a person starts it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { parseCommandLine, USAGE } from '../../src/sandbox/command-line-options.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { until } from '../harness/until.ts';

const MAIN = new URL('../../src/sandbox/main.ts', import.meta.url).href;
const kills: (() => void)[] = [];
afterEach(() => {
  for (const kill of kills.splice(0)) kill();
});

function run(...args: readonly string[]) {
  const script = `import { runSandbox } from ${JSON.stringify(MAIN)}; await runSandbox(${JSON.stringify(args)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  kills.push(() => child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code);
  return { child, said, ended };
}

describe('npm run sandbox', () => {
  test('says what is wrong with its options and ends with 2', async () => {
    const { said, ended } = run('--port', 'x', '--colour');
    expect(await ended).toBe(2);
    expect(said.err.split('\n').slice(0, 2)).toEqual([
      'Unknown option --colour.',
      '--port must be a port number from 0 to 65535 (0 picks a free one)',
    ]);
    expect(said.err).toContain('Usage: npm run sandbox -- [--port N]');
    expect(said.out).toBe('');
  });

  test('explains its options when asked, and starts nothing', async () => {
    const { said, ended } = run('--help');
    expect(await ended).toBe(0);
    expect(said.out).toMatch(/^Usage: npm run sandbox -- \[--port N\]/);
    for (const option of USAGE.match(/--[a-z-]+(?= |\])/g) ?? [])
      expect(said.out).toContain(`\n  ${option} `);
    expect(said.err).toBe('');
  });

  test('names --port when the port is taken', async () => {
    const { port, stop } = await listenOnLoopback(() => undefined);
    kills.push(() => void stop());
    const { said, ended } = run('--port', String(port));
    expect(await ended).toBe(2);
    expect(said.err).toBe(`Port ${port} is in use. Choose another with --port N (0 picks a free one).\n`);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('runs until %s and then ends in order', async (signal) => {
    const { child, said, ended } = run('--only', 'management', '--port', '0');
    await until(() => said.out.includes('FLEET_ORGANIZATION='));
    const lines = said.out.trim().split('\n');
    expect(lines[0]).toMatch(/^Starting /);
    expect(lines[1]).toMatch(/^Patchbay sandbox ready: http:\/\/127\.0\.0\.1:\d+$/);
    const settings = Object.fromEntries(lines.slice(2, -1).map((line) => line.split('=')));
    const journal = await fetch(`${settings['CONTROL']}/journal`);
    expect(await journal.json()).toEqual({ requests: [], total: 0 });
    const servers = await fetch(
      `${settings['FLEET_BASE_URL']}/servers?o=${settings['FLEET_ORGANIZATION']}&limit=1`,
      { headers: { authorization: `Bearer ${settings['FLEET_API_KEY']}` } },
    );
    expect(servers.status).toBe(200);
    await servers.text();
    const { stdout } = await promisify(execFile)('sh', ['-c', `${lines.at(-1)} -sS`]);
    expect(JSON.parse(stdout)).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(said.err).toBe('');
  });
});

const DEFAULTS = { port: 3000, profile: 'live', transport: 'socket', rateLimits: false };

describe('the options of the sandbox', () => {
  test.each([
    [[], DEFAULTS],
    [['--port', '0'], { ...DEFAULTS, port: 0 }],
    [['--port=4000', '--devices', '2000'], { ...DEFAULTS, port: 4000, devices: 2000 }],
    [
      ['--profile', 'documented', '--transport', 'http'],
      { ...DEFAULTS, profile: 'documented', transport: 'http' },
    ],
    [['--devices', '20'], { ...DEFAULTS, devices: 20 }],
    [['--devices', '100000'], { ...DEFAULTS, devices: 100_000 }],
    [['--rate-limits'], { ...DEFAULTS, rateLimits: true }],
    [['--only', 'management'], { ...DEFAULTS, only: 'management' }],
  ])('%j is read', (args, options) => {
    expect(parseCommandLine(args)).toEqual({ kind: 'options', options });
  });

  test.each([[['--help']], [['-h']], [['--port', 'x', '--help']], [['--help=yes']]])(
    '%j asks for help',
    (args) => {
      expect(parseCommandLine(args)).toEqual({ kind: 'help' });
    },
  );

  test.each([
    [['--port', 'x'], ['--port must be a port number from 0 to 65535 (0 picks a free one)']],
    [['--port', '65536'], ['--port must be a port number from 0 to 65535 (0 picks a free one)']],
    [['--port', '-1'], ['--port must be a port number from 0 to 65535 (0 picks a free one)']],
    [['--port'], ['--port needs a value']],
    [['--devices', '19'], ['--devices must be a number from 20 to 100000']],
    [['--devices', '100001'], ['--devices must be a number from 20 to 100000']],
    [['--devices', '1e3'], ['--devices must be a number from 20 to 100000']],
    [['--rate-limits=yes'], ['--rate-limits takes no value']],
    [['--rate-limits', 'yes'], ['Unexpected argument yes. Options start with --.']],
    [['--profile', 'dead'], ['--profile must be live or documented']],
    [['--transport', 'pigeon'], ['--transport must be socket or http']],
    [['--only', 'slack'], ['--only must be management']],
    [['--prot', '3001'], ['Unknown option --prot. Did you mean --port?']],
    [['--prot=3001'], ['Unknown option --prot. Did you mean --port?']],
    [
      ['--frobnicate', '--devises', '40', 'x'],
      [
        'Unknown option --frobnicate.',
        'Unknown option --devises. Did you mean --devices?',
        'Unexpected argument x. Options start with --.',
      ],
    ],
    [
      ['--only', 'management', '--transport', 'socket'],
      ['--transport doesn’t apply with --only management: there’s no Slack workspace'],
    ],
    [['3001'], ['Unexpected argument 3001. Options start with --.']],
    [
      ['--transport', 'x', '--profile', 'y'],
      ['--profile must be live or documented', '--transport must be socket or http'],
    ],
  ])('%j is refused, one line for each fault', (args, faults) => {
    expect(parseCommandLine(args)).toEqual({ kind: 'faults', faults });
  });
});
