import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { renderView } from '../../../src/views/render.ts';
import { START } from '../../harness/builders.ts';
import { ALL_TROUBLES } from '../samples/trouble-samples.ts';

describe('the message about a problem that has ended', () => {
  it.each(ALL_TROUBLES.filter(({ kind }) => kind !== 'new-database'))('states %j in the past', (trouble) => {
    const view = { kind: 'trouble', trouble, since: START } as const;
    const { text } = renderView({ ...view, endedAt: later(START, 20 * MINUTE) });
    expect(text).toMatch(/^✅ \*Resolved\* /);
    expect(text).not.toMatch(/\b(is|are|has|does|lacks|takes|cannot|waiting|since|posts|runs|shows)\b/);
    expect(text).not.toBe(renderView({ ...view, endedAt: null }).text);
  });
});
