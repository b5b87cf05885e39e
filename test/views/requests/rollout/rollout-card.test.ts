/** What programs read of a rollout's card. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, instant, later, MINUTE } from '../../../../src/lib/clock.ts';
import { deviceId, personId } from '../../../../src/lib/ids.ts';
import type { PlanOptions } from '../../../../src/rollout/plan.ts';
import type { Rollout, RolloutHold } from '../../../../src/rollout/progress.ts';
import type { Evidence } from '../../../../src/store/port/evidence.ts';
import type { RequestWithTargets, TargetCounts } from '../../../../src/store/port/request-records.ts';
import { readButtonValue } from '../../../../src/views/kit/buttons.ts';
import { relativeDate } from '../../../../src/views/kit/timestamps.ts';
import type { RolloutDetails } from '../../../../src/views/models/request-model.ts';
import { requestCardState } from '../../../../src/views/requests/request-label.ts';
import { renderView } from '../../../../src/views/views.ts';
import { START } from '../../../harness/builders.ts';
import { aReadyTarget, aTarget } from '../../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../../harness/rollouts.ts';
import { aDeviceToEdit } from '../../../requests/builders.ts';
import { renderedButtons, renderedText } from '../../rendered-text.ts';

/** Draws the card of a rollout. */

const APPROVER = personId('UAPPROVER');
const DECIDED = { decidedBy: APPROVER, decidedAt: later(START, MINUTE) };
const NOTHING: RolloutDetails = {
  waves: [],
  problems: [],
  offline: [],
  onlyOffline: false,
  least: null,
};

function draw(over: Partial<RequestWithTargets> = {}, details: Partial<RolloutDetails> = {}) {
  return renderView({ kind: 'request', request: aRolloutRequest(over), details: { ...NOTHING, ...details } });
}
const actionsOf = (...given: Parameters<typeof draw>) =>
  renderedButtons(draw(...given)).map(({ action }) => action);
const firstLine = (...given: Parameters<typeof draw>) => draw(...given).text.split('\n', 1)[0];
const running = (over: Partial<RequestWithTargets> = {}, details: Partial<RolloutDetails> = {}) =>
  draw({ state: 'running', ...DECIDED, ...over }, details);

describe('the card of a rollout that waits', () => {
  it('says what on how many devices, who asks and why, then the devices, the plan and what is sealed', () => {
    const shown = renderedText(draw());
    const parts = [
      '⏳ *Waiting for approval: Reboot 40 devices*',
      'Requested by <@UOPERATOR> · Reason: kernel update',
      '*Groups*: Laptops (40)',
      '*Systems*: Windows 11 Pro (40)',
      '*Plan*: 3 waves (2, 8, 30 devices) · stops when 10% of a wave’s finished devices fail',
      '*Devices*: web-1, web-2, web-3, web-4, web-5 and 35 more',
      `Devices read from ${relativeDate(START)} on · 40 devices`,
    ];
    const places = parts.map((part) => shown.indexOf(part));
    expect(places.filter((place) => place < 0)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('says what is unusual and what is left out as unknown, and nothing where nothing is', () => {
    const rebootFor = { top: [{ name: 'openssl', devices: 9 }], more: 1 };
    const counted = { offline: 3, loggedIn: 12, deferred: 5, excluded: 1, rebootPending: 4, servers: 2 };
    const unknownFit = { devices: 9, some: [{ name: 'db-1', hostname: 'db-1', deviceId: deviceId(7) }] };
    const unusual = aSummary({ ...counted, rebootFor, unknownFit });
    const rollout = aRollout(40, { summary: unusual });
    expect(renderedText(draw({ rollout }))).toContain(
      'whether they match the filters (9): db-1 and 8 more\n*Plan*',
    );
    expect(renderedText(draw({ rollout }))).toContain(
      '*Note*: 3 are offline and will run it when they’re back · 12 with a logged-in user · 5 have patches or a restart their users postponed · 1 excluded from reports · 4 already need a reboot · reboot required by openssl (9) and 1 more · 2 with “server” in the system or group name',
    );
    expect(renderedText(draw())).not.toContain('*Note*');
  });

  it('does not call servers unusual where all are servers', () => {
    const rollout = aRollout(40, { summary: aSummary({ servers: 40 }) });
    expect(renderedText(draw({ rollout }))).not.toContain('server');
  });

  it.each([
    [{ brake: { kind: 'devices', devices: 3 } } as const, 'stops at 3 failures in a wave'],
    [{ gate: 'manual' } as const, 'an approver continues after each wave'],
    [{ waitMs: 10 * MINUTE }, '10 minutes between waves'],
    [{ offline: 'skip' } as const, 'offline devices are left out'],
    [{ waves: [] }, '*Plan*: all 40 devices ·'],
  ])('says how it goes: %o', (options, said) => {
    expect(renderedText(draw({ rollout: aRollout(40, options) }))).toContain(said);
  });

  it('lists each device where there are few', () => {
    const counts = { ready: 4, open: 4 };
    const shown = renderedText(draw({ counts, rollout: aRollout(4) }));
    expect(shown).toContain('*web-4* · Online · Group: Linux servers');
    expect(shown).not.toContain('*Groups*');
  });

  it('names the packages whether or not each device is listed', () => {
    const severities = {
      top: [
        { name: 'critical', devices: 1 },
        { name: 'no_known_cves', devices: 3 },
      ],
      more: 0,
    };
    const summary = aSummary({ packages: { top: [{ name: 'openssl', devices: 3 }], more: 0 }, severities });
    for (const devices of [4, 40]) {
      const counts = { ready: devices, open: devices };
      const rollout = aRollout(devices, { summary });
      const shown = renderedText(draw({ counts, rollout }));
      expect(shown).toContain('*Packages*: openssl (3)');
      expect(shown).toContain('*Severity*: critical (1), no known CVEs (3)');
    }
  });

  it('lists the changes of the first devices of an edit, and counts the others', () => {
    const change = { tags: ['blue'] };
    const targets = Array.from({ length: 50 }, () => aReadyTarget(aDeviceToEdit({})));
    const action = { kind: 'device-edit', change } as const;
    const counts = { ready: 60, open: 60 };
    const shown = renderedText(draw({ action, counts, rollout: aRollout(60), targets }));
    expect(shown.match(/blue/g)).toHaveLength(5);
    expect(shown).toContain('Changes of 55 more devices not shown.');
  });

  it('asks nothing before the window opens in which it is approved', () => {
    for (const devices of [24, 25]) {
      const counts = { ready: devices, open: devices };
      const [approve] = renderedButtons(draw({ counts, rollout: aRollout(devices) }));
      expect(approve).toMatchObject({ action: 'approve', confirm: 'null' });
    }
  });

  it('asks only for what is left of a rollout that was returned, and says what ran', () => {
    const counts = { verified: 2, not_verified: 1, ready: 37, open: 37 };
    const shown = draw({ counts });
    expect(renderedText(shown)).toContain(
      'Already run: 2 verified, 1 not verified. This approval is for the other 37 devices.',
    );
    expect(renderedText(shown)).toContain('on · 37 devices');
  });

  it('offers all of its devices', () => {
    expect(actionsOf()).toEqual(['approve', 'deny', 'withdraw', 'results']);
  });
});

describe('the card of a rollout that runs', () => {
  const counts: TargetCounts = { verified: 6, not_verified: 3, failed: 2, queued: 1, ready: 30, open: 31 };
  const at = later(START, 5 * MINUTE);

  it('shows how far it is at a glance', () => {
    const rollout = aRollout(40, { wave: 1 });
    const waves = [{ verified: 2 }, { verified: 4, not_verified: 3, queued: 1, open: 1 }];
    const shown = renderedText(running({ counts, rollout }, { waves, least: { from: at, ms: HOUR } }));
    expect(shown).toContain('▶️ *Running: Reboot 40 devices*');
    expect(shown).toContain('███░░░░░░░░░ 9 of 40 done');
    expect(shown).toContain('6 verified, 2 failed, 1 not verified, 1 queued, 30 waiting');
    expect(shown).toContain('Wave 2 of 3: 7 of 8 done · stops when 10% of a wave’s finished devices fail');
    expect(shown).toContain(`Takes at least 1 hour from ${relativeDate(at)} on`);
    expect(running({ counts, rollout }).text).toContain('6 verified, 2 failed');
  });

  it.each<[RolloutHold, string, string, readonly string[]]>([
    [
      { kind: 'paused', by: APPROVER, at },
      '⚠️ *Paused: Reboot 40 devices*',
      `Paused by <@UAPPROVER> ${relativeDate(at)}.`,
      ['control:resume', 'control:stop'],
    ],
    [
      { kind: 'paused', by: null, at },
      '⚠️ *Paused: Reboot 40 devices*',
      'Paused because all changes were paused',
      ['control:resume', 'control:stop'],
    ],
    [
      { kind: 'braked', bad: 3, ended: 7, at },
      '⚠️ *Stopped automatically: Reboot 40 devices*',
      'Stopped automatically after 3 failures in wave 1 (7 done)',
      ['control:resume', 'control:stop'],
    ],
    [
      { kind: 'unanswered', sends: 5, at },
      '⚠️ *Stopped automatically: Reboot 40 devices*',
      'Stopped automatically: the last 5 commands got no clear answer from the management service. They may or may not have arrived. Patchbay is looking for them and won’t send them again. An approver has to resume it, not its requester.',
      ['control:resume', 'control:stop'],
    ],
    [
      { kind: 'gate', at },
      '⏳ *Waiting to continue: Reboot 40 devices*',
      'An approver has to continue it, not its requester.',
      ['control:continue', 'control:stop'],
    ],
    [
      { kind: 'stopped', by: APPROVER, at },
      '▫️ *Stopped: Reboot 40 devices*',
      `Stopped by <@UAPPROVER> ${relativeDate(at)}.`,
      [],
    ],
  ])('says why it does not go on, and what is under way: %o', (hold, title, said, controls) => {
    const rollout = aRollout(40, { hold });
    const shown = renderedText(running({ counts, rollout }));
    for (const part of [
      title,
      said,
      '1 command already with the management service can’t be canceled and can still run',
    ])
      expect(shown).toContain(part);
    expect(actionsOf({ state: 'running', counts, rollout })).toEqual([...controls, 'results']);
  });

  it.each<[Partial<Rollout> & PlanOptions, TargetCounts, string, readonly string[]]>([
    [
      { gate: 'manual' },
      { queued: 2, open: 2 },
      'Wave 1 of 3: 0 of 2 done',
      ['An approver continues after each wave.'],
    ],
    [
      { waitMs: HOUR, wave: 1 },
      { ready: 8, open: 8 },
      'Wave 2 of 3',
      [`Wave 2 doesn’t start before ${relativeDate(START)}.`],
    ],
    [
      { waitMs: HOUR, wave: 1 },
      { ready: 7, not_sent: 1, open: 7 },
      'Wave 2 of 3: 0 of 8 done, 1 skipped',
      [],
    ],
  ])('says what its wave waits for: %o %o', (how, wave, title, said) => {
    const rollout = aRollout(40, how);
    const before = rollout.wave === 0 ? {} : { verified: 2 };
    const ready = (wave.ready ?? 0) + (rollout.wave === 0 ? 38 : 30);
    const counts = { ...before, ...wave, ready };
    const over = { counts, rollout };
    const shown = renderedText(running(over, { waves: rollout.wave === 0 ? [wave] : [before, wave] }));
    for (const part of [title, ...said]) expect(shown).toContain(part);
    if (said.length === 0) expect(shown).not.toContain('starts');
    const list = renderView({
      kind: 'operations',
      open: 1,
      paging: { command: 'operations', input: {}, page: 0, pages: 1, total: 1, asOf: START },
      rows: [{ request: aRolloutRequest({ state: 'running', ...over }), link: null }],
    });
    for (const part of said) expect(renderedText(list)).toContain(part);
  });

  it('can be halted before its first device is sent', () => {
    const approved = { state: 'approved', ...DECIDED } as const;
    expect(renderedText(draw(approved))).toContain('Re-checking the devices, then sending.');
    expect(actionsOf(approved)).toEqual(['control:pause', 'control:stop', 'results']);
  });

  it('says what holds it before its first device, and can be resumed from there', () => {
    const hold = { kind: 'paused', by: null, at } as const;
    const paused = { state: 'approved', ...DECIDED, rollout: aRollout(40, { hold }) } as const;
    const shown = renderedText(draw(paused));
    for (const part of [
      '⚠️ *Paused: Reboot 40 devices*',
      'Paused because all changes were paused',
      '0 of 40 done',
    ])
      expect(shown).toContain(part);
    expect(shown).not.toContain('Re-checking');
    expect(actionsOf(paused)).toEqual(['control:resume', 'control:stop', 'results']);
  });

  it('of one device can be resumed, too, and is drawn as that device again once it goes on', () => {
    const evidence = [{ kind: 'paused', since: at, endedAt: null, reason: null } as const];
    const one = (hold: RolloutHold | null) =>
      ({
        state: 'running',
        ...DECIDED,
        counts: { ready: 1, open: 1 },
        targets: [{ ...aReadyTarget(), evidence }],
        rollout: aRollout(1, { offline: 'skip', hold }),
      }) as const;
    const held = one({ kind: 'paused', by: null, at });
    expect(renderedText(draw(held))).toContain('An approver has to resume it, not its requester.');
    expect(renderedText(draw(held))).not.toContain('Patchbay tries again by itself.');
    expect(actionsOf(held)).toEqual(['control:resume', 'control:stop', 'results']);
    expect(actionsOf({ ...held, state: 'ended' })).not.toContain('control:resume');
    expect(renderedText(draw(one(null)))).toContain('Patchbay tries again by itself.');
    expect(actionsOf(one(null))).toEqual([]);
  });

  it('speaks of no approval where nobody had to approve it', () => {
    const shown = renderedText(draw({ state: 'running', counts, expiresAt: null, decidedBy: null }));
    expect(shown).toContain('Requested by');
    expect(shown).not.toContain('Approved');
  });

  it('claims of no lost answer that its command arrived', () => {
    const hold = { kind: 'braked', bad: 6, ended: 15, at } as const;
    const lost = { verified: 9, unknown: 6, ready: 25, open: 25 };
    expect(renderedText(running({ counts: lost, rollout: aRollout(40, { hold }) }))).not.toContain(
      'already with the management service',
    );
  });

  it('goes on only by a press on what holds it, and can be stopped whatever does', () => {
    const hold = { kind: 'braked', bad: 3, ended: 7, at } as const;
    const buttons = renderedButtons(running({ counts, rollout: aRollout(40, { hold }) }));
    const values = buttons.slice(0, 2).map(({ value }) => readButtonValue(value));
    const about = { do: 'control', request: 'r_1' };
    expect(values).toEqual([
      { ...about, control: 'resume', hold: at },
      { ...about, control: 'stop' },
    ]);
  });

  it('can be paused and stopped while it goes on', () => {
    expect(actionsOf({ state: 'running', counts })).toEqual(['control:pause', 'control:stop', 'results']);
  });

  it('cannot be controlled once all was sent', () => {
    const sent = { verified: 39, queued: 1, open: 1 };
    expect(actionsOf({ state: 'running', counts: sent })).toEqual(['results']);
  });
});

const EXPIRES = instant(START + 1);
const BRAKED: RolloutHold = { kind: 'braked', bad: 2, ended: 4, at: START };
const STOPPED: RolloutHold = { kind: 'stopped', by: personId('U0BOB'), at: START };
const held = (hold: RolloutHold) => ({ rollout: aRollout(40, { hold }) });

const CASES: readonly (readonly [string, Partial<RequestWithTargets>])[] = [
  ['waiting', { state: 'waiting' }],
  ['denied', { state: 'denied' }],
  ['scheduled', { state: 'approved', expiresAt: EXPIRES }],
  ['running', { state: 'approved', expiresAt: null }],
  ['running', { state: 'running', expiresAt: EXPIRES, counts: { ready: 30, queued: 10, open: 40 } }],
  ['paused', { state: 'running', ...held({ kind: 'paused', by: null, at: START }) }],
  ['paused', { state: 'running', ...held({ kind: 'gate', at: START }) }],
  ['braked', { state: 'running', ...held(BRAKED) }],
  ['braked', { state: 'running', ...held({ kind: 'unanswered', sends: 5, at: START }) }],
  ['stopped', { state: 'running', ...held(STOPPED) }],
  ['stopped', { state: 'ended', ...held(STOPPED), counts: { verified: 1, not_sent: 39 } }],
  ['verified', { state: 'ended', ...held(STOPPED), counts: { verified: 40 } }],
  ['partly', { state: 'ended', counts: { verified: 39, unknown: 1 } }],
  ['not_verified', { state: 'ended', counts: { not_verified: 39, not_sent: 1 } }],
  ['not_sent', { state: 'ended', counts: { not_sent: 40 } }],
];

it.each(CASES)('is %s', (state, over) => {
  expect(requestCardState(aRolloutRequest(over)).state).toBe(state);
});

it('says how many devices are in which state', () => {
  const counts = { ready: 20, issuing: 1, queued: 4, verified: 12, not_verified: 3, failed: 2, open: 25 };
  expect(requestCardState(aRolloutRequest({ state: 'running', counts })).counts).toEqual({
    waiting: 21,
    queued: 4,
    verified: 12,
    not_verified: 3,
  });
});

it('is the state of the device where there is only one', () => {
  const one = aRolloutRequest({ state: 'running', counts: { queued: 1, open: 1 }, rollout: aRollout(1) });
  expect(requestCardState(one)).toEqual({ state: 'queued' });
});

it('a rollout names its last devices where all are offline, and says who can close it', () => {
  const week = later(START, 7 * DAY);
  const offline = Array.from({ length: 7 }, (_, at) =>
    aTarget({ deviceId: deviceId(at + 1), displayName: `web-${at + 1}`, deadlineAt: week }),
  );
  const last = { counts: { verified: 33, queued: 7, open: 7 } } as const;
  const shown = renderedText(running(last, { offline, onlyOffline: true }));
  expect(shown).toContain(
    '⏳ Waiting only for 7 offline devices: web-1, web-2, web-3, web-4, web-5 and 2 more.',
  );
  expect(shown).toContain('The requester or an approver can close it now.');
  expect(actionsOf({ state: 'running', ...DECIDED, ...last }, { offline, onlyOffline: true })).toContain(
    'control:close',
  );
});

it('a rollout says which offline devices it waits for, and until when', () => {
  const away = (name: string, deadlineAt: Instant) =>
    aTarget({ displayName: name, state: 'queued', deadlineAt });
  const sent: TargetCounts = { verified: 39, queued: 1, open: 1 };
  const [day, week] = [later(START, DAY), later(START, 7 * DAY)];
  expect(renderedText(running({ counts: sent }, { offline: [away('web-1', week)] }))).toContain(
    `⏳ 1 device is offline: web-1. The command runs once it’s back online. Patchbay checks until ${relativeDate(week)}.`,
  );
  const two = [away('web-1', week), away('web-2', day)];
  const shown = renderedText(running({ counts: sent }, { offline: two }));
  expect(shown).toContain('⏳ 2 devices are offline: web-1, web-2.');
  expect(shown).toContain(`Patchbay checks until ${relativeDate(week)}.`);
  expect(shown).not.toContain('close it');
  expect(renderedText(running({ counts: sent }))).not.toContain('offline');
});

it('a rollout groups the devices on which it did not work by cause', () => {
  const failed = (name: string, words: string) =>
    aTarget({
      displayName: name,
      state: 'not_verified',
      evidence: [{ kind: 'install-failed', packages: ['a'], words, installed: 0, total: 1 }],
    });
  const problems = [failed('web-1', 'disk full'), failed('web-2', 'held'), failed('web-3', 'disk full')];
  const shown = renderedText(
    running(
      { counts: { verified: 6, not_verified: 3, failed: 2, queued: 1, ready: 30, open: 31 } },
      { problems },
    ),
  );
  expect(shown).toContain('⛔ Failed (disk full), 2 devices: web-1, web-3\n⛔ Failed (held): web-2');
});

it('a rollout speaks of one device that had ended as of one', () => {
  const hold = { kind: 'braked', bad: 1, ended: 1, at: START } as const;
  expect(
    renderedText(running({ counts: { verified: 1, ready: 39, open: 39 }, rollout: aRollout(40, { hold }) })),
  ).toContain('Stopped automatically after 1 failure in wave 1 (1 done).');
});

describe('the card of a rollout that ended', () => {
  it('groups the devices that got nothing by cause, after those on which it failed', () => {
    const unsent = (name: string, evidence: Evidence) =>
      aTarget({ displayName: name, state: 'not_sent', evidence: [evidence] });
    const problems = [
      aTarget({
        displayName: 'web-1',
        state: 'not_verified',
        evidence: [{ kind: 'not-restarted', uptimeDropped: false }],
      }),
      unsent('web-2', { kind: 'offline', since: START }),
      unsent('web-3', { kind: 'offline', since: null }),
      unsent('web-4', { kind: 'gone', thing: 'device' }),
    ];
    const over = {
      state: 'ended',
      ...DECIDED,
      counts: { verified: 36, not_verified: 1, not_sent: 3 },
    } as const;
    const shown = renderedText(draw(over, { problems }));
    expect(shown).toContain(
      '⚠️ Not verified (did not restart): web-1\n▫️ Not sent (offline), 2 devices: web-2, web-3\n▫️ Not sent (no longer in the management service): web-4',
    );
    expect(shown).not.toContain('not shown here');
  });

  it.each<[TargetCounts, string, readonly string[]]>([
    [{ verified: 40 }, '✅ Verified: Reboot 40 devices. 40 verified', ['results']],
    [
      { verified: 37, not_verified: 3, failed: 3 },
      '⚠️ Partly verified: Reboot 40 devices. 37 verified, 3 failed',
      ['retry:failed', 'results'],
    ],
    [
      { verified: 37, refused: 1, not_sent: 2 },
      '⚠️ Partly verified: Reboot 40 devices. 37 verified, 1 not accepted, 2 not sent',
      ['retry:failed', 'retry:not-sent', 'results'],
    ],
    [{ not_verified: 40, failed: 1 }, '⛔ Failed: Reboot 40 devices', ['retry:failed', 'results']],
    [{ not_verified: 40 }, '⚠️ Not verified: Reboot 40 devices', ['retry:failed', 'results']],
    [
      { verified: 35, not_verified: 5, may_run: 4 },
      '⚠️ Partly verified: Reboot 40 devices. 35 verified, 5 not verified',
      ['retry:failed', 'results'],
    ],
    [{ not_verified: 40, may_run: 40 }, '⚠️ Not verified: Reboot 40 devices', ['results']],
    [{ not_sent: 40 }, '▫️ Not sent: Reboot 40 devices', ['retry:not-sent', 'results']],
    [{ unknown: 40 }, '❓ Outcome unknown: Reboot 40 devices', ['results']],
    [{ refused: 40 }, '⛔ Not accepted: Reboot 40 devices', ['retry:failed', 'results']],
  ])('says what worked: %o', (counts, said, buttons) => {
    const over = { state: 'ended', ...DECIDED, counts } as const;
    expect(firstLine(over)).toContain(said);
    expect(actionsOf(over)).toEqual(buttons);
  });

  it('says how many may still run the command, and counts only the others on *Retry*', () => {
    const counts = { verified: 35, not_verified: 5, may_run: 4 };
    const card = draw({ state: 'ended', ...DECIDED, counts });
    expect(renderedText(card)).toContain('Left out of a retry: 4 devices that may still run the command.');
    expect(JSON.stringify(card.blocks)).toContain('Retry (1)');
  });

  it('stays stopped, whatever was verified before', () => {
    const hold = { kind: 'stopped', by: APPROVER, at: START } as const;
    const over = {
      state: 'ended',
      counts: { verified: 10, not_sent: 30 },
      rollout: aRollout(40, { hold }),
    } as const;
    expect(firstLine(over)).toContain('▫️ Stopped: Reboot 40 devices. 10 of 40 done, 30 skipped');
    expect(renderedText(draw(over))).toContain('███░░░░░░░░░ 10 of 40 done, 30 skipped');
  });

  it.each(['denied', 'expired', 'withdrawn'] as const)('says that nothing was sent: %s', (state) => {
    const shown = renderedText(draw({ state, ...DECIDED }));
    expect(shown).toContain('Nothing was sent.');
    expect(shown).not.toContain('of 40 done');
    expect(shown).not.toContain('waits for an approver');
  });
});
