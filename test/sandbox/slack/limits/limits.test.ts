/** Every limit and every rule, sent by Slack's own client: a limit one below, at, and one above it, a rule by two cases. */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED } from '../documented/documented-lists.ts';
import {
  type CallOutcome,
  type LimitCase,
  long,
  modal,
  open,
  plain,
  type SlackCall,
  section,
  useSlack,
} from './limit-cases.ts';
import { LIMITS, RULES } from './limit-table.ts';

const slack = useSlack();
type Sized = {
  readonly what: string;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
};

function expectRefused({ word, pointers }: CallOutcome, limit: LimitCase): void {
  expect(word).toBe(limit.word);
  if (limit.at === null) expect(pointers).toEqual([]);
  else expect(pointers).toContain(limit.at);
}

describe('a real client', () => {
  it.each(LIMITS.filter(({ most }) => most !== undefined))(
    'may send $what up to $most and no more ($source)',
    async (limit) => {
      const most = limit.most ?? 0;
      const taken = [most - 1, most].filter((size) => size >= (limit.least ?? 1));
      for (const size of taken)
        expect(await slack.outcomeOf(...limit.make(size))).toMatchObject({ word: 'ok' });
      expectRefused(await slack.outcomeOf(...limit.make(most + 1)), limit);
    },
  );

  it.each(LIMITS.filter(({ least }) => least !== undefined))(
    'must send $what of at least $least ($source)',
    async (limit) => {
      const least = limit.least ?? 0;
      expect(await slack.outcomeOf(...limit.make(least))).toMatchObject({ word: 'ok' });
      expectRefused(await slack.outcomeOf(...limit.make(least - 1)), limit);
    },
  );
});

describe('the table of limits', () => {
  it('has the documented numbers, and no others', () => {
    const lines = (all: readonly Sized[]) =>
      all.map(({ what, least, most }) => `${what}: ${least} to ${most}`).sort();
    expect(lines(LIMITS)).toEqual(lines(DOCUMENTED.limits));
  });

  it('names the source of every number', () => {
    for (const { source } of [...LIMITS, ...DOCUMENTED.limits])
      expect(source).toMatch(/^https:\/\/(docs\.slack\.dev|github\.com)\/./);
  });
});

describe('a real client that keeps the rules', () => {
  it.each(RULES)('must send $what ($source)', async ({ taken, refused, word, at }) => {
    expect(await slack.outcomeOf(...taken)).toEqual({ word: 'ok', pointers: [] });
    const outcome = await slack.outcomeOf(...refused);
    expect(outcome).toEqual({ word, pointers: at === null ? [] : [at] });
  });

  it.each([
    ['chat.postMessage', { text: 'x' }],
    ['chat.postEphemeral', { text: 'x' }],
    ['chat.update', { text: 'x' }],
  ])('is held to them by %s', async (method, args) => {
    const call = (length: number): SlackCall => ({
      method,
      args: { ...args, blocks: [section({ text: plain(length) })] },
    });
    expect(await slack.outcomeOf(call(3_000))).toMatchObject({ word: 'ok' });
    const refused = { word: 'invalid_blocks', pointers: ['/blocks/0/text/text'] };
    expect(await slack.outcomeOf(call(3_001))).toEqual(refused);
  });

  it('is held to them by views.update', async () => {
    const view = (length: number) => modal([], { callback_id: long(length) });
    const update = (length: number): SlackCall => ({ method: 'views.update', args: { view: view(length) } });
    expect(await slack.outcomeOf(...open(view(1)), update(255))).toMatchObject({ word: 'ok' });
    expect(await slack.outcomeOf(update(256))).toEqual({
      word: 'invalid_arguments',
      pointers: ['/view/callback_id'],
    });
  });
});
