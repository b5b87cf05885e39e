import { describe, expect, it } from 'vitest';
import { fieldOf, fieldsOf, formFleetPorts, openForm, readForm } from './form-harness.ts';

describe('the form that looks for devices', () => {
  const form = () => openForm('devices');

  it('gives the chosen device, or the typed text, with which it starts the next time', async () => {
    expect(readForm(form(), { device: ['2'], words: [] })).toEqual({
      kind: 'input',
      input: { words: ['#2'], filters: [] },
    });
    const typed = 'web or db os:linux sort:seen';
    const given = readForm(form(), { device: [], words: [typed] });
    expect(given).toMatchObject({ input: { words: ['web', 'or', 'db'], filters: [{ key: 'os' }], typed } });
    if (given.kind !== 'input') throw new Error('no input');
    expect(fieldOf(fieldsOf(await form().open(given.input, formFleetPorts)), 'words')).toMatchObject({
      initial: typed,
    });
  });

  it('says above its fields why it is shown', async () => {
    expect(fieldsOf(await form().open({ note: 'No device was found.' }, formFleetPorts))[0]).toEqual({
      kind: 'words',
      text: 'No device was found.',
    });
  });

  it.each([
    ['nothing', { device: [], words: [' '] }, { device: expect.any(String) }],
    ['both', { device: ['2'], words: ['web'] }, { words: expect.any(String) }],
    ['an unknown filter', { words: ['so:linux'] }, { words: expect.stringContaining('so:linux') }],
    ['an open quote', { words: ['"web'] }, { words: expect.stringContaining('quote') }],
  ])('says on the field what is wrong: %s', (_what, values, errors) => {
    expect(readForm(form(), values)).toEqual({ kind: 'errors', errors });
  });
});
