import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, requestId } from '../../../src/lib/ids.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { homeView } from '../../../src/views/home/home-tab.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, aRequest, aSilence, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { aSentRequest } from '../request-records.ts';
import { buttonsOf, homeDataOf, ME, OTHER_PERSON, PLAIN, renderedHome, wordsOf } from './home-facts.ts';

describe('the lists of the Home', () => {
  it('what runs comes before what ended, and what ended long ago is left out', () => {
    const of = (id: string, ended: boolean, age: number) =>
      aStartedRequest({
        id: requestId(id),
        createdAt: later(START, -age),
        targets: [aTarget({ endedAt: ended ? START : null })],
      });
    const requests = [of('r_new', true, HOUR), of('r_runs', false, 2 * DAY), of('r_old', true, 2 * DAY)];
    const view = homeView(homeDataOf(PLAIN, { requests }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.requests?.rows.map(({ id }) => id)).toEqual(['r_runs', 'r_new']);
  });

  it('what waits comes first, and a request that was carried out is listed with its result, once', () => {
    const done = aTarget({ state: 'verified', endedAt: START });
    const requests = [
      aSentRequest({ id: requestId('r_done'), targets: [done] }),
      aRequest({ id: requestId('r_denied'), state: 'denied' }),
      aSentRequest({ id: requestId('r_runs') }),
      aRequest({ id: requestId('r_approved'), state: 'approved' }),
      aRequest({ id: requestId('r_waits') }),
      aRequest({ id: requestId('r_old'), state: 'denied', createdAt: later(START, -2 * DAY) }),
    ];
    const view = homeView(homeDataOf(PLAIN, { requests }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.requests?.rows.map(({ id }) => id)).toEqual([
      'r_waits',
      'r_runs',
      'r_approved',
      'r_done',
      'r_denied',
    ]);
    expect(wordsOf({ requests }).match(/Verified: Reboot web-01/g)).toHaveLength(1);
  });

  it('a rollout of somebody else has its bar for everybody, and one’s own is listed once', () => {
    const counts = { verified: 10, ready: 30, open: 30 };
    const theirs = aRolloutRequest({ requesterId: OTHER_PERSON, state: 'running', counts });
    for (const role of ['viewer', 'approver'] as const)
      expect(wordsOf({ role, requests: [], rollouts: [theirs] })).toContain('10 of 40 done');
    const own = aRolloutRequest({ requesterId: ME, state: 'running', counts });
    const words = wordsOf({ role: 'operator', requests: [own], rollouts: [own] });
    expect(words.match(/10 of 40 done/g)).toHaveLength(1);
    expect(words).not.toContain('Rollouts in progress');
  });

  it('a rollout has what an approver decides by, and its bar once it runs', () => {
    const plan = '3 waves (2, 8, 30 devices)';
    const waiting = [aRolloutRequest({ requesterId: OTHER_PERSON })];
    const waits = renderedHome({ waiting });
    const pressable = JSON.stringify(waits.blocks);
    expect(wordsOf({ waiting })).toContain(plan);
    expect(pressable).toContain('"action_id":"approve"');
    const counts = { verified: 10, ready: 30, open: 30 };
    expect(wordsOf({ requests: [aRolloutRequest({ state: 'running', counts })] })).toContain(
      '███░░░░░░░░░ 10 of 40 done',
    );
  });

  it('a rollout says for how many offline devices it waits, in the words of its card', () => {
    const counts = { verified: 38, queued: 2, open: 2 };
    const theirs = aRolloutRequest({ requesterId: OTHER_PERSON, state: 'running', counts, offline: 2 });
    const line = '⏳ 2 devices are offline. The command runs once they’re back online.';
    expect(wordsOf({ role: 'viewer', rollouts: [theirs] })).toContain(line);
    const own = aRolloutRequest({ requesterId: ME, state: 'running', counts, offline: 1 });
    expect(wordsOf({ requests: [own] })).toContain(
      '⏳ 1 device is offline. The command runs once it’s back online.',
    );
    expect(wordsOf({ requests: [aRolloutRequest({ state: 'running', counts })] })).not.toContain('offline.');
  });

  it('a rollout that is held is the first decision of an approver, with its buttons, and listed once', () => {
    const counts = { verified: 10, ready: 30, open: 30 };
    const hold = { kind: 'unanswered', sends: 5, at: START } as const;
    const held = (requesterId: typeof ME) =>
      aRolloutRequest({ requesterId, state: 'running', counts, rollout: aRollout(40, { hold }) });
    const theirs = { requests: [], rollouts: [held(OTHER_PERSON)] };
    const words = wordsOf({ role: 'approver', ...theirs });
    expect(words).toMatch(/^\*Needs your decision \(3\)\*\n(?:.*\n)?⚠️ /m);
    expect(words.match(/10 of 40 done/g)).toHaveLength(1);
    const actions = buttonsOf({ role: 'approver', ...theirs });
    expect(actions.indexOf('control:resume')).toBeLessThan(actions.indexOf('approve'));
    expect(buttonsOf({ role: 'approver', ...theirs })).toContain('several:0');
    expect(buttonsOf({ role: 'approver', ...theirs, waiting: [] })).not.toContain('several:0');
    expect(buttonsOf({ role: 'operator', ...theirs })).not.toContain('control:resume');
    expect(wordsOf({ role: 'operator', ...theirs })).toContain(
      'An approver has to resume it, not its requester.',
    );
    const own = { waiting: [], requests: [held(ME)], rollouts: [held(ME)] };
    expect(wordsOf({ role: 'approver', ...own })).toContain('*Needs your decision*\nNo requests.');
    expect(wordsOf({ role: 'approver', ...own })).toContain(
      'An approver has to resume it, not its requester.',
    );
  });

  it('the request that was made first comes first, although it needs approval again and expires last', () => {
    const waiting = [20, 5, 10].map((minutes) =>
      aRequest({
        id: requestId(`r_${minutes}`),
        requesterId: OTHER_PERSON,
        createdAt: later(START, minutes * MINUTE),
        expiresAt: later(START, (60 - minutes) * MINUTE),
      }),
    );
    const view = homeView(homeDataOf(PLAIN, { waiting }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.waiting?.rows.map(({ id }) => id)).toEqual(['r_5', 'r_10', 'r_20']);
  });

  it('of one’s own, a rollout that stands still comes before those that run', () => {
    const hold = { kind: 'braked', bad: 3, ended: 7, at: START } as const;
    const running = { state: 'running', counts: { verified: 10, ready: 30, open: 30 } } as const;
    const requests = [
      aRolloutRequest({ ...running, id: requestId('r_runs') }),
      aRolloutRequest({ ...running, id: requestId('r_stopped'), rollout: aRollout(40, { hold }) }),
    ];
    const view = homeView(homeDataOf(PLAIN, { requests }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.requests?.rows.map(({ id }) => id)).toEqual(['r_stopped', 'r_runs']);
  });

  it('a command that waited for approval shows when it was requested', () => {
    const requests = [aSentRequest({ createdAt: START, startedAt: later(START, 10 * MINUTE) })];
    expect(wordsOf({ requests })).toContain(`Requested ${relativeDate(START)} ·`);
  });

  it('of ten thousand each, five are shown and the rest is counted', () => {
    const filling = { ...PLAIN, count: 10_000 };
    const home = renderedHome({}, filling);
    expect(checkView(home, 'home')).toEqual([]);
    expect(home.blocks.length).toBeLessThanOrEqual(100);
    expect(wordsOf({}, filling).match(/At least 9995 more/g)).toHaveLength(4);
  });

  it('of as many as are read, there may be more', () => {
    expect(wordsOf({}, { ...PLAIN, count: 99 })).toContain('94 more in <#C0PATCHALERTS>');
    expect(wordsOf({}, { ...PLAIN, count: 100 })).toContain('(at least 100)');
  });
});

it('a storm is one failure, with the number of its devices and no button for one of them', () => {
  const storm = { alerts: 12, devices: 12, acknowledged: 0 };
  const failures = [{ ...anAlert(), storm }];
  expect(wordsOf({ failures })).toContain(
    '*Failed patches, last 24 hours (1)*\nAll alerts\n*12 devices*: OpenSSL\n',
  );
  expect(buttonsOf({ failures }).some((action) => action?.startsWith('device:'))).toBe(false);
  expect(buttonsOf({ failures })).toContain('alerts');
});

it('a device without a name is shown by its number', () => {
  const failures = [anAlert({ deviceName: '', deviceId: deviceId(7), reason: '' })];
  const words = wordsOf({ failures });
  expect(words).toContain('*#7*');
  expect(words).toContain('*#7*: OpenSSL\n<!date');
});

it('what a silence held is counted apart from what was posted, and the silence is named', () => {
  const storm = { alerts: 36, devices: 35, acknowledged: 0 };
  const failures = [anAlert(), { ...anAlert(), storm, heldBy: 3 }];
  const words = wordsOf({ failures, silences: [aSilence({ number: 3, kept: 36 })] });
  expect(words).toContain('*Failed patches, last 24 hours (1)*');
  expect(words).toContain('36 failures held by a silence, not posted.');
  expect(words).toContain('*1 active silence*. These alerts are held, not posted.');
  expect(words).toContain('36 held so far');
});
