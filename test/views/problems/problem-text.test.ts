import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { policyId } from '../../../src/lib/ids.ts';
import type { Problem } from '../../../src/views/model.ts';
import { problemText } from '../../../src/views/problems/problem-text.ts';
import { problems } from '../samples/problem-samples.ts';

const ALL = problems({ text: 'web-01', count: 2 }).flatMap(([name, view]) =>
  view.kind === 'problem' ? [{ name, problem: view.problem }] : [],
);

const COULD_CHANGE: ReadonlySet<string> = new Set<Problem['kind']>([
  ...(['fleet', 'not-stored', 'unexpected', 'restarting'] as const),
  ...(['paused', 'card-refused', 'card-delayed'] as const),
]);

function aReference() {
  const [reference] = ALL.flatMap(({ problem }) => ('reference' in problem ? [problem.reference] : []));
  if (reference === undefined) throw new Error('no problem has a reference');
  return reference;
}

describe('what went wrong', () => {
  it('is of many kinds', () => {
    expect(new Set(ALL.map(({ problem }) => problem.kind)).size).toBeGreaterThan(25);
  });

  it.each(ALL)(
    '$name: says what happened, whether anything changed where it could, and what to do next',
    ({ problem }) => {
      const own = 'root' in problem ? { ...problem, root: '/ops' } : problem;
      const { what, changed, next } = problemText(own, '/ops');
      expect(what).toMatch(/[.?]$/);
      if (COULD_CHANGE.has(problem.kind)) expect(changed).toMatch(/change|requested or started|is saved/);
      else expect(changed).toBe('');
      expect(next).toMatch(/[.?`]$/);
      // Every command that it names can be typed as shown.
      expect(`${what} ${changed} ${next}`).not.toContain('/fleet');
    },
  );

  it.each(['unreachable', 'timeout', 'broken', 'unreadable'] as const)(
    'suggests no immediate retry where the service, %s, may have done it',
    (kind) => {
      const error: FleetError = { kind, method: 'POST', path: '/servers', status: null, detail: '' };
      const { next } = problemText(
        { kind: 'fleet', error, changed: 'unknown', reference: aReference() },
        '/fleet',
      );
      expect(next).toBe('If it isn’t there, try again in a minute.');
    },
  );

  it.each([
    [null, '(8 failures in a row).'],
    ['nothing', '(8 failures in a row), so nothing was sent.'],
  ] as const)('says that nothing was sent only of a change: %s', (changed, end) => {
    const held = { kind: 'breaker', failures: 8, retryInMs: 4_200 } as const;
    const call = { method: 'GET', path: '/servers', status: null, detail: '' } as const;
    const error: FleetError = { ...call, kind: 'unreachable', held };
    const { what } = problemText({ kind: 'fleet', error, changed, reference: aReference() }, '/fleet');
    expect(what).toBe(`The management service isn’t answering ${end}`);
  });

  it('does not blame the service where Patchbay held it back itself', () => {
    const held = { method: 'GET', path: '/servers', status: null, held: { kind: 'limit' } } as const;
    const error: FleetError = { ...held, kind: 'throttled', retryAfterMs: 61_000, detail: '' };
    const { what, next } = problemText(
      { kind: 'fleet', error, changed: 'nothing', reference: aReference() },
      '/fleet',
    );
    expect(what).toBe('Patchbay held this back: it keeps to the rate limit of the service.');
    expect(next).toBe('Try again in 61 seconds.');
  });

  it('is what a change cannot be sent with', () => {
    const fault = { kind: 'tag-both-ways', tag: 'a' } as const;
    expect(problemText({ kind: 'unsendable-change', fault }, '/fleet').what).toBe(
      'This change can’t be sent: "a" cannot be added and removed at once.',
    );
  });

  it('tells a package that is not missing from a name that several have', () => {
    const problem = { deviceName: 'web-01', query: 'Twin' } as const;
    const none = problemText({ kind: 'no-such-package', ...problem, nearest: [] }, '/fleet');
    expect(none.what).toBe('web-01 has no missing package named Twin.');
    const several = problemText(
      { kind: 'several-packages', ...problem, names: ['KB200', 'KB300'] },
      '/fleet',
    );
    expect(several.what).toBe('web-01 has 2 missing packages named Twin.');
    expect(several.next).toBe('Choose by package name: KB200, KB300.');
  });

  it('speaks only of the named devices where none of their policies can be run', () => {
    const policy = { id: policyId(2104), name: 'Require VPN client', type: 'required_software' };
    const problem = { kind: 'policy-not-for', why: 'kind', action: 'test', policy, others: [] } as const;
    expect(problemText(problem, '/fleet').next).toContain('The devices have no policy that can be tested.');
  });
});

describe('what to type instead', () => {
  const usage = 'policy-edit NAME '.repeat(20);
  it.each([
    ['a line without a known command', '', 'help', '`/ops help` shows what you can do.'],
    ['a command with a short usage', 'status', 'status', 'Usage: `/ops status`'],
    ['a command with a long usage', 'policy-edit', usage, '`/ops help policy-edit` explains the command.'],
  ])('%s', (_what, command, words, next) => {
    const fault = { kind: 'open-quote', near: '"a' } as const;
    const problem = { kind: 'usage', command, usage: words, fault, root: '/ops' } as const;
    expect(problemText(problem, '/ops').next).toBe(next);
  });
});
