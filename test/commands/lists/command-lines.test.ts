import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsCommand } from '../../../src/commands/alerts.ts';
import { approvalsCommand } from '../../../src/commands/approvals.ts';
import { auditCommand } from '../../../src/commands/audit.ts';
import { complianceCommand } from '../../../src/commands/compliance.ts';
import type { ReadCommand, SettingCommand } from '../../../src/commands/core/command.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { eventsCommand } from '../../../src/commands/events.ts';
import { missingCommand } from '../../../src/commands/missing.ts';
import { packagesCommand } from '../../../src/commands/packages.ts';
import { type TokenizedLine, tokenizeLine, tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import {
  deviceFilter,
  deviceQueryText,
  parseDeviceFilters,
} from '../../../src/commands/targets/device-query.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPolicy } from '../../harness/builders.ts';
import { runs } from '../../harness/runs.ts';
import { testPorts } from '../harness/ports.ts';

type Listing = ReadCommand | SettingCommand;

function inputOf({ parse }: Listing, read: TokenizedLine): unknown {
  if (read.kind === 'fault') return null;
  const parsed = parse(read.words);
  return parsed.kind === 'fault' ? null : parsed.input;
}

const { ports } = testPorts({
  devices: [aDevice({ id: deviceId(12), name: 'web-01' })],
  groups: [aGroup({ id: groupId(20), name: 'Linux servers' })],
  policies: [aPolicy({ name: 'Apply all' })],
});

function lineOf(view: View): string | null {
  return 'paging' in view ? (view.paging.line?.text ?? null) : null;
}

const run = (command: Listing, input: unknown): Promise<View> =>
  command.run(input, 0, { ...ports, refusal: async () => null });

/** The typed line, and the line that the list shows for it. */
const LINES: readonly (readonly [Listing, string, string | null])[] = [
  [devicesCommand, '', null],
  [devicesCommand, 'web is:online,offline', 'devices web is:online or is:offline'],
  [devicesCommand, 'group:“Linux servers” sort:seen', 'devices group:"Linux servers" sort:seen'],
  [packagesCommand, 'web-01', null],
  [
    packagesCommand,
    'web-01 "lib ssl" severity:high sort:name',
    'packages #12 "lib ssl" severity:high sort:name',
  ],
  [missingCommand, 'open ssl', 'missing open ssl'],
  [
    missingCommand,
    '"because it is" group:"Linux servers" sort:group',
    'missing "because it is" group:"Linux servers" sort:group',
  ],
  [eventsCommand, 'web-01', null],
  [eventsCommand, '', null],
  [eventsCommand, 'name:system.patch.failed', 'events name:patch-failed days:7'],
  [auditCommand, '', null],
  [auditCommand, 'device web-01 days:2', 'audit device #12 days:2'],
  [approvalsCommand, '', null],
  [approvalsCommand, 'mine', 'approvals mine'],
  [complianceCommand, 'policies', 'compliance policies'],
  [alertsCommand, '', null],
  [alertsCommand, 'days:2', 'alerts days:2'],
  [alertsCommand, 'silence:3', 'alerts silence:3'],
];

describe('the line that a list shows', () => {
  it.each(LINES)('is what gives the list again', async (command, typed, shown) => {
    const view = await run(command, inputOf(command, tokenizeTyped(typed)));
    expect(lineOf(view)).toBe(shown);
    const words = JSON.stringify(renderView(view).blocks);
    if (shown === null) expect(words).not.toContain('Command:');
    else expect(words).toContain(JSON.stringify(`Command: \`/fleet ${shown}\``).slice(1, -1));
  });

  it.each(LINES)('gives the same line when it is typed', async (command, typed, shown) => {
    const again = shown === null ? typed : shown.slice(command.name.length + 1);
    const input = inputOf(command, tokenizeTyped(again));
    expect(input, again).not.toBeNull();
    expect(lineOf(await run(command, input))).toBe(shown);
    expect(typed).toBeTypeOf('string');
  });

  it('keeps what is personal out of a channel', () => {
    const view: View = {
      kind: 'devices',
      title: 'user:anna',
      publicTitle: 'user:…',
      shared: true,
      rows: [],
      unlisted: 0,
      paging: {
        command: 'devices',
        input: {},
        line: { root: '/fleet', text: 'devices user:anna' },
        page: 0,
        pages: 1,
        total: 0,
        asOf: ports.clock.now(),
      },
    };
    expect(JSON.stringify(renderView({ ...view, shared: true }))).not.toContain('anna');
  });
});

const value = fc.oneof(
  fc.constantFrom(
    'a',
    'Linux servers',
    'a,b',
    "it's",
    'say "hi"',
    '`a`',
    'because',
    'or',
    '-x',
    '#12',
    'os:x',
  ),
  fc.string({ minLength: 1, maxLength: 12 }),
);
const quoted = value.map((text) => (text.includes('"') ? `'${text}'` : `"${text}"`));
const word = fc.oneof(quoted, value, fc.constantFrom('web', 'or'));
/** Those of which any value can be typed. */
const KEYS = deviceFilter.shape.key.options.filter((name) => !['ip', 'is', 'missing'].includes(name));
const key = fc.constantFrom(...KEYS);
const filter = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-'), key, fc.oneof(quoted, value))
    .map(([sign, name, text]) => `${sign}${name}:${text}`),
  fc.constantFrom(
    'is:online',
    'is:online,offline',
    '-is:stale',
    'ip:10.0.0.0/8',
    'or',
    'sort:seen',
    '-sort:os',
  ),
);

/** The query that the words give to `devices`; null where they are refused. */
function queryOf(line: string) {
  const read = tokenizeLine(line);
  if (read.kind === 'fault' || devicesCommand.parse(read.words).kind === 'fault') return null;
  const parsed = parseDeviceFilters(read.words.filters);
  if (parsed.kind === 'fault') return null;
  const { filters, sort } = parsed.input;
  return { words: [...read.words.free], filters, ...(sort === null ? {} : { sort }) };
}

describe('any question about devices', () => {
  it('is the same question when its line is typed', () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), fc.array(filter, { maxLength: 5 }), (words, filters) => {
        const once = queryOf([...words, ...filters].join(' '));
        if (once === null) return;
        taken += 1;
        expect(queryOf(deviceQueryText(once))).toEqual(once);
      }),
      { numRuns: runs(2_000) },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
