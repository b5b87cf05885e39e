/** The check that asks Slack about our cards. */
import { describe, expect, it } from 'vitest';
import { checkCards, sampleCards } from '../../src/doctor/cards.ts';
import { findingText } from '../../src/doctor/finding.ts';
import { renderView } from '../../src/views/views.ts';
import { START } from '../harness/builders.ts';
import { slackAnswering } from './slack-answering.ts';

/** A Slack that answers each card in turn, the last answer for all further ones. */
async function slackThat(...answers: readonly object[]) {
  const asked: string[] = [];
  const { reads } = await slackAnswering((path, call) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
    asked.push(`${path} ${call.get('blocks')}`);
    return answer;
  });
  return { check: async () => findingText(await checkCards(reads)), asked };
}

const OK = { ok: true };

describe('the check of cards', () => {
  it('sends one card of each kind, none of which is empty', async () => {
    const cards = Object.values(sampleCards(START)).flat();
    const { check, asked } = await slackThat(OK);
    expect(await check()).toBe(`ok    Slack cards: Slack accepts all ${cards.length} sample cards`);
    expect(asked).toHaveLength(cards.length);
    for (const one of asked) expect(one).toMatch(/^\/blocks\.validate \[\{"type"/);
    expect(new Set(cards.map((card) => renderView(card).text)).size).toBe(cards.length);
  });

  it('names the first card that Slack rejects, and why', async () => {
    const problem = { pointer: '/0/text', code: 'failed_constraint', message: 'must be shorter' };
    const { check, asked } = await slackThat(OK, { ok: false, error: 'invalid_blocks', errors: [problem] });
    expect(await check()).toMatch(
      /^fail {2}Slack cards: Slack rejects the sample card "alert" \(\/0\/text: must be shorter\)\n {6}→ /,
    );
    expect(asked).toHaveLength(2);
  });

  it('only warns where this Slack does not have the method', async () => {
    const { check } = await slackThat({ ok: false, error: 'unknown_method' });
    expect(await check()).toMatch(/^warn {2}Slack cards: could not be checked: /);
  });
});
