import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../../src/clock.ts';
import { alertId, approvalId, deviceId, operationId, personId, userGroupId } from '../../../src/ids.ts';
import { checkView } from '../../../src/sandbox/slack/validate/views.ts';
import { renderHome } from '../../../src/views/home/home.ts';
import { type HomeFacts, type HomeView, homeView, linkedCards } from '../../../src/views/home/home-model.ts';
import { answerWindow, lookingWindow } from '../../../src/views/kit/answer-window.ts';
import { bar } from '../../../src/views/kit/charts.ts';
import { render } from '../../../src/views/render.ts';
import { anAlert, anApproval, anOperation, aTarget, START, someFacts } from '../../harness/builders.ts';
import { texts } from '../drawn.ts';
import { type Filling, many } from '../filling.ts';
import { samples } from '../samples.ts';
import { aPause } from '../setting-samples.ts';
import { unsafeTexts } from '../slack-rules.ts';

const ME = personId('U0ME');
const HER = personId('U0HER');
const ROLES = ['none', 'unknown', 'viewer', 'operator', 'approver', 'admin'] as const;

function factsOf({ text, count }: Filling, given: Partial<HomeFacts> = {}): HomeFacts {
  const target = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    missing: many(Math.min(count, 50), () => text),
  });
  const request = (at: number, requesterId: typeof ME) =>
    anApproval({
      id: approvalId(`a_${requesterId}${at}`),
      requesterId,
      reason: text,
      note: at % 2 === 0 ? text : null,
      targets: at % 4 === 3 ? [target, target] : [target],
    });
  return {
    person: ME,
    role: 'admin',
    personal: true,
    root: '/fleet',
    asOf: START,
    deciders: { people: [personId(text), HER], userGroups: [userGroupId('S0APPROVERS')] },
    waiting: many(count, (at) => request(at, HER)),
    requests: many(count, (at) => request(at, ME)),
    operations: many(count, (at) =>
      anOperation({
        id: operationId(`o_${at}`),
        requesterId: ME,
        reason: text,
        targets: [aTarget({ displayName: text, evidence: text, response: text })],
      }),
    ),
    failures: many(count, (at) =>
      anAlert({
        id: alertId(`n_${at}`),
        deviceName: text,
        reason: text,
        packages: many(Math.min(count, 50), () => ({ name: text, displayName: text })),
        createdAt: START,
      }),
    ),
    fleet: {
      kind: 'counted',
      asOf: START,
      unlisted: count,
      partial: true,
      overdue: true,
      devices: count * 3,
      compliant: count,
      noncompliant: count,
      pending: count,
      offline: count,
      needsReboot: count,
    },
    health: { slack: true, database: true, readAt: START, failures: 1 },
    pause: aPause({ reason: text, by: personId(text) }),
    ...given,
  };
}

const PLAIN: Filling = { text: 'web-01', count: 2 };
const draw = (view: HomeView) =>
  renderHome(view, new Map(linkedCards(view).map((key) => [key, `https://example.slack.com/${key}`])));
const drawn = (given: Partial<HomeFacts> = {}, filling = PLAIN) => draw(homeView(factsOf(filling, given)));
const wordsOf = (given: Partial<HomeFacts> = {}, filling = PLAIN) =>
  texts(drawn(given, filling).blocks)
    .map(({ text }) => text)
    .join('\n');
/** Every action with the value that it carries. */
const buttonsOf = (given: Partial<HomeFacts> = {}, filling = PLAIN) =>
  [...JSON.stringify(drawn(given, filling).blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);

describe('the Home, by role', () => {
  it.each(ROLES)('Slack takes what is drawn for: %s', (role) => {
    for (const count of [0, 1, 2, 40]) {
      expect(checkView(drawn({ role }, { ...PLAIN, count }), 'home')).toEqual([]);
    }
  });

  it('an approver decides with the very buttons of the card', () => {
    const [approval] = factsOf(PLAIN).waiting;
    if (approval === undefined) throw new Error('no request');
    const card = JSON.stringify(render({ kind: 'approval', approval, operation: null }).blocks);
    const home = drawn({ role: 'approver' });
    const decides = home.blocks.find(({ block_id: id }) => id === `decide:${approval.id}`);
    const elements = JSON.stringify(decides?.['elements']).slice(1, -1);
    expect(elements).toContain('"action_id":"approve"');
    expect(elements).toContain('"confirm"');
    expect(card).toContain(elements);
  });

  it('every fact of the card stands beside the decision', () => {
    const [approval] = factsOf(PLAIN).waiting;
    if (approval === undefined) throw new Error('no request');
    const card = render({ kind: 'approval', approval, operation: null });
    const home = JSON.stringify(drawn({ role: 'approver' }).blocks);
    for (const { text } of texts(card.blocks.slice(0, -1)))
      expect(home).toContain(JSON.stringify(text).slice(1, -1));
  });

  it('a request for several devices is decided on its card', () => {
    const waiting = [anApproval({ requesterId: HER, targets: [someFacts(), someFacts()] })];
    expect(buttonsOf({ waiting, role: 'approver' })).not.toContain('approve');
    expect(wordsOf({ waiting, role: 'approver' })).toContain('Decide on its card');
  });

  it('nobody is offered a decision about their own request', () => {
    const waiting = [anApproval({ requesterId: ME })];
    expect(buttonsOf({ waiting, role: 'admin' })).not.toContain('approve');
    expect(wordsOf({ waiting, role: 'admin' })).toContain('Nothing waits.');
  });

  it('an operator sees their requests and commands, and nothing to decide', () => {
    const buttons = buttonsOf({ role: 'operator' });
    expect(buttons).toContain('withdraw');
    expect(buttons).not.toContain('approve');
    const words = wordsOf({ role: 'operator' });
    expect(words).toContain('*Your requests*');
    expect(words).toContain('*Your commands*');
    expect(words).not.toContain('Waiting for your decision');
  });

  it('a viewer sees the fleet and what failed, and no request', () => {
    const words = wordsOf({ role: 'viewer' });
    expect(words).toContain('*The fleet at a glance*');
    expect(words).toContain('*Patches that failed in the last day (2)*');
    expect(words).not.toContain('*Your requests*');
    expect(buttonsOf({ role: 'viewer' })).not.toContain('withdraw');
  });

  it('somebody without a role sees nothing of the fleet and learns whom to ask', () => {
    const words = wordsOf({ role: 'none' }, { ...PLAIN, count: 40 });
    expect(words).toContain('You have no role in it yet');
    expect(words).toContain('<@U0HER>');
    expect(words).toContain('<!subteam^S0APPROVERS>');
    expect(words).not.toContain('web-01:');
    expect(buttonsOf({ role: 'none' })).toEqual(['home_refresh']);
  });

  it('while Slack does not say who somebody is, nothing is shown', () => {
    expect(wordsOf({ role: 'unknown' })).not.toContain('fleet');
  });
});

describe('the lists of the Home', () => {
  it('what runs comes before what ended, and what ended long ago is left out', () => {
    const of = (id: string, ended: boolean, age: number) =>
      anOperation({
        id: operationId(id),
        createdAt: later(START, -age),
        targets: [aTarget({ endedAt: ended ? START : null })],
      });
    const operations = [of('o_new', true, HOUR), of('o_runs', false, 2 * DAY), of('o_old', true, 2 * DAY)];
    const view = homeView(factsOf(PLAIN, { operations }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.operations?.rows.map(({ id }) => id)).toEqual(['o_runs', 'o_new']);
  });

  it('a request that was carried out is told as a command, not twice', () => {
    const requests = [
      anApproval({ id: approvalId('a_done'), state: 'approved', operationId: operationId('o_1') }),
      anApproval({ id: approvalId('a_denied'), state: 'denied' }),
      anApproval({ id: approvalId('a_waits') }),
      anApproval({ id: approvalId('a_old'), state: 'denied', createdAt: later(START, -2 * DAY) }),
    ];
    const view = homeView(factsOf(PLAIN, { requests }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.requests?.rows.map(({ id }) => id)).toEqual(['a_waits', 'a_denied']);
  });

  it('what expires first is to be decided first', () => {
    const waiting = [20, 5, 10].map((minutes) =>
      anApproval({
        id: approvalId(`a_${minutes}`),
        requesterId: HER,
        expiresAt: later(START, minutes * MINUTE),
      }),
    );
    const view = homeView(factsOf(PLAIN, { waiting }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.waiting?.rows.map(({ id }) => id)).toEqual(['a_5', 'a_10', 'a_20']);
  });

  it('of ten thousand each, five are shown and the rest is counted', () => {
    const filling = { ...PLAIN, count: 10_000 };
    const home = drawn({}, filling);
    expect(checkView(home, 'home')).toEqual([]);
    expect(home.blocks.length).toBeLessThanOrEqual(100);
    expect(wordsOf({}, filling).match(/And at least 9995 more\./g)).toHaveLength(4);
  });

  it('of as many as are read, there may be more', () => {
    expect(wordsOf({}, { ...PLAIN, count: 99 })).toContain('And 94 more.');
    expect(wordsOf({}, { ...PLAIN, count: 100 })).toContain('(at least 100)');
  });
});

describe('the fleet at a glance', () => {
  const counted = (given: object): HomeFacts['fleet'] => ({
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

  it('says every number in words beside its bar', () => {
    const words = wordsOf({ fleet: counted({}) });
    expect(words).toContain('*200* of 240 devices compliant, *30* not, 10 not stated');
    expect(words).toContain('*45* with pending patches');
    expect(words).toContain('*12* offline');
    expect(words).toContain('*0* in need of a reboot');
    expect(words.match(/[█░]{20}/g)).toHaveLength(4);
  });

  it('offers the devices behind a number, where there are any', () => {
    const buttons = buttonsOf({ fleet: counted({}) });
    expect(buttons).toContain('devices:offline');
    expect(buttons).not.toContain('devices:needsreboot');
  });

  it('says that it is a part, that it is old, and what is missing', () => {
    expect(wordsOf({ fleet: counted({ partial: true }) })).toContain('this is a part');
    expect(wordsOf({ fleet: counted({ overdue: true }) })).toContain('what was known before');
    expect(wordsOf({ fleet: counted({ unlisted: 3 }) })).toContain('Up to 3 devices could not be counted');
  });

  it.each(['reading', 'unread'] as const)('has words where nothing is known: %s', (kind) => {
    expect(checkView(drawn({ fleet: { kind } }), 'home')).toEqual([]);
    expect(wordsOf({ fleet: { kind } })).toMatch(/is being read|could not be asked/);
  });
});

describe('the bot’s health in one line', () => {
  const well = { slack: true, database: true, readAt: START, failures: 0 };
  it.each([
    ['well', well, 'Patchbay is well'],
    ['a look that failed', { ...well, failures: 2 }, 'failed; it is tried again'],
    ['an old look', { ...well, readAt: later(START, -6 * MINUTE) }, 'alerts may be late'],
    ['no look yet', { ...well, readAt: null }, 'last read not yet'],
    ['no database', { ...well, database: false }, 'its database does not answer'],
    ['no Slack', { ...well, slack: false }, 'its connection to Slack is down'],
  ] as const)('%s', (_name, health, words) => {
    expect(wordsOf({ health })).toContain(words);
  });
});

describe('bars', () => {
  it('never draw something as nothing, nor a part as all', () => {
    const numbers = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const drawn = bar(Math.min(a, b), Math.max(a, b));
        expect(drawn).toHaveLength(22);
        expect(drawn.includes('█')).toBe(true);
        expect(drawn.includes('░')).toBe(a !== b);
      }),
    );
  });

  it('draw nothing of nothing', () => {
    expect(bar(0, 0)).toBe(`\`${'░'.repeat(20)}\``);
    expect(bar(0, 9)).toBe(`\`${'░'.repeat(20)}\``);
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

  it('Slack takes the Home, and nobody is mentioned by it', () => {
    fc.assert(
      fc.property(evil, fc.constantFrom(0, 1, 7), fc.constantFrom(...ROLES), (text, count, role) => {
        const home = drawn({ role }, { text, count });
        expect(checkView(home, 'home')).toEqual([]);
        expect(unsafeTexts(home.blocks)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('every answer of a command has room in a window', () => {
    const wrong = samples({ text: '<!channel> `x` & y', count: 40 }).flatMap(([name, view]) =>
      checkView(answerWindow(render(view).blocks, { depth: 1 }), 'modal').map((problem) => ({
        name,
        problem,
      })),
    );
    expect(wrong).toEqual([]);
    expect(checkView(lookingWindow(2), 'modal')).toEqual([]);
  });
});

it('a device without a name is told by its number', () => {
  const failures = [anAlert({ deviceName: '', deviceId: deviceId(7), reason: '' })];
  const words = wordsOf({ failures });
  expect(words).toContain('*#7*');
  expect(words).toContain('no reason stated');
});
