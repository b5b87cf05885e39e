import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../src/clock.ts';
import { render } from '../../src/views/render.ts';
import { START } from '../harness/builders.ts';
import { TROUBLES } from './trouble-samples.ts';

describe('the message about a trouble that is over', () => {
  it.each(TROUBLES.filter(({ kind }) => kind !== 'new-database'))('states %j in the past', (trouble) => {
    const view = { kind: 'trouble', trouble, since: START } as const;
    const { text } = render({ ...view, endedAt: later(START, 20 * MINUTE) });
    expect(text).toMatch(/^✅ \*Resolved\* /);
    expect(text).not.toMatch(/\b(is|are|has|does|lacks|takes|cannot|waiting|since|posts|runs|shows)\b/);
    expect(text).not.toBe(render({ ...view, endedAt: null }).text);
  });
});
