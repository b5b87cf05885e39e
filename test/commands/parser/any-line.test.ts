/** Whatever somebody types is parsed and answered, and changes nothing. The lines are generated from the grammar. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { createLineParser, type ParsedLine } from '../../../src/commands/parser/line-parser.ts';
import { problemView } from '../../../src/commands/parser/usage-errors.ts';
import type { FleetPage, FleetReader } from '../../../src/fleet/fleet.ts';
import { readDetail } from '../../../src/fleet/schema/device.ts';
import { createInventory } from '../../../src/inventory/inventory-service.ts';
import { createManualClock, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import { renderView, type View } from '../../../src/views/views.ts';
import {
  aDevice,
  aGroup,
  anEvent,
  anOrganization,
  aPackage,
  aPolicy,
  aQueueEntry,
  START,
} from '../../harness/builders.ts';
import { nothingSaved } from '../../harness/nothing-saved.ts';
import { runs } from '../../harness/runs.ts';
import { brokenRules } from '../../views/slack-message-rules.ts';
import { createFakeFleet } from '../harness/fake-fleet.ts';
import { createFakeSettings } from '../harness/fake-settings.ts';
import { testPorts } from '../harness/ports.ts';

const SEED = 20_261_120;

const names = registry.all().map(({ name }) => name);
const usages = registry.all().map(({ usage }) => usage);
const keys = [
  ...new Set(usages.flatMap((usage) => [...usage.matchAll(/([a-z]+):/g)].map(([, key = '']) => key))),
];
const words = [...new Set(usages.flatMap((usage) => usage.split(/[^a-z-]+/)))].filter((word) => word !== '');

const things = 'web-01|WEB 02|#1001|1002|#99|Linux servers|openssl|10.0.0.0/8|fe80::1|deploy'.split('|');
const hostile = [
  '<@U012AB|jo>',
  '<#C012AB|1042>',
  '<http://web-01|web-01>',
  '<mailto:a@b.example>',
  '<!channel>',
  '&amp;&lt;',
  '\u0000\u0007',
  '\u202Ereversed',
  '\uD800',
  'e\u0301😀',
  '日本語',
  '`code`',
  '../../etc/passwd',
  "'; DROP TABLE devices; --",
  '__proto__',
  'constructor',
  '=cmd()',
  '٣',
  '1e309',
  '-0',
  'x'.repeat(1_200),
];
const marks = ['"', "'", '“', '”', '„', '«', '’', '—', '-', '--', ',', ':', '#', '/', '|', '…'];

const value = fc.constantFrom(...things, ...words, ...hostile, '');
const quote = fc.constantFrom<readonly [string, string]>(
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“'],
  ['', ''],
  ['"', ''],
);
const quoted = fc.tuple(quote, value).map(([[open, close], text]) => `${open}${text}${close}`);
const filter = fc
  .tuple(
    fc.constantFrom('', '', '-', '–'),
    fc.constantFrom(...keys, 'grp', 'is', 'IS'),
    fc.array(quoted, { minLength: 1, maxLength: 3 }),
  )
  .map(([sign, key, values]) => `${sign}${key}:${values.join(',')}`);
const token = fc.oneof(
  { weight: 5, arbitrary: quoted },
  { weight: 5, arbitrary: filter },
  { weight: 3, arbitrary: fc.constantFrom(...words, 'or', 'because', 'OR', '--all', '-x') },
  { weight: 1, arbitrary: fc.constantFrom(...marks, ...hostile) },
);
const space = fc.constantFrom(' ', ' ', ' ', ' ', '', '  ', '\n', '\u00A0', '\t');
const others = ['lr', 'devcie', 'DEVICES', '', '/fleet', '<@U0BOT>'];
const head = fc.constantFrom(...names, ...names, ...names, ...others);
const line = fc
  .tuple(head, fc.array(fc.tuple(space, token), { maxLength: 7 }))
  .map(([first, rest]) => first + rest.map(([before, text]) => before + text).join(''));

const ME = personId('UME');
const settings = createFakeSettings();
await settings.aliases.save({ owner: ME, by: ME, name: 'lr', line: 'devices group:"Linux servers"' });
await settings.saved.save({ owner: ME, by: ME, name: 'deploy', line: 'web tag:deploy is:online' });
const read = createLineParser({ registry, settings });

async function asked(text: string): Promise<ParsedLine> {
  const reading = await read(text, ME);
  return reading.kind === 'kept' ? reading.parsed : reading;
}

describe('any line that somebody types', () => {
  it('is read without a throw, as a command’s input or as what is wrong or lacks', async () => {
    const met = { command: 0, 'fill-in': 0, problem: 0, time: 0, kept: 0, greeting: 0 };
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        met[(await read(text, ME)).kind] += 1;
      }),
      { numRuns: runs(100_000), seed: SEED },
    );
    // A generator that makes only one kind of line would prove nothing.
    const { greeting: _, time: __, ...others } = met;
    expect(Math.min(...Object.values(others))).toBeGreaterThan(runs(100_000) / 200);
  }, 60_000);

  it('is answered within Slack’s rules and three seconds, and nothing is changed', async () => {
    const { ports, clock, writes } = aFleet();
    await ports.inventory.snapshot();
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const began = clock.now();
        const view = await answerOf(await asked(text), ports);
        if (view !== null) {
          ran += 1;
          expect(brokenRules(renderView(view))).toEqual([]);
        }
        expect(clock.now() - began).toBeLessThan(3 * SECOND);
      }),
      { numRuns: runs(10_000), seed: SEED },
    );
    expect(ran).toBeGreaterThan(runs(10_000) * 0.7);
    expect(writes).toEqual([]);
  }, 60_000);
});

/** Null for lines that would write or change a setting: nothing of that is done here. */
async function answerOf(what: ParsedLine, ports: ReadPorts): Promise<View | null> {
  if (what.kind === 'problem' || what.kind === 'time') return problemView(what.problem);
  if (what.kind === 'greeting') return null;
  if (what.kind !== 'command') return what.view;
  const { command, input } = what;
  switch (command.kind) {
    case 'setting':
      return null;
    case 'read':
      return command.run(input, 0, ports);
    case 'write': {
      const planned = await command.plan(input, ports);
      if (planned.kind === 'proposal') return null;
      return planned.kind === 'view' ? planned.view : problemView(planned.problem);
    }
  }
}

/** Duration of each request to the service, by the injected clock. */
const REQUEST_MS = 100;

/** A fleet whose requests take time, and that records every call besides its reads. */
function aFleet() {
  const content = {
    devices: [
      aDevice({ detail: readDetail({ PS_VERSION: '5.1.20348' }, null) }),
      aDevice({ id: deviceId(1002), name: 'WEB 02', groupId: groupId(30) }),
      aDevice({ id: deviceId(1003), name: 'WEB 02', connected: false }),
    ],
    groups: [aGroup(), aGroup({ id: groupId(30), name: 'Windows' })],
    packages: [aPackage()],
    queue: [aQueueEntry()],
    events: [anEvent()],
    policies: [aPolicy(), aPolicy({ id: policyId(13), name: 'Apply All Patches' })],
    organizations: [anOrganization()],
  };
  const base = testPorts(content);
  const clock = createManualClock(START);
  const fake = createFakeFleet({ ...content, pageSize: 500 });
  async function* slow<T>(pages: AsyncIterable<FleetPage<T>>): AsyncIterable<FleetPage<T>> {
    await clock.advance(REQUEST_MS);
    yield* pages;
  }
  const one = async <T>(read: Promise<T>): Promise<T> => {
    await Promise.all([clock.advance(REQUEST_MS), read.catch(() => undefined)]);
    return read;
  };
  const writes: string[] = [];
  const reads: FleetReader = {
    devices: (...asked) => slow(fake.devices(...asked)),
    device: (...asked) => one(fake.device(...asked)),
    preview: (...asked) => slow(fake.preview(...asked)),
    packages: (...asked) => slow(fake.packages(...asked)),
    missingPackages: (...asked) => slow(fake.missingPackages(...asked)),
    queue: (...asked) => one(fake.queue(...asked)),
    queueEntry: (...asked) => one(fake.queueEntry(...asked)),
    events: (...asked) => slow(fake.events(...asked)),
    countEvents: (...asked) => one(fake.countEvents(...asked)),
    groups: (...asked) => slow(fake.groups(...asked)),
    group: (...asked) => one(fake.group(...asked)),
    policies: (...asked) => slow(fake.policies(...asked)),
    policy: (...asked) => one(fake.policy(...asked)),
    organizations: (...asked) => slow(fake.organizations(...asked)),
  };
  const fleet = new Proxy(reads, {
    get(target, name, receiver) {
      if (!(name in target)) writes.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  const ports: ReadPorts = {
    ...base.ports,
    fleet,
    clock,
    inventory: createInventory({ fleet, clock, store: nothingSaved }),
  };
  return { ports, clock, writes };
}
