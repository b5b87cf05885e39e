import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { scanCommand } from '../../../src/commands/scan-and-reboot.ts';
import { testPorts } from '../harness/ports.ts';

describe('registry', () => {
  it('finds a command whatever the case', () => {
    expect(registry.find('Reboot')?.name).toBe('reboot');
    expect(registry.find('rebot')).toBeNull();
    expect(registry.find('constructor')).toBeNull();
  });

  it('offers the nearest names', () => {
    expect(registry.nearest('rebot')[0]).toBe('reboot');
    expect(registry.nearest('devcie')[0]).toBe('device');
  });

  it('refuses two commands of one name', () => {
    expect(() => createRegistry(() => [scanCommand, scanCommand])).toThrow('scan');
  });

  it('starts every usage and every example with the name of its command', () => {
    for (const { name, usage, examples, summary } of registry.all()) {
      for (const line of [usage, ...examples]) expect(line.split(' ')[0]).toBe(name);
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('gives everybody only help', () => {
    const open = registry.all().filter((command) => command.kind === 'read' && command.open);
    expect(open.map(({ name }) => name)).toEqual(['help']);
  });
});

describe('help', () => {
  const help = registry.find('help');
  if (help?.kind !== 'read') throw new Error('help reads');
  const { ports } = testPorts({});
  const none = { free: [], filters: [], flags: [], reason: null };

  it('lists every command of the registry where no person is given', async () => {
    const view = await help.run({ topic: 'all' }, 0, ports);
    if (view.kind !== 'help') throw new Error('no help');
    const named = view.sections.flatMap(({ commands }) => commands);
    expect(named.toSorted(byName)).toEqual(registry.help().toSorted(byName));
    expect(view.sections.map(({ title }) => title)).toEqual([
      'Look at the fleet',
      'Change devices, groups and policies',
      'Alerts',
      'Settings',
    ]);
    expect(view).toMatchObject({ withheld: 0, refusal: null });
    expect(registry.help().map(({ name }) => name)).toEqual(registry.all().map(({ name }) => name));
  });

  it('describes one', async () => {
    const parsed = help.parse({ ...none, free: ['REBOOT'] });
    if (parsed.kind === 'fault') throw new Error('no fault');
    expect(await help.run(parsed.input, 0, ports)).toMatchObject({ kind: 'help', topic: { name: 'reboot' } });
  });

  it('names an unknown topic back', async () => {
    expect(await help.run({ topic: 'rebot' }, 0, ports)).toMatchObject({
      kind: 'problem',
      problem: { kind: 'unknown-command', word: 'rebot', root: '/fleet' },
    });
  });

  it('names a flag in place of a command', () => {
    expect(help.parse({ ...none, flags: ['--x'] })).toMatchObject({ kind: 'fault', fault: { word: '--x' } });
  });
});

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
