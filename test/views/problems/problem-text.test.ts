/** What was wrong with a typed line, in words. */
import { describe, expect, it } from 'vitest';
import type { FleetError } from '../../../src/fleet/fleet.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { renderProblem } from '../../../src/views/problems/problem.ts';
import { usageFaultMessage } from '../../../src/views/problems/problem-parts.ts';
import { problemText } from '../../../src/views/problems/problem-text.ts';
import { type Problem, renderView, type UsageFault, type View } from '../../../src/views/views.ts';
import { aRequest } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
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
    expect(none.what).toBe(
      'web-01 has no missing package named Twin. Patchbay installs patches, not new software.',
    );
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

const offering = (what: 'group' | 'policy', detail: string | null): string => {
  const choice = { command: what, input: { [what]: 7 } };
  const offers = [{ kind: 'named', what, name: 'Nightly', id: 7, detail, choice }] as const;
  const view: View = {
    kind: 'problem',
    problem: { kind: `no-such-${what}`, query: 'Nighly', nearest: ['Nightly'], offers },
  };
  return JSON.stringify(renderView(view).blocks);
};

it.each([
  ['policy', 'custom', '*Nightly* · #7 · worklet'],
  ['policy', 'required_software', '*Nightly* · #7 · required software'],
  ['policy', 'newer', '*Nightly* · #7 · newer'],
  ['group', 'custom', '*Nightly* · #7 · custom'],
  ['group', '', '*Nightly* · #7"'],
] as const)('tells a %s of “%s” from others in words', (what, detail, words) => {
  expect(offering(what, detail)).toContain(words);
});

it('gives the line of a setting a button that does it, stored before it is acknowledged', () => {
  const choice = { command: 'acknowledge', input: { alert: 1 } };
  const offers = [{ kind: 'line', line: '/fleet acknowledge 1', does: 'set', choice }] as const;
  const problem = { kind: 'unknown-command', word: 'ack', nearest: [], offers, root: '/fleet' } as const;
  const [pressed] = renderedButtons(renderView({ kind: 'problem', problem }));
  expect(pressed?.action).toBe('pick:0');
  // A button that carries a page only reads, so it is not stored.
  expect(JSON.parse(pressed?.value ?? '')).toEqual({ do: 'run', ...choice });
});

it('says of policies of one name of which kind each is', () => {
  const choice = { command: 'policy', input: { policy: 7 } };
  const rows = ['patch', 'custom'].map((detail, at) => ({ id: at + 1, name: 'Nightly', detail, choice }));
  const drawn = renderView({ kind: 'choices', what: 'policy', query: 'Nightly', rows, total: 2 });
  expect(JSON.stringify(drawn.blocks)).toMatch(/#1 · patch policy.*#2 · worklet/);
});

it('says that a reason is required, with the line to complete', () => {
  const line = '/fleet reboot os:linux because REASON';
  const choice = { command: 'reboot', input: {} };
  const offers = [{ kind: 'line', does: 'form', line, choice }] as const;
  const problem = { kind: 'reason-required', devices: 30, lastHour: 30, from: 25, offers } as const;
  const text = renderedText(renderView({ kind: 'problem', problem }));
  expect(text).toContain('A change of 30 devices needs a reason.');
  expect(text).toContain('Complete this line, or enter the reason in the form:');
  expect(text).toContain(`\`${line}\``);
  expect(text).not.toContain('Did you mean');
});

const shown = (problem: Parameters<typeof renderProblem>[0]['problem']) =>
  renderProblem({ kind: 'problem', problem });

it('says of how many devices the person asked for changes in the last hour', () => {
  const text = renderedText(shown({ kind: 'reason-required', devices: 1, lastHour: 25, from: 25 }));
  expect(text).toContain(
    'With this, you asked for changes of 25 devices in the last hour, so it needs a reason.',
  );
});

it('lists the waiting requests of a person, each with its button', () => {
  const waiting = Array.from({ length: 60 }, () => aRequest({ seal: 'f180' }));
  const message = shown({ kind: 'too-many-waiting', most: 60, waiting });
  const text = renderedText(message);
  expect(text).toContain('60 requests of yours already wait for approval, the maximum.');
  expect(text).toContain('Show all 60');
  expect(JSON.stringify(message).split('"action_id":"withdraw"')).toHaveLength(11);
});

it.each([
  [
    { waves: [{ kind: 'devices', devices: 1 }] },
    'only yours has “2 waves (1, 23 devices)”, and only the waiting',
  ],
  [{ waitMs: HOUR }, 'only yours has “1 hour between waves”.'],
  [
    { brake: { kind: 'devices', devices: 1 } },
    '“stops at 1 failure in a wave”, and only the waiting one has',
  ],
  [{ gate: 'manual' }, 'only yours has “an approver continues after each wave”.'],
  [{ offline: 'skip' }, 'only yours has “offline devices are left out”.'],
] as const)('says in what a request with %j differs from the waiting one', (options, words) => {
  const request = aRolloutRequest({ counts: { ready: 24, open: 24 }, rollout: aRollout(24) });
  const plan = planRollout(24, options);
  const link = 'https://example.slack.com/card';
  const problem = { kind: 'request-differs', request, link, plan, devices: 24, mine: false } as const;
  const text = renderedText(shown(problem));
  expect(text).toContain(words);
  expect(text).toContain(link);
  expect(JSON.stringify(shown(problem))).not.toContain('"action_id":"withdraw"');
  expect(JSON.stringify(shown({ ...problem, mine: true }))).toContain('"action_id":"withdraw"');
});

it('says that options are others where the plans read alike: of one device, a gate after its only wave', () => {
  const request = aRolloutRequest({ counts: { ready: 1, open: 1 }, rollout: null });
  const plan = planRollout(1, { gate: 'manual' });
  const problem = { kind: 'request-differs', request, link: null, plan, devices: 1, mine: false } as const;
  expect(renderedText(shown(problem))).toContain('it’s not the same: its options are others.');
});

it('says that the waiting request is for the rest of the devices', () => {
  const request = aRolloutRequest({ counts: { verified: 9, ready: 15, open: 15 } });
  const problem = {
    kind: 'request-differs',
    request,
    link: null,
    plan: null,
    devices: 24,
    mine: false,
  } as const;
  expect(renderedText(shown(problem))).toContain(
    'yours is for 24 devices, the waiting one for the 15 that are left',
  );
});
