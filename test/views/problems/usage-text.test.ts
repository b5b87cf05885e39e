/** What was wrong with a typed line, in words. */
import { expect, it } from 'vitest';
import type { UsageFault } from '../../../src/views/model.ts';
import { usageFaultMessage } from '../../../src/views/problems/problem-parts.ts';

const bad = (expected: string): UsageFault => ({ kind: 'bad-value', word: 'x:1', expected });

it.each([
  [
    'devices or a share, such as brake:3 or brake:10%',
    'devices or a share, such as `brake:3` or `brake:10%`.',
  ],
  ['devices and shares, such as waves:1,25%,100%', 'devices and shares, such as `waves:1,25%,100%`.'],
  ['updates:on, updates:off or updates:device', '`updates:on`, `updates:off` or `updates:device`.'],
  ['“waves:” only once', '`waves:` only once.'],
  ['an option without “-”', 'an option without “-”.'],
  ['growing numbers: each <one>', 'growing numbers: each `&lt;one&gt;`.'],
])('draws as code what can be typed: %s', (expected, words) => {
  expect(usageFaultMessage(bad(expected))).toBe(`\`x:1\` isn’t valid. Expected ${words}`);
});

it('calls an option no filter', () => {
  const fault = { kind: 'unknown-word', word: 'gate:foo', nearest: ['gate:manual', 'gate:auto'] } as const;
  expect(usageFaultMessage({ ...fault, of: 'option' })).toBe(
    'Unknown option `gate:foo`. Try one of these: `gate:manual`, `gate:auto`.',
  );
  expect(usageFaultMessage(fault)).toMatch(/^Unknown filter/);
});
