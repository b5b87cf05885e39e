import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import type { Trouble } from '../../../src/store/port/health-records.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { ALL_TROUBLES } from '../samples/trouble-samples.ts';

const isLost = (trouble: Trouble) => trouble.kind === 'events-missing' && trouble.givenUp;

describe('the message about a problem that has ended', () => {
  it.each(ALL_TROUBLES.filter((one) => one.kind !== 'new-database' && !isLost(one)))(
    'states %j in the past',
    (trouble) => {
      const view = { kind: 'trouble', trouble, since: START } as const;
      const { text } = renderView({ ...view, endedAt: later(START, 20 * MINUTE) });
      expect(text).toMatch(/^✅ \*Resolved\* /);
      expect(text).not.toMatch(/\b(is|are|has|does|lacks|takes|cannot|waiting|since|posts|runs|shows)\b/);
      expect(text).not.toBe(renderView({ ...view, endedAt: null }).text);
    },
  );

  it.each(ALL_TROUBLES.filter(isLost))('never calls %j resolved', (trouble) => {
    const view = { kind: 'trouble', trouble, since: START } as const;
    const [during, after] = [null, later(START, 20 * MINUTE)].map((endedAt) =>
      renderView({ ...view, endedAt }),
    );
    expect(after).toEqual(during);
  });
});
