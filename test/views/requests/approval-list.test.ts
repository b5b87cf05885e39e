/** The list of requests that wait: an approver decides there as on the Home. */
import { describe, expect, it } from 'vitest';
import { personId, policyId, type Reference, requestId } from '../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { leftOutRows } from '../../../src/views/requests/request-answers.ts';
import { deviceRequestText } from '../../../src/views/requests/request-card.ts';
import { resultsCsv } from '../../../src/views/requests/request-lists.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { type DecisionOutcome, renderView, type View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { OTHER_PERSON, renderedHome } from '../home/home-facts.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { aSentRequest } from '../request-records.ts';

const APPROVER = personId('UAPPROVER');
const LINK = 'https://example.slack.com/r_1';
const paging = { command: 'approvals', input: { mine: false }, page: 0, pages: 1, total: 1, asOf: START };
const listOf = (requests: readonly ReturnType<typeof aRequest>[], over: object = {}): View => ({
  kind: 'approvals',
  mine: false,
  rows: requests.map((request) => ({ request, link: LINK })),
  decider: APPROVER,
  paging,
  ...over,
});
const actionsOf = (view: View) => renderedButtons(renderView(view)).map(({ action }) => action);

describe('a rollout that is held', () => {
  const hold = { kind: 'gate', at: START } as const;
  const held = (over: object = {}) =>
    aRolloutRequest({
      state: 'running',
      decidedBy: APPROVER,
      counts: { verified: 2, ready: 38, open: 38 },
      rollout: aRollout(40, { hold, wave: 1 }),
      ...over,
    });

  it('has the buttons and the words of its card, and says how far it is', () => {
    expect(actionsOf(listOf([held()]))).toEqual(['control:continue', 'control:stop']);
    const text = renderedText(renderView(listOf([held(), aRequest()])));
    expect(text).toContain('Rollouts and requests waiting for an approver');
    expect(text).toContain('2 of 40 done');
    expect(text).toContain('An approver has to continue it, not its requester.');
  });

  it('has no buttons for its requester, and for readers who may not let it go on, but says the same', () => {
    for (const over of [{ decider: undefined }, { decider: held().requesterId }, { mine: true }]) {
      expect(actionsOf(listOf([held()], over))).toEqual([]);
      const text = renderedText(renderView(listOf([held()], over)));
      expect(text).toContain(
        '⏳ Waiting to continue: Reboot 40 devices · approved by <@UAPPROVER> · 2 of 40 done',
      );
      expect(text).toContain('An approver has to continue it, not its requester.');
    }
  });
});

describe('the requests that wait', () => {
  it('are approved and denied in the list, as on the Home', () => {
    for (const request of [aRequest(), aRolloutRequest()]) {
      const inList = renderView(listOf([request])).blocks.slice(1, -1);
      const onHome = JSON.stringify(
        renderedHome({ waiting: [{ ...request, requesterId: OTHER_PERSON }] }).blocks,
      );
      for (const block of inList.filter(({ type }) => type === 'actions'))
        expect(onHome).toContain(JSON.stringify(block));
      expect(actionsOf(listOf([request]))).toEqual(['approve', 'deny']);
    }
  });

  it('about many devices open the window in which they are approved', () => {
    const [approve] = renderedButtons(renderView(listOf([aRolloutRequest()])));
    expect(readButtonValue(approve?.value ?? '')).toMatchObject({ do: 'decide', approval: 'r_1' });
    expect(approve?.confirm).toBe('null');
    const text = renderedText(renderView(listOf([aRolloutRequest()])));
    expect(text).toContain('3 waves (2, 8, 30 devices)');
    expect(text).toContain(`<${LINK}|Open the request>`);
  });

  it('about many devices name the first of them', () => {
    const packages = { top: [{ name: 'openssl 3.0.13', devices: 40 }], more: 0 };
    const rollout = aRollout(40, { summary: aSummary({ packages }) });
    const text = renderedText(renderView(listOf([aRolloutRequest({ rollout })])));
    expect(text).toContain('*Devices*: web-1, web-2, web-3, web-4, web-5 and 35 more');
    expect(text).toContain('*Packages*: openssl 3.0.13 (40)');
  });

  it('are decided together only where two of them can be marked', () => {
    const [mine, typed] = [aRequest({ requesterId: APPROVER }), aRequest({ typedCount: true })];
    const two = listOf([aRequest(), aRequest()], { paging: { ...paging, total: 2 } });
    expect(actionsOf(two)).toContain('several:0');
    for (const others of [
      [mine, typed],
      [aRequest({ action: { kind: 'device-remove' } }), mine],
    ])
      expect(actionsOf(listOf(others, { paging: { ...paging, total: 2 } }))).not.toContain('several:0');
    expect(actionsOf(listOf([mine, typed], { paging: { ...paging, total: 7 } }))).toContain('several:0');
  });

  it('have a button to withdraw them in the list of one’s own', () => {
    expect(actionsOf(listOf([aRequest()], { mine: true }))).toEqual(['withdraw']);
    expect(actionsOf(listOf([aRequest({ state: 'denied' })], { mine: true }))).toEqual([]);
  });

  it('have no buttons for readers who may decide none, for the requester, and once they are decided', () => {
    expect(actionsOf(listOf([aRequest()], { decider: undefined }))).toEqual([]);
    expect(actionsOf(listOf([aRequest()], { mine: true, shared: true }))).toEqual([]);
    expect(actionsOf(listOf([aRequest({ requesterId: APPROVER })]))).toEqual([]);
    expect(actionsOf(listOf([aRequest({ state: 'denied' })]))).toEqual([]);
  });

  it('of one’s own have the state of their card where they are rollouts', () => {
    const hold = { kind: 'braked', bad: 3, ended: 7, at: START } as const;
    const mine = (request: ReturnType<typeof aRequest>) =>
      renderedText(renderView(listOf([request], { mine: true })));
    const by = { decidedBy: APPROVER, counts: { verified: 4, not_verified: 3, ready: 33, open: 33 } };
    expect(mine(aRolloutRequest({ ...by, state: 'running', rollout: aRollout(40, { hold }) }))).toContain(
      '⚠️ Stopped automatically: Reboot 40 devices · approved by <@UAPPROVER>',
    );
    expect(mine(aRolloutRequest({ ...by, state: 'running' }))).toContain('▶️ Running: Reboot 40 devices');
  });

  it.each(['ready', 'issuing', 'queued', 'verified', 'not_verified', 'not_sent'] as const)(
    'of one’s own have the state that the list of commands says: %s',
    (state) => {
      const given = { decidedBy: APPROVER, targets: [aTarget({ state })] };
      for (const request of [aSentRequest(given), aRequest({ ...given, state: 'approved' })]) {
        const rows = [{ request, link: LINK }];
        const stated = (view: View) =>
          /^(\S+ [^\n]*: Reboot web-01) · /m.exec(renderedText(renderView(view)))?.[1];
        const mine = stated(listOf([request], { mine: true }));
        expect(mine).toMatch(/^\S+ \S/u);
        expect(mine).toBe(stated({ kind: 'operations', rows, open: 1, paging }));
      }
    },
  );

  it('say how far a rollout came that was stopped', () => {
    const hold = { kind: 'stopped', by: APPROVER, at: START } as const;
    const stopped = aRolloutRequest({
      state: 'ended',
      decidedBy: APPROVER,
      counts: { verified: 5, not_sent: 35 },
      rollout: aRollout(40, { hold }),
    });
    expect(renderedText(renderView(listOf([stopped], { mine: true })))).toContain(
      '▫️ Stopped: Reboot 40 devices · approved by <@UAPPROVER> · 5 of 40 done, 35 skipped',
    );
  });

  it('say nothing personal to readers who may not see it', () => {
    const shown = renderedText(renderView(listOf([aRequest()])));
    const masked = renderedText(renderView(listOf([aRequest()], { shared: true })));
    expect(shown).toContain('deploy');
    expect(masked).not.toContain('deploy');
  });

  it('fit five to a message', () => {
    const five = Array.from({ length: 5 }, (_, at) =>
      aRolloutRequest({ id: requestId(`r_${at}`), reason: 'x'.repeat(500) }),
    );
    expect(actionsOf(listOf(five)).filter((action) => action === 'approve')).toHaveLength(5);
  });
});

describe('the file of one’s own requests', () => {
  const fileOf = (request: ReturnType<typeof aRequest>, kind: 'approvals' | 'operations' = 'approvals') =>
    toCsv({ ...listOf([request], { mine: true }), kind, open: 0 } as View)?.text.split('\r\n')[1];
  const patch = { kind: 'patch-each', chosen: { severities: ['high'], named: [] } } as const;

  it('names the first devices of a rollout, and says how many more it has', () => {
    const request = aRolloutRequest({ action: patch, counts: { ready: 31, open: 31 } });
    const row = fileOf({ ...request, targets: request.targets.slice(0, 2) });
    expect(row).toContain(
      ',Install missing high patches,web-1; web-2; and 29 more,web-1; web-2; and 29 more,1001; 1002; and 29 more,',
    );
  });

  it('names the command without the word before a device', () => {
    const request = aRequest({ action: patch, targets: [aTarget({ state: 'ready' })] });
    expect(fileOf(request)).toContain(',Install missing high patches,web-01,web-01,1001,');
    expect(fileOf(request, 'operations')).toContain(',Install missing high patches,web-01,');
  });
});

it('says when a request expired', () => {
  const request = aRequest({ state: 'expired', decidedAt: START });
  expect(deviceRequestText({ request, link: null })).toMatch(`▫️ Expired ${relativeDate(START)}: Reboot · `);
});

it('says of a device whose turn had not come that it got nothing and waits with its rollout', () => {
  const hold = { kind: 'braked', bad: 2, ended: 3, at: START } as const;
  const rollout = aRollout(40, { wave: 1, hold });
  const request = aRolloutRequest({ state: 'running', rollout, targets: [aReadyTarget()] });
  expect(deviceRequestText({ request, link: null })).toContain(
    '⚠️ Stopped automatically: Reboot. Nothing was sent to this device. It waits with the rollout. · ',
  );
});

describe('private answers', () => {
  const asked = (reason: string | null, more: Partial<Extract<View, { kind: 'approval-requested' }>> = {}) =>
    renderView({
      kind: 'approval-requested',
      request: aRequest({ reason }),
      channel: 'C0OPS' as Extract<View, { kind: 'approval-requested' }>['channel'], // a test's brand
      link: null,
      already: false,
      mine: true,
      reasonUnused: false,
      ...more,
    });

  it('let the one who asked add a reason that is missing, and withdraw', () => {
    expect(renderedButtons(asked(null)).map(({ action }) => action)).toEqual(['add_reason', 'withdraw']);
    expect(renderedButtons(asked('x')).map(({ action }) => action)).toEqual(['withdraw']);
  });

  it('tell somebody else who asked already, and offer them nothing', () => {
    const shown = asked(null, { already: true, mine: false, reasonUnused: true });
    expect(shown.text).toMatch(
      /^Approval was already requested: Reboot web-01\nRequested by <@UOPERATOR>\n.*Nothing is sent without an approval\./s,
    );
    expect(renderedText(shown)).toContain('Your reason was not added.');
    expect(renderedButtons(shown)).toEqual([]);
  });

  it('speak of a reason only where one was given', () => {
    expect(renderedText(asked(null, { already: true }))).not.toContain('Your reason');
  });

  const decided = (outcome: DecisionOutcome) => renderView({ kind: 'decided', outcome }).text;
  const request = aRequest();
  it.each<readonly [DecisionOutcome, string]>([
    [{ kind: 'approved', request }, 'Approved. If anything has changed, you’ll be asked again.'],
    [
      { kind: 'approved', request: aRolloutRequest({ counts: { ready: 1, open: 1 } }) },
      'Approved. If anything has changed, you’ll be asked again.',
    ],
    [
      { kind: 'approved', request: aRolloutRequest() },
      'Approved. Each wave is re-checked before it’s sent. Devices that have changed are left out.',
    ],
    [{ kind: 'denied', request }, 'You denied the reboot of web-01. Nothing was sent.'],
    [{ kind: 'withdrawn', request }, 'You withdrew the request for the reboot of web-01. Nothing was sent.'],
    [
      { kind: 'already', request, state: 'expired', by: null, at: null },
      'Already expired: Reboot web-01. Your click changed nothing.',
    ],
    [
      { kind: 'repeated', request, decision: 'approved', at: START },
      `You already approved this ${relativeDate(START)}: Reboot web-01. The request shows its current state.`,
    ],
  ])('name the request: $0.kind', (outcome, expected) => {
    expect(decided(outcome)).toBe(expected);
  });

  it.each([
    [null, 'Its progress will appear in a separate message.'],
    ['https://example.test/card', 'Follow its progress: <https://example.test/card|Open the request>'],
  ])('promise no more than that a command was requested, with the card at %s', (link, follow) => {
    const shown = renderView({
      kind: 'started',
      requestId: requestId('r_1'),
      action: { kind: 'scan' },
      names: ['web-01'],
      link,
    });
    expect(renderedText(shown)).toBe(`Scan of web-01 requested. ${follow}`);
  });

  it.each([
    ['nothing', 'Nothing was changed.'],
    ['unknown', 'Something may have changed'],
  ] as const)('say after a fault of ours whether anything was changed: %s', (changed, expected) => {
    const reference = 'abcd1234' as Reference; // a test's brand
    const shown = renderView({ kind: 'problem', problem: { kind: 'unexpected', changed, reference } });
    expect(shown.text).toContain(expected);
  });
});

const without = (name: string) => ({ name, problem: { kind: 'none-missing', deviceName: name } as const });

it('states a reason once for all devices that share it', () => {
  const names = Array.from({ length: 10 }, (_, at) => `web-${at}`);
  expect(leftOutRows(names.map(without))).toEqual([
    'Not missing these packages (10): web-0, web-1, web-2, web-3, web-4, web-5, web-6, web-7 and 2 more',
  ]);
});

it('states once that no package of a severity is missing, and that a policy doesn’t apply', () => {
  const policy = { id: policyId(12), name: 'Kiosk mode', type: 'custom' };
  const all = ['web-1', 'web-2'].flatMap((name) => [
    { name, problem: { kind: 'none-missing', deviceName: name, severities: ['critical'] } as const },
    {
      name,
      problem: {
        ...({ kind: 'policy-not-for', why: 'device', action: 'test', deviceName: name, others: [] } as const),
        policy,
      },
    },
  ]);
  expect(leftOutRows(all)).toEqual([
    'No critical packages missing (2): web-1, web-2',
    'The policy doesn’t apply (2): web-1, web-2',
  ]);
});

it('says of a single device, and where reasons differ, what is wrong with each', () => {
  const unsendable = (name: string) =>
    ({ name, problem: { kind: 'unsendable-package', name: `${name}"` } }) as const;
  const all = [unsendable('web-7'), without('web-1'), unsendable('web-8')];
  expect(leftOutRows(all).map((row) => row.split(':')[0])).toEqual(['*web-7*', '*web-8*', '*web-1*']);
});

it('counts the devices of each reason, the most common first', () => {
  const gone = (id: number) => ({
    name: `#${id}`,
    problem: { kind: 'device-gone', query: `#${id}` } as const,
  });
  const alike = ['web-1', 'web-2'].map((name) => ({ name, problem: { kind: 'already-so', name } as const }));
  const unknown = (name: string) => ({ name, problem: { kind: 'unknown-fit', deviceName: name } as const });
  const unclear = ['db-1', 'db-2', 'db-3', 'db-4'].map(unknown);
  expect(leftOutRows([...alike, gone(7), gone(8), gone(9), ...unclear])).toEqual([
    'Unknown whether they match the filters (4): db-1, db-2, db-3, db-4',
    'No longer in the fleet (3): #7, #8, #9',
    'Already have these values (2): web-1, web-2',
  ]);
  expect(leftOutRows([unknown('db-1')])).toEqual(['*db-1*: Unknown whether db-1 matches the filters.']);
});

const resultPaging = { command: 'operations', input: {}, page: 0, pages: 1, total: 40, asOf: START };
const at = (position: number, missing: readonly string[]) => ({
  ...aReadyTarget(someFacts({ displayName: `web-${position}`, packages: somePackages(...missing) })),
  position,
});
const rows = [at(0, ['openssl', 'curl']), at(9, []), at(10, ['a', 'b', 'c', 'd', 'e'])];
const results = (request: RequestWithTargets) =>
  ({ kind: 'results', request, group: null, rows, link: null, paging: resultPaging }) as const;

describe('the devices of a rollout that waits', () => {
  it('have their wave, and the packages that are installed', () => {
    const shown = renderedText(renderView(results(aRolloutRequest())));
    expect(shown).toContain('⏳ *web-0*: Waiting · Wave 1 · curl, openssl\n');
    expect(shown).toContain('⏳ *web-9*: Waiting · Wave 2\n');
    expect(shown).toContain('⏳ *web-10*: Waiting · Wave 3 · a, b, c, d and 1 more');
  });

  it('have no wave where there is only one', () => {
    const shown = renderedText(
      renderView(results(aRolloutRequest({ rollout: aRollout(40, { waves: [] }) }))),
    );
    expect(shown).toContain('⏳ *web-9*: Waiting\n');
  });

  it('have both in the file', () => {
    const { head, rows: lines } = resultsCsv(results(aRolloutRequest()));
    const columns = [head.indexOf('wave'), head.indexOf('packages')];
    expect(lines.map((line) => columns.map((column) => line[column]))).toEqual([
      [1, 'curl; openssl'],
      [2, ''],
      [3, 'a; b; c; d; e'],
    ]);
  });
});

describe('the list of commands', () => {
  it('opens the results of each rollout, and keeps the order', () => {
    const command = aRequest({ state: 'running', expiresAt: null });
    const rollout = aRolloutRequest({ state: 'running' });
    const requests = [command, rollout, command, command, rollout];
    const view = renderView({
      kind: 'operations',
      rows: requests.map((request) => ({ request, link: null })),
      open: 5,
      paging: resultPaging,
    });
    const [, ...blocks] = view.blocks.map((block) => ('accessory' in block ? 'rollout' : block.type));
    expect(blocks.slice(0, 4)).toEqual(['section', 'rollout', 'section', 'rollout']);
    const [results] = renderedButtons(view);
    expect(readButtonValue(results?.value ?? '')).toMatchObject({
      command: 'operations',
      input: { of: 'r_1' },
    });
  });
});
