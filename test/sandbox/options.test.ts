import { describe, expect, test } from 'vitest';
import { readOptions } from '../../src/sandbox/options.ts';

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
    expect(readOptions(args)).toEqual({ kind: 'options', options });
  });

  test.each([[['--help']], [['-h']], [['--port', 'x', '--help']], [['--help=yes']]])(
    '%j asks for help',
    (args) => {
      expect(readOptions(args)).toEqual({ kind: 'help' });
    },
  );

  test.each([
    [['--port', 'x'], ['--port takes a port number from 0 (a free one) to 65535']],
    [['--port', '65536'], ['--port takes a port number from 0 (a free one) to 65535']],
    [['--port', '-1'], ['--port takes a port number from 0 (a free one) to 65535']],
    [['--port'], ['--port needs a value']],
    [['--devices', '19'], ['--devices takes a number of devices from 20 to 100000']],
    [['--devices', '100001'], ['--devices takes a number of devices from 20 to 100000']],
    [['--devices', '1e3'], ['--devices takes a number of devices from 20 to 100000']],
    [['--rate-limits=yes'], ['--rate-limits takes no value']],
    [['--rate-limits', 'yes'], ['yes: options begin with --']],
    [['--profile', 'dead'], ['--profile takes one of documented, live']],
    [['--transport', 'pigeon'], ['--transport takes one of socket, http']],
    [['--only', 'slack'], ['--only takes: management']],
    [['--prot', '3001'], ['--prot is not an option; did you mean --port?']],
    [['--prot=3001'], ['--prot is not an option; did you mean --port?']],
    [
      ['--frobnicate', '--devises', '40', 'x'],
      [
        '--frobnicate is not an option',
        '--devises is not an option; did you mean --devices?',
        'x: options begin with --',
      ],
    ],
    [
      ['--only', 'management', '--transport', 'socket'],
      ['--transport means nothing with --only management: no Slack is there'],
    ],
    [['3001'], ['3001: options begin with --']],
    [
      ['--transport', 'x', '--profile', 'y'],
      ['--profile takes one of documented, live', '--transport takes one of socket, http'],
    ],
  ])('%j is refused, one line for each fault', (args, faults) => {
    expect(readOptions(args)).toEqual({ kind: 'faults', faults });
  });
});
