import { describe, expect, it } from 'vitest';
import { createMenuOptions } from '../../../src/slack/forms/forms.ts';
import type { MenuOption } from '../../../src/views/kit/blocks.ts';
import { ANN, createFormsHarness, NOBODY, type Parts, UNKNOWN } from './forms-harness.ts';

describe('a menu that searches', () => {
  const offered = async (parts: Parts, action_id: string, value: string) => {
    const desk = createFormsHarness(parts);
    await desk.ports.inventory.snapshot();
    const acks: unknown[] = [];
    await desk.forms.onOptions({ user: { id: ANN }, action_id, value }, async (options) => {
      acks.push(options);
    });
    return acks;
  };

  it('offers what fits, by a number that stays', async () => {
    expect(await offered({}, 'search_device', 'web')).toMatchObject([
      [{ text: { text: 'web-01' }, value: '1001', description: { text: expect.stringMatching(/^#1001/) } }],
    ]);
  });

  it('cuts long names with a mark', async () => {
    expect(await offered({}, 'search_group', 'x')).toMatchObject([
      [{ text: { text: `${'x'.repeat(74)}…` } }],
    ]);
  });

  it.each([
    ['short names', 'web', 100],
    ['long names', 'x'.repeat(75), 70],
    ['long names of several bytes a letter', '長'.repeat(75), 30],
  ])('offers as many as one acknowledgement carries: %s', async (_what, label, least) => {
    const acks: (readonly MenuOption[])[] = [];
    const suggest = () => Array.from({ length: 100 }, (_, id) => ({ id: id + 1, label, detail: label }));
    const person = { role: 'operator', maybe: null } as const;
    const people = { roleOf: async () => person, knownRoleOf: () => person };
    const answer = createMenuOptions({ inventory: { suggest }, people });
    await answer({ user: { id: ANN }, action_id: 'search_device', value: 'x' }, async (options) => {
      acks.push(options);
    });
    const [options = []] = acks;
    expect(options.length).toBeGreaterThanOrEqual(least);
    expect(options.map(({ value }) => value)).toEqual(options.map((_, at) => String(at + 1)));
    const frame = JSON.stringify({ envelope_id: 'x'.repeat(36), payload: { options } });
    expect(Buffer.byteLength(frame)).toBeLessThan(20_480);
  });

  it.each([
    ['somebody without a role', { role: NOBODY }, 'search_device'],
    ['somebody of whom Slack has not said who they are', { role: UNKNOWN }, 'search_device'],
    ['a menu that is none of ours', {}, 'search_secrets'],
    ['a menu that does not search', {}, 'field'],
  ])('offers nothing to %s', async (_what, parts, action) => {
    expect(await offered(parts, action, 'web')).toEqual([[]]);
  });
});
