/**
 * What notifications and screen readers get of each card and answer
 * (docs.slack.dev/reference/methods/chat.postMessage).
 */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderView } from '../../src/views/views.ts';
import type { FallbackRow } from './rendered-text.ts';

const FILES = globSync('fallback/*.ts', { cwd: import.meta.dirname });
const modules: readonly Readonly<Record<string, readonly FallbackRow[]>>[] = await Promise.all(
  FILES.map((file) => import(`./${file}`)),
);
const ROWS = modules.flatMap((area) => Object.values(area).flat());

describe('the fallback text', () => {
  it.each(ROWS)('of $name holds what decides', ({ view, holds }) => {
    const { text } = renderView(view);
    expect(holds.filter((part) => !text.includes(part))).toEqual([]);
    expect(text.length).toBeLessThanOrEqual(4_000);
  });
});
