import { describe, expect, it } from 'vitest';
import type { CallFigures } from '../../../src/fleet/http/calls.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import type { Trouble } from '../../../src/store/port/health-records.ts';
import type { PauseRecord } from '../../../src/store/port/settings-records.ts';
import { renderView } from '../../../src/views/views.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aPause } from '../samples/answer-samples.ts';
import { ALL_TROUBLES } from '../samples/problem-samples.ts';

function answersOf(outcomes: CallFigures['outcomes']): string {
  const health = { ...HEALTHY, calls: { ...HEALTHY.calls, outcomes } };
  const { blocks } = renderView({
    kind: 'status',
    health,
    index: { devices: 1, asOf: START },
    pause: null,
    asOf: START,
  });
  const [, said = ''] = /API calls since start\*?\\n([^"]*)"/.exec(JSON.stringify(blocks)) ?? [];
  return said;
}

describe('the status', () => {
  const firstOf = (changes: Partial<typeof HEALTHY>, pause: PauseRecord | null = null) => {
    const health = { ...HEALTHY, ...changes };
    const index = { devices: 1, asOf: START };
    const { text, blocks } = renderView({ kind: 'status', health, index, pause, asOf: START });
    const shown = JSON.stringify(blocks[0]);
    return { text, shown };
  };

  it('starts with the state of Patchbay, in its blocks and in its fallback text', () => {
    for (const [changes, words] of [
      [{}, '✅ *Patchbay is healthy*'],
      [{ troubles: [{ trouble: { kind: 'new-database' }, since: START }] }, '⚠️ *Patchbay needs attention*'],
    ] as const) {
      const { text, shown } = firstOf(changes);
      expect(text.split('\n')[0]).toBe(words);
      expect(shown).toContain(words);
    }
  });

  it('says next who paused all changes', () => {
    expect(firstOf({}, aPause()).text.split('\n')[1]).toMatch(/^⚠️ \*All changes are paused\* .*<@U0ADMIN>/);
  });
});

describe('the figures of the status', () => {
  const figures = (changes: Partial<typeof HEALTHY>): string => {
    const health = { ...HEALTHY, ...changes };
    const index = { devices: 1, asOf: START };
    return JSON.stringify(renderView({ kind: 'status', health, index, pause: null, asOf: START }).blocks);
  };
  const outbox = { waiting: 0, waitingAlerts: 0, oldestAt: null, givenUp: 0 };
  const busy = { ...HEALTHY.calls, running: 2, waiting: { person: 1, write: 0, background: 3 } };

  it('say “None” where no message waits, and how many are alerts where some do', () => {
    expect(figures({ outbox })).toContain('*Messages waiting for Slack*\\nNone"');
    expect(figures({ outbox: { ...outbox, waiting: 3, oldestAt: START } })).toContain(
      'Slack*\\n3, the oldest since',
    );
    expect(figures({ outbox: { ...outbox, waiting: 3, waitingAlerts: 1 } })).toContain(
      'Slack*\\n3 (1 alert)"',
    );
  });

  it('show how many calls each limit allows now, and in all', () => {
    expect(figures({})).toContain(
      '*API calls available now*\\n95 of 100 in total, 28 of 29 for device lists"',
    );
  });

  it('show calls in progress only where there are any', () => {
    const idle = { ...HEALTHY.calls, running: 0, waiting: { person: 0, write: 0, background: 0 } };
    expect(figures({ calls: idle })).not.toContain('in progress');
    expect(figures({ calls: busy })).toContain(
      '*API calls in progress*\\n2 running, 4 queued (1 that a person waits for)"',
    );
  });
});

describe('the answers of the service in the status', () => {
  it('are counted in plain words, the failures each with its number', () => {
    const every = {
      answered: 64,
      timeout: 2,
      unreachable: 3,
      broken: 28,
      throttled: 1,
      unauthorized: 4,
      forbidden: 5,
      invalid: 6,
      unreadable: 7,
      'too-large': 8,
      held: 9,
    };
    expect(answersOf(every)).toBe(
      '64 answered; failed: no answer in time 2, no connection 3, service errors 28, rate limited 1, ' +
        'key refused 4, not allowed or gone 5, request refused 6, unreadable answer 7, ' +
        'answer too large 8, held back by Patchbay 9',
    );
  });

  it('hold those that said that something is not there: nothing failed', () => {
    expect(answersOf({ answered: 64, missing: 6 })).toBe(
      '70 answered (including 6 “not found”), none failed',
    );
  });
});

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
