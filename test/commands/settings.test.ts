import { beforeEach, describe, expect, it } from 'vitest';
import type { SettingPorts } from '../../src/commands/core/command.ts';
import { registry } from '../../src/commands/index.ts';
import { plainLine, tokenizeTyped } from '../../src/commands/parser/tokenizer.ts';
import { findZone } from '../../src/commands/timezone.ts';
import { later, MINUTE } from '../../src/lib/clock.ts';
import { channelId, deviceId, personId } from '../../src/lib/ids.ts';
import { readButtonValue } from '../../src/views/kit/buttons.ts';
import { renderView, type UsageFault, type View } from '../../src/views/views.ts';
import { aDevice, START } from '../harness/builders.ts';
import { renderedButtons } from '../views/rendered-text.ts';
import { createFakeSettings, SMALL_NAME_LIMIT } from './harness/fake-settings.ts';
import { testPorts } from './harness/ports.ts';
import { commandOf } from './harness/typed-line.ts';

const OTHER = personId('UOTHER');
let ports: SettingPorts;
let isAdmin: boolean;
beforeEach(() => {
  isAdmin = false;
  ports = {
    ...testPorts({ devices: [aDevice({ name: 'web-01' }), aDevice({ id: deviceId(2), name: 'dup-01' })] })
      .ports,
    settings: createFakeSettings(),
    channel: channelId('C0OPS'),
    refusal: async (need) =>
      need === 'configure' && !isAdmin ? { kind: 'not-allowed', need: 'admin', role: 'operator' } : null,
  };
});

function parse(text: string) {
  const read = tokenizeTyped(text);
  if (read.kind === 'fault') return { read };
  const [name = '', ...free] = read.words.free;
  const command = commandOf('setting', name);
  return { command, parsed: command.parse({ ...read.words, free, line: plainLine(text) }) };
}
async function says(text: string, asker = ports.asker): Promise<View> {
  const { command, parsed } = parse(text);
  if (command === undefined || parsed.kind === 'fault') throw new Error(JSON.stringify(parsed));
  return command.run(parsed.input, 0, { ...ports, asker });
}
function faultOf(text: string): UsageFault {
  const { read, parsed } = parse(text);
  if (read !== undefined) return read.fault;
  if (parsed.kind !== 'fault') throw new Error(`${text} was taken`);
  return parsed.fault;
}
const namesIn = (view: View) =>
  view.kind === 'named-lines' ? view.rows.map(({ named }) => named.name) : [view.kind];

describe('alias and save', () => {
  it.each([
    [
      'alias lr = devices group:"Linux servers" is:online',
      { name: 'lr', line: 'devices group:"Linux servers" is:online' },
    ],
    ['alias LR=queue   web-01', { name: 'lr', line: 'queue   web-01' }],
    ['alias go = reboot web-01 because “a = b”', { name: 'go', line: 'reboot web-01 because "a = b"' }],
    ['alias shared = status', { name: 'shared', line: 'status' }],
    ['save web = web os:linux is:online', { name: 'web', line: 'web os:linux is:online' }],
    ['save x = -is:online or is:stale', { name: 'x', line: '-is:online or is:stale' }],
  ])('keeps %s', async (text, named) => {
    const kept = await says(text);
    const done = { kind: 'kept', name: named.name };
    expect(kept).toMatchObject({ kind: 'named-lines', done, rows: [{ named }] });
    expect(await says(text.startsWith('alias') ? 'alias' : 'saved')).toMatchObject({ rows: [{ named }] });
  });

  it.each([
    ['alias reboot = device web-01', { kind: 'bad-value', word: 'reboot' }],
    ['alias x = lr', { kind: 'unknown-word', word: 'lr' }],
    ['alias x = ', { kind: 'missing' }],
    ['alias = status', { kind: 'missing', what: 'Enter a name.' }],
    ['alias x y = status', { kind: 'bad-value', word: 'y' }],
    ['alias x', { kind: 'missing' }],
    ['alias x = queue "web', { kind: 'open-quote' }],
    ['alias <!channel> = status', { kind: 'bad-value', word: '<!channel>' }],
    [`alias ${'x'.repeat(31)} = status`, { kind: 'bad-value' }],
    [`alias x = queue ${'x'.repeat(300)}`, { kind: 'too-long', limit: 300 }],
    ['alias remove', { kind: 'missing', what: 'Enter a name.' }],
    ['save', { kind: 'missing' }],
    ['save web = colour:blue', { kind: 'unknown-word', word: 'colour:blue' }],
    ['save web = in:other', { kind: 'bad-value', word: 'in:other' }],
    ['saved web', { kind: 'unknown-word', word: 'web' }],
  ])('refuses %s', (text, fault) => {
    expect(faultOf(text)).toMatchObject(fault);
  });

  it('leaves shared names to people who may configure', async () => {
    const refused = { kind: 'problem', problem: { kind: 'not-allowed', need: 'admin' } };
    expect(await says('alias shared lr = status')).toMatchObject(refused);
    isAdmin = true;
    await says('alias shared lr = status');
    const forAdmin = await says('alias');
    expect(forAdmin).toMatchObject({ rows: [{ remove: { command: 'alias' } }] });
    isAdmin = false;
    expect(await says('alias', OTHER)).toMatchObject({ rows: [{ named: { name: 'lr' }, remove: null }] });
    expect(await says('alias remove shared lr', OTHER)).toMatchObject(refused);
    expect(await says('alias remove lr', OTHER)).toMatchObject({ problem: { kind: 'no-such-name' } });
  });

  it.each(['web-01', 'WEB-01', 'dup-01'])('shares no alias named like the device %s', async (name) => {
    isAdmin = true;
    const refused = { kind: 'problem', problem: { kind: 'alias-is-device', name: name.toLowerCase() } };
    expect(await says(`alias shared ${name} = reboot db-01`)).toMatchObject(refused);
    expect(namesIn(await says('alias'))).toEqual([]);
  });

  it('keeps each person’s to themselves', async () => {
    await says('save mine = is:online');
    expect(namesIn(await says('saved', OTHER))).toEqual([]);
    expect(namesIn(await says('saved'))).toEqual(['mine']);
  });

  it('removes one once, by its button too, and names the nearest', async () => {
    await says('alias lr = status');
    const list = await says('alias');
    const remove = list.kind === 'named-lines' ? list.rows[0]?.remove : undefined;
    const command = commandOf('setting', 'alias');
    if (!remove) throw new Error('no button');
    const done = { kind: 'removed', name: 'lr' };
    expect(await command.run(remove.input, 0, ports)).toMatchObject({ done, rows: [] });
    await says('alias lx = status');
    expect(await command.run(remove.input, 0, ports)).toMatchObject({
      problem: {
        kind: 'no-such-name',
        name: 'lr',
        offers: [{ line: '/fleet alias remove lx', does: 'set' }],
      },
    });
  });

  it('says how many there may be', async () => {
    for (let at = 0; at < SMALL_NAME_LIMIT; at += 1) await says(`alias a${at} = status`);
    const expected = { problem: { kind: 'names-full', most: 50 } };
    expect(await says('alias one-more = status')).toMatchObject(expected);
  });
});

describe('timezone', () => {
  it('is UTC, then what was chosen, then UTC again', async () => {
    expect(await says('timezone')).toMatchObject({ zone: 'UTC', chosen: false, changed: false });
    const expected = { zone: 'Europe/Berlin', chosen: true, changed: true };
    expect(await says('timezone europe/berlin')).toMatchObject(expected);
    expect(await ports.settings.people.timezone(ports.asker)).toBe('Europe/Berlin');
    expect(await says('timezone', OTHER)).toMatchObject({ zone: 'UTC' });
    expect(await says('timezone reset')).toMatchObject({ zone: 'UTC', chosen: false, changed: true });
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['EUROPE/berlin', 'Europe/Berlin'],
    ['america/new york', 'America/New_York'],
    ['berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['utc', 'UTC'],
    ['Etc/GMT+2', 'Etc/GMT+2'],
  ])('knows %s', (typed, zone) => {
    expect(findZone(typed)).toEqual({ kind: 'zone', zone });
  });

  it.each(['CET', 'EST', 'BST'])('suggests no city for %s', (typed) => {
    expect(findZone(typed)).toEqual({ kind: 'none', nearest: [] });
  });

  it.each([
    ['olso', 'Europe/Oslo'],
    ['lond', 'Europe/London'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['berln', 'Europe/Berlin'],
    ['Europ/Paris', 'Europe/Paris'],
  ])('offers for %s the nearest', (typed, zone) => {
    expect(findZone(typed)).toMatchObject({ kind: 'none', nearest: expect.arrayContaining([zone]) });
  });

  it.each(['+02:00', '../etc/passwd', '<!channel>', 'x'.repeat(1_000), '/'])('is none of %s', (typed) => {
    expect(findZone(typed).kind).toBe('none');
  });
});

describe('pause', () => {
  const drawn = (view: View) => renderView(view).text;

  it('starts once, with its reason, and ends', async () => {
    expect(await says('pause because the data center moves')).toMatchObject({ what: 'begun' });
    const again = await says('pause', OTHER);
    expect(again).toMatchObject({ what: 'already', pause: { reason: 'the data center moves' } });
    expect(drawn(again)).toMatch(
      /^⚠️ All changes are already paused by .+ \(reason: the data center moves\)\./,
    );
    expect(await says('pause off')).toMatchObject({ what: 'ended' });
    expect(await says('pause off')).toEqual({ kind: 'pause', what: 'none' });
  });

  it('asks for confirmation without a reason, and starts with one press', async () => {
    const asked = await says('pause');
    expect(asked).toEqual({ kind: 'pause', what: 'ask' });
    expect(await ports.settings.pause.current()).toBeNull();
    const press = renderedButtons(renderView(asked)).find(({ action }) => action === 'pause');
    const value = readButtonValue(press?.value ?? '');
    if (value?.do !== 'run') throw new Error('no button');
    expect(press?.confirm).toBe('null');
    const command = commandOf('setting', 'pause');
    const pause = { reason: null };
    expect(await command.run(value.input, 0, ports)).toMatchObject({ what: 'begun', pause });
  });

  it('records a reason that is given while it lasts', async () => {
    await says('pause because the data center moves');
    const added = await says('pause because of the fire', OTHER);
    expect(added).toMatchObject({ what: 'reason-added' });
    expect(drawn(added)).toMatch(
      /^⚠️ All changes are paused .*reason: .*of the fire.*\. Your reason was added\./,
    );
  });

  it('ends by its own button only', async () => {
    const command = commandOf('setting', 'pause');
    const first = await says('pause because of a storm');
    if (first.kind !== 'pause' || first.what !== 'begun') throw new Error('not paused');
    await says('pause off');
    await says('pause because of another');
    const pressed = { do: 'off', pause: first.pause.id };
    expect(await command.run(pressed, 0, ports)).toEqual({ kind: 'pause', what: 'none' });
    expect(await ports.settings.pause.current()).not.toBeNull();
  });

  it('goes on where it began after a typed off was sent', async () => {
    const { command, parsed } = parse('pause off');
    if (command === undefined || parsed.kind === 'fault') throw new Error('not read');
    await says('pause because of a storm');
    const older = { ...ports, askedAt: later(START, -MINUTE) };
    const answer = await command.run(parsed.input, 0, older);
    expect(answer).toMatchObject({ kind: 'pause', what: 'newer' });
    expect(drawn(answer)).toMatch(/^⚠️ All changes are still paused .*began after your command was sent\./);
    expect(await ports.settings.pause.current()).not.toBeNull();
    expect(await command.run(parsed.input, 0, { ...ports, askedAt: START })).toMatchObject({ what: 'ended' });
  });

  it.each([
    ['pause now', 'now'],
    ['pause of', 'of'],
    ['pause off now', 'now'],
  ])('refuses %s', (text, word) => {
    expect(faultOf(text)).toMatchObject({ kind: 'unknown-word', word });
  });

  it('takes no reason to end', () => {
    expect(faultOf('pause off because x')).toMatchObject({ word: 'because' });
  });

  it('is for those who may configure', () => {
    expect(registry.find('pause')).toMatchObject({ permission: 'configure' });
  });
});
