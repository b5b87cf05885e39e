import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { menuOption } from '../../src/views/kit/blocks.ts';
import type { Block } from '../../src/views/model.ts';
import { renderView } from '../../src/views/views.ts';
import { samples } from './samples/all-samples.ts';

/** Begins every planted text, so that it is found wherever it is shown and however it is cut. */
const MARK = 'qqx';
const CODE = /`[^`]*`/g;
/** A quotation may be cut with its end. */
const QUOTED = /“[^“”]*(?:”|$)/g;

type Shown = { readonly type: string; readonly text: string };

/** Every text of a message, of any kind. */
function shownTexts(blocks: readonly Block[]): readonly Shown[] {
  const found: Shown[] = [];
  JSON.stringify(blocks, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { type, text, label, name } = value as Readonly<Record<string, unknown>>; // JSON of our own making
    for (const one of [text, label, name])
      if (typeof one === 'string') found.push({ type: typeof type === 'string' ? type : 'label', text: one });
    return value;
  });
  return found;
}

/** Our own sentences about commands; and the arguments in a queue, which name a package each. */
const OWN = /^a (?:reading command|setting) explained|help|: usage$|^a queue/;

/** What is shown of the planted text outside of code and quotation marks. */
function unmarked(planted: string, count: number): readonly string[] {
  return samples({ text: planted, count }).flatMap(([name, view]) => {
    if (OWN.test(name)) return [];
    const { text, blocks, plain = [] } = renderView(view);
    const all = [{ type: 'mrkdwn', text }, ...shownTexts(blocks), ...shownTexts(plain)];
    return all
      .filter((one) => one.text.replaceAll(one.type === 'mrkdwn' ? CODE : QUOTED, '').includes(MARK))
      .map((one) => `${name}: ${one.type}: ${one.text.slice(0, 200)}`);
  });
}

describe('text from outside that has a character of which our lines are built', () => {
  it.each([
    ...Array.from('·—→✅•‧⋅・ㆍꞏ٠ー–\u1C7C\uA4F8\uA4FA\u2D48\u2D4F\u09F9', (mark) => `lab ${mark} Offline`),
    ...['lab-08…', 'lab-08...', 'kernel -- Approved', ':warning: Verified', 'lab \u0307 Offline'],
    'lab” is Verified. “lab',
    'because kernel · Approved by security · Hostname: lab-01 · #4999',
  ])('is shown as code or in quotation marks in every view: %s', (text) => {
    expect(unmarked(`${MARK}${text}`, 2)).toEqual([]);
  });

  const structure = fc.constantFrom(
    ...'·—→…•‧⋅∙・–―⇒|✅⏳▶⚠⛔❓▫“”'.split(''),
    '--',
    '...',
    ':x:',
    ' ',
    'lab',
    '#4999',
  );
  it('is marked whatever stands around it, and however it is cut', () => {
    fc.assert(
      fc.property(fc.array(structure, { maxLength: 40 }), fc.constantFrom(1, 2, 11), (parts, count) => {
        expect(unmarked(`${MARK}·${parts.join('')}`, count)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('is marked in the options of a menu, whose own separators stay', () => {
    expect(menuOption({ value: '7', label: 'lab · 08', detail: ['#7', 'Kiosks — old'] })).toMatchObject({
      text: { text: '“lab · 08”' },
      description: { text: '#7 · “Kiosks — old”' },
    });
  });
});
