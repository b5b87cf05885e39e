import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { answerWindow, loadingWindow } from '../../../src/views/kit/answer-window.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { renderedTexts } from '../rendered-text.ts';
import { samples } from '../samples/all-samples.ts';
import { unsafeTexts } from '../slack-message-rules.ts';
import { buttonsOf, homeDataOf, ME, PLAIN, renderedHome, wordsOf } from './home-facts.ts';

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
    expect(words).toContain('*Failed patches, last 24 hours (2)*');
    expect(words).not.toContain('*Your requests*');
    expect(buttonsOf({ role: 'viewer' })).not.toContain('withdraw');
  });

  it('a viewer reads first what Patchbay is, then the fleet, then what failed', () => {
    const words = wordsOf({ role: 'viewer', pause: null });
    const places = ['shows the state of your fleet', '*The fleet*', '*Failed patches'].map((part) =>
      words.indexOf(part),
    );
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(wordsOf({ role: 'operator' })).not.toContain('shows the state of your fleet');
  });

  it('looks in the service’s own log with a button where Patchbay saw no failure', () => {
    expect(wordsOf({ role: 'viewer', failures: [] })).toContain(
      '*Failed patches, last 24 hours*\nNo alerts.',
    );
    expect(buttonsOf({ role: 'viewer', failures: [] })).toContain('events');
    expect(wordsOf({ role: 'viewer', failures: [] })).not.toContain('system.patch.failed');
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
      '"failure:',
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

  it('Slack takes the Home, and nobody is mentioned by it', () => {
    fc.assert(
      fc.property(evil, fc.constantFrom(0, 1, 7), fc.constantFrom(...ROLES), (text, count, role) => {
        const home = renderedHome({ role }, { text, count });
        expect(checkView(home, 'home')).toEqual([]);
        expect(unsafeTexts(home.blocks)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

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
