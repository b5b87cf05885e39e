/** Notifications and screen readers get the `text` of a message alone: it holds what the message is about. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const FOLDER = new URL('fallback/', import.meta.url);
const modules: readonly object[] = await Promise.all(
  readdirSync(FOLDER).map((file): Promise<object> => import(new URL(file, FOLDER).href)),
);
const rows = modules.flatMap((module): readonly Row[] => Object.values(module).flat());

describe('the fallback text', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(rows)('of $name', ({ view, holds }) => {
    const { text } = render(view);
    for (const words of holds) expect(text).toContain(words);
  });
});
