import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/sandbox/command-line-options.ts';

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
