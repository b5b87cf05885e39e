/** The list of requests that wait: an approver decides there as on the Home. */
import { describe, expect, it } from 'vitest';
import { personId, requestId } from '../../../src/lib/ids.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { View } from '../../../src/views/model.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest, aTarget } from '../../harness/records.ts';
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
