import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, eventId, personId, requestId } from '../../../src/lib/ids.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { type HomeData, homeView, simplifiedHome } from '../../../src/views/home/home-tab.ts';
import { answerWindow, loadingWindow } from '../../../src/views/kit/answer-window.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { troubleMarkup } from '../../../src/views/status/trouble-text.ts';
import { renderView } from '../../../src/views/views.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { aMember, anAlert, aRequest, aSilence, aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedTexts } from '../rendered-text.ts';
import { aSentRequest } from '../request-records.ts';
import { samples } from '../samples/all-samples.ts';
import { ALL_TROUBLES } from '../samples/problem-samples.ts';
import { unsafeTexts } from '../slack-message-rules.ts';
import { buttonsOf, homeDataOf, ME, OTHER_PERSON, PLAIN, renderedHome, wordsOf } from './home-facts.ts';

const ROLES = ['none', 'unknown', 'viewer', 'operator', 'approver', 'admin'] as const;

describe('the Home, by role', () => {
  it.each(ROLES)('Slack accepts the Home of: %s', (role) => {
    for (const count of [0, 1, 2, 40]) {
      expect(checkView(renderedHome({ role }, { ...PLAIN, count }), 'home')).toEqual([]);
    }
  });

  it('an approver decides with the very buttons of the card', () => {
    const [request] = homeDataOf(PLAIN).waiting;
    if (request === undefined) throw new Error('no request');
    const card = JSON.stringify(renderView({ kind: 'request', request }).blocks);
    const home = renderedHome({ role: 'approver' });
    const decides = home.blocks.find(({ block_id: id }) => id === `decide:${request.id}`);
    const elements = JSON.stringify(decides?.['elements']).slice(1, -1);
    expect(elements).toContain('"action_id":"approve"');
    expect(elements).toContain('"action_id":"deny"');
    expect(card).toContain(elements);
  });

  it('every fact of the card is beside the decision', () => {
    const [request] = homeDataOf(PLAIN).waiting;
    if (request === undefined) throw new Error('no request');
    const card = renderView({ kind: 'request', request });
    const home = JSON.stringify(renderedHome({ role: 'approver' }).blocks);
    for (const { text } of renderedTexts(card.blocks.slice(0, -1)))
      expect(home).toContain(JSON.stringify(text).slice(1, -1));
  });

  it('nobody is offered a decision about their own request', () => {
    const waiting = [aRequest({ requesterId: ME })];
    expect(buttonsOf({ waiting, role: 'admin' })).not.toContain('approve');
    expect(wordsOf({ waiting, role: 'admin' })).toContain('No requests.');
  });

  it('an operator sees their requests and commands, and nothing to decide', () => {
    const buttons = buttonsOf({ role: 'operator' });
    expect(buttons).toContain('withdraw');
    expect(buttons).not.toContain('approve');
    const words = wordsOf({ role: 'operator' });
    expect(words).toContain('*Your requests*');
    expect(words).toContain('Requested <!date');
    expect(words).not.toContain('Needs your decision');
    expect(wordsOf({ role: 'approver' })).toContain('*Needs your decision (2)*');
    expect(wordsOf({ role: 'operator', requests: [] })).toContain(
      '*Your requests*\nNone open, and none in the last 24 hours.',
    );
  });

  it('a viewer sees the fleet and what failed, and no request', () => {
    const words = wordsOf({ role: 'viewer' });
    expect(words).toContain('*The fleet*');
    expect(words).toContain('*Open alerts (2)*');
    expect(words).not.toContain('*Your requests*');
    expect(buttonsOf({ role: 'viewer' })).not.toContain('withdraw');
  });

  it('a viewer reads first what Patchbay is, then the fleet, then what failed', () => {
    const words = wordsOf({ role: 'viewer', pause: null });
    const places = ['shows the state of your fleet', '*The fleet*', '*Open alerts'].map((part) =>
      words.indexOf(part),
    );
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(wordsOf({ role: 'operator' })).not.toContain('shows the state of your fleet');
  });

  it('says where nothing is open, and has the list of alerts all the same', () => {
    const nothing = { role: 'viewer', alerts: [], openAlerts: 0 } as const;
    expect(wordsOf(nothing)).toContain('*Open alerts*\nNo open alerts.');
    expect(buttonsOf(nothing)).toContain('alerts');
  });

  it.each([0, 2])('says up to when failures are known, with %i of them listed', (count) => {
    const eventsReadAt = later(START, -13 * MINUTE);
    const words = wordsOf({ eventsReadAt }, { ...PLAIN, count });
    expect(words).toContain(`Events were last read ${relativeDate(eventsReadAt)}. Newer ones aren’t listed.`);
    expect(wordsOf({}, { ...PLAIN, count })).not.toContain('Events were last read');
  });

  it('somebody without a role sees nothing of the fleet and learns whom to ask', () => {
    const words = wordsOf({ role: 'none' }, { ...PLAIN, count: 40 });
    expect(words).toContain('You don’t have a role yet');
    expect(words).toContain('<@U0HER>');
    expect(words).toContain('<!subteam^S0APPROVERS>');
    expect(words).not.toContain('web-01:');
    expect(buttonsOf({ role: 'none' })).toEqual(['home_refresh']);
  });

  it('shows what waits, what runs, what failed, the fleet and the health, in this order', () => {
    const blocks = JSON.stringify(renderedHome({ role: 'admin', pause: null }).blocks);
    const parts = [
      '"decide:',
      '"request:',
      'Requested <!date',
      '"alert:',
      '*The fleet*',
      '*Patchbay is healthy*',
    ];
    const places = parts.map((part) => blocks.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('while Slack does not say who somebody is, nothing is shown', () => {
    const shown = wordsOf({ role: 'unknown' });
    expect(shown).toContain('Slack');
    expect(shown).not.toContain('fleet');
  });
});

describe('whatever others write', () => {
  const evil = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(
      '<!channel> <@U123ABC> <http://evil.example|ok>',
      '`*_~```:tada:',
      '<'.repeat(5_000),
      '&'.repeat(4_000),
      '😀'.repeat(5_000),
      '\u202E\u200B\u0000',
      '',
    ),
  );

  property([evil, fc.constantFrom(0, 1, 7), fc.constantFrom(...ROLES)], { numRuns: 60 })(
    'Slack takes the Home, and nobody is mentioned by it',
    (text, count, role) => {
      const home = renderedHome({ role }, { text, count });
      expect(checkView(home, 'home')).toEqual([]);
      expect(unsafeTexts(home.blocks)).toEqual([]);
    },
  );

  it('every answer of a command has room in a window', () => {
    const wrong = samples({ text: '<!channel> `x` & y', count: 40 }).flatMap(([name, view]) =>
      checkView(answerWindow(renderView(view).blocks, { depth: 1 }), 'modal').map((problem) => ({
        name,
        problem,
      })),
    );
    expect(wrong).toEqual([]);
    expect(checkView(loadingWindow(2), 'modal')).toEqual([]);
  });
});

it.each(['web-01', '', '<!channel> & *bold*', '`'.repeat(3_000), '漢'.repeat(3_000)])(
  'is taken by Slack as text alone, whatever names say: %j',
  (text) => {
    for (const count of [0, 2, 60]) {
      const plain = simplifiedHome(renderedHome({}, { ...PLAIN, text, count }));
      expect(checkView(plain, 'home')).toEqual([]);
      expect(plain.blocks.filter(({ type }) => type !== 'section')).toEqual([]);
      expect(JSON.stringify(plain)).not.toMatch(/action_id|<!channel>/);
    }
  },
);

describe('the fleet', () => {
  const counted = (given: object): HomeData['fleet'] => ({
    kind: 'counted',
    asOf: START,
    unlisted: 0,
    partial: false,
    overdue: false,
    devices: 240,
    compliant: 200,
    noncompliant: 30,
    pending: 45,
    offline: 12,
    needsReboot: 0,
    ...given,
  });

  it('says every number in words', () => {
    const words = wordsOf({ fleet: counted({}), rollouts: [] });
    expect(words).toContain('*30* of 240 devices not compliant (200 compliant, 10 unknown)');
    expect(words).toContain('*45* with pending patches');
    expect(words).toContain('*12* offline');
    expect(words).toContain('*0* require a reboot');
    // A phone breaks the line behind a bar, so that its number belongs to nothing.
    expect(words).not.toMatch(/[█░]/);
  });

  it('counts what is not known beside what is', () => {
    const unknown = { connection: 1, pending: 2, needsReboot: 3, compliance: 10 };
    const words = wordsOf({ fleet: counted({ unknown }), rollouts: [] });
    for (const said of ['offline (1 unknown)', 'pending patches (2 unknown)', 'require a reboot (3 unknown)'])
      expect(words).toContain(said);
  });

  it('offers the devices behind a number, where there are any', () => {
    const buttons = buttonsOf({ fleet: counted({}) });
    expect(buttons).toContain('devices:offline');
    expect(buttons).not.toContain('devices:needsreboot');
  });

  it('states the age of numbers that are older than the page, and no other', () => {
    expect(wordsOf({ fleet: counted({}) }).match(/As of|Device data from/g)).toEqual(['As of']);
    expect(wordsOf({ fleet: counted({ asOf: later(START, -MINUTE) }) })).toContain('Device data from <!date');
    expect(checkView(renderedHome({ fleet: counted({}) }), 'home')).toEqual([]);
  });

  it('says that it is a part, that it is old, and what is missing', () => {
    expect(wordsOf({ fleet: counted({ partial: true }) })).toContain('these numbers are partial');
    expect(wordsOf({ fleet: counted({ overdue: true }) })).toContain('these are the last known numbers');
    expect(wordsOf({ fleet: counted({ unlisted: 3 }) })).toContain('Up to 3 devices not counted');
  });

  it.each(['reading', 'unread'] as const)('has words where nothing is known: %s', (kind) => {
    expect(checkView(renderedHome({ fleet: { kind } }), 'home')).toEqual([]);
    expect(wordsOf({ fleet: { kind } })).toMatch(/Reading the fleet|Couldn’t read the fleet/);
  });
});

describe('what is wrong with Patchbay', () => {
  const troubles = ALL_TROUBLES.map((trouble) => ({ trouble, since: START }));

  it('stands first for those who can do something about it, three of it at the most', () => {
    for (const role of ['approver', 'admin'] as const) {
      const tab = renderedHome({ troubles, role, alerts: [] });
      expect(checkView(tab, 'home')).toEqual([]);
      expect(JSON.stringify(tab.blocks).match(/⛔/g)).toHaveLength(3);
      expect(wordsOf({ troubles, role })).toContain(
        'Slack hasn’t responded, or has answered with errors, since',
      );
    }
  });

  it.each(troubles)('is named for others in one line: $trouble', (trouble) => {
    const words = wordsOf({ troubles: [trouble], role: 'viewer', alerts: [] });
    expect(words).not.toMatch(/⛔|Patchbay is healthy/);
    expect(words).toContain(`⚠️ *Patchbay needs attention*: ${troubleMarkup(trouble).what}`);
  });

  it.each([[], troubles])('is nothing else than in `status`', (...given) => {
    const health = { ...HEALTHY, troubles: given };
    const { text } = renderView({ kind: 'status', health, index: null, pause: null, asOf: START });
    const [title = ''] = text.split('\n');
    expect(title).toMatch(/Patchbay is healthy|needs attention/);
    expect(wordsOf({ troubles: given })).toContain(title);
  });
});

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
    expect(wordsOf({}, filling).match(/At least 9995 more/g)).toHaveLength(3);
  });

  it('of as many as are read, there may be more', () => {
    expect(wordsOf({}, { ...PLAIN, count: 100 })).toContain('(at least 100)');
  });
});

it('an alert is one row, whatever its devices, with who has it, how often it failed, and its card', () => {
  const members = [aMember({ failures: 3 }), aMember({ deviceId: deviceId(2), deviceName: 'web-02' })];
  const words = wordsOf({ alerts: [anAlert(members)], openAlerts: 1 });
  expect(words).toContain('*Open alerts (1)*\nAll alerts\n⛔ *Patch failed on 2 devices*: OpenSSL\n');
  expect(words).toMatch(
    /Nobody has acknowledged it\.\nSince <!date.*>, failed 3 times · <https:.*Open the alert>/,
  );
});

it('an alert that nobody has is acknowledged there, by who may', () => {
  const acknowledgedBy = personId('UKIM');
  const [open, taken] = [anAlert(), anAlert([aMember()], { number: eventId(2), acknowledgedBy })];
  const alerts = [open, taken];
  expect(buttonsOf({ alerts }).filter((id) => id?.startsWith('acknowledge'))).toEqual(['acknowledge:70001']);
  expect(wordsOf({ alerts })).toContain('▶️ *Patch failed on web-01*: OpenSSL\nAcknowledged by <@UKIM>.');
  expect(buttonsOf({ alerts, role: 'viewer' }).filter((id) => id?.startsWith('acknowledge'))).toEqual([]);
});

it('alerts for which there is no room are counted', () => {
  expect(wordsOf({ alerts: [anAlert()], openAlerts: 8 })).toContain('7 more: `/fleet alerts open`');
});

it('a device without a name is shown by its number', () => {
  const alerts = [anAlert([aMember({ deviceName: '', deviceId: deviceId(7) })])];
  expect(wordsOf({ alerts })).toContain('⛔ *Patch failed on* `#7`: OpenSSL\n');
});

it('what a silence holds says so, and the silence is named', () => {
  const words = wordsOf({
    alerts: [anAlert([aMember()], { heldBy: 3 })],
    silences: [aSilence({ number: 3, kept: 36 })],
  });
  expect(words).toContain(' · held by silence #3, not posted');
  expect(words).toContain('*1 active silence*. These alerts are held, not posted.');
  expect(words).toContain('36 held so far');
});
