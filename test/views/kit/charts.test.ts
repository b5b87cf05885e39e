import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar, barChart } from '../../../src/views/kit/charts.ts';

describe('bars', () => {
  it('never draw something as nothing, nor a part as all', () => {
    const numbers = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const drawn = bar(Math.min(a, b), Math.max(a, b));
        expect(drawn).toMatch(/^[█░]{20}$/);
        expect(drawn.includes('█')).toBe(true);
        expect(drawn.includes('░')).toBe(a !== b);
      }),
    );
  });

  it('draw nothing of nothing', () => {
    expect(bar(0, 0)).toBe('░'.repeat(20));
    expect(bar(0, 9)).toBe('░'.repeat(20));
  });
});

describe('the labels of a chart', () => {
  const room = 10_000;
  const labels = (names: readonly string[]): readonly string[] => {
    const points = names.map((label) => ({ label, value: 1 }));
    const blocks = barChart('Title', 'Devices', points).flatMap(({ rich }) => rich(room));
    return [...JSON.stringify(blocks).matchAll(/"label":"((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = '']) => label,
    );
  };

  it('mention nobody, also to a client that would take them for a mention', () => {
    expect(labels(['<!channel>', '<@U123ABC>', 'web'])).toEqual([
      '<\u2060!channel>',
      '<\u2060@U123ABC>',
      'web',
    ]);
  });

  it('are made different where they are alike, within their length', () => {
    const long = 'x'.repeat(40);
    const drawn = labels([
      long,
      long,
      'a',
      'a',
      '<!here> and many more words',
      '<!here> and many more words',
    ]);
    expect(new Set(drawn).size).toBe(6);
    expect(drawn.every((label) => label.length <= 20)).toBe(true);
  });
});
