import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, aSilence } from '../../harness/records.ts';
import { renderedButtons, renderedTexts } from '../rendered-text.ts';

const OPS = channelId('C0OPS');

describe('the announcement of a silence', () => {
  it('says how it is ended: by its button', () => {
    const shown = renderView({ kind: 'silence-on', silence: aSilence({ number: 7 }), channel: OPS });
    const [end, ...others] = renderedButtons(shown);
    expect(others).toEqual([]);
    expect(renderedTexts(shown.blocks).map(({ text }) => text)).toContain('End silence');
    expect(readButtonValue(end?.value ?? '')).toEqual({ do: 'run', command: 'silence', input: { off: 7 } });
  });

  it('has the scope of the answer to the one who silenced', () => {
    const silence = aSilence({ createdBy: personId('U0ANN') });
    const scope = ' silenced all alerts, in every channel.';
    const announced = renderView({ kind: 'silence-on', silence, channel: OPS });
    const answer = renderView({ kind: 'silenced', silence, zone: null, skipped: null, unknown: [] });
    expect(announced.text).toContain(`<@U0ANN>${scope}`);
    expect(answer.text).toContain(`You${scope}`);
  });

  it('says that clocks skip the time that was typed, and shows the resulting one', () => {
    const until = instant(Date.parse('2027-03-14T07:00:00Z'));
    const view = { kind: 'silenced', silence: aSilence({ until }), skipped: '02:30', unknown: [] } as const;
    const shown = renderView({ ...view, zone: 'America/New_York' });
    const texts = renderedTexts(shown.blocks).map(({ text }) => text);
    expect(shown.text).toContain('(2027-03-14 at 03:00 America/New_York)');
    expect(texts).toContain('Clocks skip 02:30 that day. The silence ends right after the gap.');
  });

  it('says which events are not known', () => {
    const silence = aSilence({ scope: { kinds: ['mac12.local'], group: null, device: null, patch: null } });
    const choice = { command: 'silence', input: { device: 'mac12.local' } };
    const unknown = [{ name: 'mac12.local', meant: { word: 'device:mac12.local', choice } }];
    const { blocks } = renderView({ kind: 'silenced', silence, zone: null, skipped: null, unknown });
    expect(renderedTexts(blocks).map(({ text }) => text)).toContain(
      'Patchbay doesn’t know the event `mac12.local`. It holds only events logged under exactly this name. Did you mean `device:mac12.local`?',
    );
  });

  it('says after its end who ended it, without a button', () => {
    const ended = aSilence({ endedAt: START, endedBy: personId('U0BOB') });
    const shown = renderView({ kind: 'silence-on', silence: ended, channel: OPS });
    expect(shown.text).toMatch(/^▫️ \*Silence ended\*\n<@U0BOB> ended it <!date/);
    expect(renderedButtons(shown)).toEqual([]);
  });
});

describe('the button that silences', () => {
  const labelOf = (deviceName: string) =>
    renderedTexts(renderView({ kind: 'alert', alert: anAlert({ deviceName }) }).blocks)
      .map(({ text }) => text)
      .find((text) => /^Silence .* h$/.test(text));

  it('names what it silences', () => {
    expect(labelOf('web-01')).toBe('Silence web-01 patch failures for 2 h');
  });

  it.each([
    ['device-added', 'Silence new-device alerts for 2 h'],
    ['device-removed', 'Silence removed-device alerts for 2 h'],
  ] as const)('holds every %s alert, because each device has only one', (kind, label) => {
    const shown = renderView({ kind: 'alert', alert: anAlert({ kind, packages: [], reason: null }) });
    expect(renderedTexts(shown.blocks).map(({ text }) => text)).toContain(label);
    const button = renderedButtons(shown).find(({ action }) => action === 'silence:kind');
    expect(readButtonValue(button?.value ?? '')).toMatchObject({
      command: 'silence',
      input: { events: [kind], device: null, package: null, group: null },
    });
  });

  it('cuts a long name, not the hours', () => {
    const label = labelOf('a'.repeat(200)) ?? '';
    expect(label).toMatch(/^Silence a+… patch failures for 2 h$/);
    expect(label).toHaveLength(75);
  });
});
