import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { createLineParser } from '../../../src/commands/parser/line-parser.ts';
import { personId } from '../../../src/lib/ids.ts';
import { createFakeSettings } from '../harness/fake-settings.ts';

const ME = personId('UME');
const settings = createFakeSettings();
await settings.aliases.save({ owner: ME, by: ME, name: 'lr', line: 'devices tag:"a b"' });
await settings.aliases.save({ owner: ME, by: ME, name: 'again', line: 'reboot' });
await settings.saved.save({ owner: ME, by: ME, name: 'web', line: 'web is:online' });
const read = createLineParser({ registry, settings });

/** The parsed line, with the command's name. */
async function reading(text: string, person = ME) {
  const found = await read(text, person);
  const parsed = found.kind === 'kept' ? found.parsed : found;
  const command = 'command' in parsed ? parsed.command.name : null;
  return { kind: found.kind, alias: found.kind === 'kept' ? found.alias : null, asked: parsed, command };
}

describe('a typed line', () => {
  it.each([
    ['device web-01', 'device'],
    ['DEVICE web-01', 'device'],
    ['', 'help'],
  ])('%j is a command with its input', async (text, command) => {
    expect(await reading(text)).toMatchObject({ kind: 'command', command, asked: { kind: 'command' } });
  });

  it('that is incomplete opens a form with what was typed', async () => {
    const view = {
      kind: 'fill-in',
      command: 'reboot',
      prefill: { reason: 'kernel' },
      missing: expect.any(String),
      usage: expect.stringMatching(/^reboot /),
    };
    const found = await reading('reboot because kernel');
    expect(found).toMatchObject({ kind: 'fill-in', command: 'reboot', asked: { view } });
  });

  it.each([
    ['device "web', { kind: 'usage', usage: 'help', fault: { kind: 'open-quote' }, root: '/fleet' }],
    [
      'devcie web-01',
      {
        kind: 'unknown-command',
        word: 'devcie',
        root: '/fleet',
        nearest: expect.arrayContaining(['device']),
      },
    ],
    ['export web-01', { kind: 'unknown-command', word: 'export', nearest: [] }],
    ['devices is:nonsense', { kind: 'usage', command: 'devices', root: '/fleet' }],
  ])('%j is a problem', async (text, problem) => {
    expect(await reading(text)).toMatchObject({ kind: 'problem', asked: { problem } });
  });
});

describe('a time in words', () => {
  it.each([
    ['reboot web-01 tonight', 'tonight', { device: 'web-01', reason: null }],
    ['reboot web-01 tomorrow at 02:00 because x', 'tomorrow at 02:00', { device: 'web-01', reason: 'x' }],
    ['reboot web-01 friday', 'friday', { device: 'web-01' }],
    ['reboot tonight group:Kiosks', 'tonight', { filters: [{ key: 'group' }] }],
    ['patch web-01 openssl at 2am', 'at 2am', { device: 'web-01', packages: ['openssl'] }],
    ['scan web-01 in 2 hours', 'in 2 hours', { device: 'web-01' }],
    ['reboot web-01 because update tonight', 'tonight', { device: 'web-01', reason: 'update tonight' }],
    ['reboot web-01 because update, at 22:30.', 'at 22:30', { reason: 'update, at 22:30.' }],
    ['group-edit Kiosks every:2h because tidy tomorrow', 'tomorrow', { reason: 'tidy tomorrow' }],
    ['again web-01 tonight', 'tonight', { device: 'web-01' }],
  ])('is asked about: %s', async (text, when, input) => {
    const { asked, command } = await reading(text);
    const problem = { kind: 'no-schedules', when, does: 'set', choice: { command, input } };
    expect(asked).toMatchObject({ kind: 'time', problem });
  });

  it.each(['explain reboot web-01 tonight', 'explain reboot web-01 because update tonight'])(
    'is asked about in what is explained: %s',
    async (text) => {
      const choice = { command: 'explain', input: { command: 'reboot', typed: { free: ['web-01'] } } };
      const { asked } = await reading(text);
      expect(asked).toMatchObject({ kind: 'time', problem: { when: 'tonight', does: 'run', choice } });
    },
  );

  it('is asked about in a line that lacks the device, whose button opens the form', async () => {
    const problem = { does: 'form', choice: { command: 'reboot', input: { reason: 'x' } } };
    expect((await reading('reboot tonight because x')).asked).toMatchObject({ kind: 'time', problem });
  });

  it.each([
    'reboot web-01 because "update tonight"',
    'reboot web-01 because it crashed on Friday',
    'reboot web-01 because tonight’s update failed',
    'reboot web-01 because of 3 errors at 2 sites',
    'group-create Tomorrow',
    'devices tonight',
    'silence patch-failed until 18:00',
  ])('is none: %s', async (text) => {
    expect((await reading(text)).asked.kind).not.toBe('time');
  });
});

describe('a greeting', () => {
  it.each(['hi', 'Hello!', 'hey there', 'THANKS', 'thank you.', 'Good morning'])(
    '%j is one',
    async (text) => {
      expect(await reading(text)).toMatchObject({ kind: 'greeting' });
    },
  );

  it.each(['highly', 'hi web-01', 'thanks for nothing', 'hiya-01'])('%j is none', async (text) => {
    expect((await reading(text)).kind).toBe('problem');
  });

  it('is an alias where somebody has one of this name', async () => {
    const you = personId('UYOU');
    await settings.aliases.save({ owner: you, by: you, name: 'hi', line: 'devices' });
    expect(await reading('hi', you)).toMatchObject({ kind: 'kept', command: 'devices' });
  });
});

describe('a misspelled command', () => {
  const offersFor = async (text: string) => {
    const { asked } = await reading(text);
    if (asked.kind !== 'problem' || asked.problem.kind !== 'unknown-command') throw new Error(asked.kind);
    return asked.problem.offers;
  };

  it.each([
    ['devcies is:online', '/fleet devices is:online', 'run', 'devices'],
    ['susbcriptions all', '/fleet subscriptions all', 'run', 'subscriptions'],
    ['rebot web-01 because kernel', '/fleet reboot web-01 because kernel', 'form', 'reboot'],
    [
      'rebot web-01 because &lt;!here&gt; &amp; you',
      '/fleet reboot web-01 because <!here> & you',
      'form',
      'reboot',
    ],
    ['pacth', '/fleet patch', 'form', 'patch'],
    ['aliass lw = devices', '/fleet alias lw = devices', 'set', 'alias'],
    ['ack 1', '/fleet acknowledge 1', 'set', 'acknowledge'],
    ['acknowlege', '/fleet acknowledge', 'form', 'acknowledge'],
  ])(
    '%s: offers the whole line, run where it is complete and changes no device',
    async (text, line, does, command) => {
      const choice = { command, input: expect.anything() };
      expect(await offersFor(text)).toEqual(expect.arrayContaining([{ kind: 'line', line, does, choice }]));
    },
  );

  it('opens the form of a write command with all that was typed', async () => {
    expect(await offersFor('rebot web-01 because kernel')).toMatchObject([
      { choice: { input: { device: 'web-01', reason: 'kernel' } } },
    ]);
  });

  it('offers the help where the rest of the line is nothing to it', async () => {
    expect(await offersFor('devcies is:nonsense')).toMatchObject([
      { line: '/fleet help devices', does: 'run' },
    ]);
  });

  it.each([
    ['the line names a saved target, which may be everybody’s', 'devcies in:web'],
    ['it is near to nothing', 'frobnicate web-01'],
  ])('offers no line where %s', async (_why, text) => {
    expect(await offersFor(text)).toBeUndefined();
  });
});

describe('a line with saved names', () => {
  it.each([
    ['lr is:offline', { name: 'lr', line: 'devices tag:"a b" is:offline' }, 'devices tag:"a b" is:offline'],
    ['devices in:web', null, 'devices web is:online'],
    ['lr in:web', { name: 'lr', line: 'devices tag:"a b" in:web' }, 'devices web tag:"a b" is:online'],
  ])('%s says so, and means the same as its text', async (text, alias, same) => {
    const found = await reading(text);
    expect(found).toMatchObject({ kind: 'kept', alias });
    expect(found.asked).toEqual((await reading(same)).asked);
  });

  it.each(['again', 'devices in:wbe', 'explain devices in:wbe', 'device in:web'])(
    'says so of %s too, where something is wrong',
    async (text) => {
      expect((await reading(text)).kind).toBe('kept');
    },
  );

  it('knows nothing of another person’s', async () => {
    const other = personId('UOTHER');
    expect(await reading('lr', other)).toMatchObject({ kind: 'problem' });
    expect(await reading('devices in:web', other)).toMatchObject({ asked: { kind: 'problem' } });
  });
});

describe('a misspelled filter or value', () => {
  const offersFor = async (text: string) => {
    const { asked } = await reading(text);
    if (asked.kind !== 'problem' || asked.problem.kind !== 'usage') throw new Error(asked.kind);
    return asked.problem.offers;
  };

  it.each([
    ['devices grup:linux is:online', '/fleet devices group:linux is:online', 'run', 'devices'],
    ['devices -grup:"a b"', '/fleet devices -group:"a b"', 'run', 'devices'],
    ['devices web is:ofline', '/fleet devices web is:offline', 'run', 'devices'],
    ['compliance polices', '/fleet compliance policies', 'run', 'compliance'],
    ['silence web-01 for 2h', '/fleet silence device:web-01 for 2h', 'set', 'silence'],
    ['silence web-01', '/fleet silence group:web-01', 'set', 'silence'],
    ['packages web-01 severity:hgih', '/fleet packages web-01 severity:high', 'run', 'packages'],
    ['device-edit web-01 nmae:front', '/fleet device-edit web-01 name:front', 'form', 'device-edit'],
  ])('%s: offers the corrected line, run only where it reads', async (text, line, does, command) => {
    const choice = expect.objectContaining({ command });
    expect(await offersFor(text)).toEqual(expect.arrayContaining([{ kind: 'line', line, does, choice }]));
  });

  it.each([
    ['packages web-01 severity:purple', 'severity:critical'],
    ['devices sort:foo', 'sort:seen'],
    ['devices -sort:foo', 'sort:os'],
  ])('%s: lists what there is where no value is near', async (text, listed) => {
    const { asked } = await reading(text);
    if (asked.kind !== 'problem' || asked.problem.kind !== 'usage') throw new Error(asked.kind);
    expect(asked.problem.offers).toBeUndefined();
    expect(asked.problem.fault).toMatchObject({ nearest: expect.arrayContaining([listed]) });
  });

  it.each([
    ['nothing is near', 'devices zzzz:1'],
    ['the word stands twice', 'devices grup:linux grup:linux'],
    ['the rest of the line is wrong, too', 'devices grup:linux nonsens:1'],
  ])('offers no line where %s', async (_why, text) => {
    expect(await offersFor(text)).toBeUndefined();
  });
});
