import { describe, expect, it } from 'vitest';
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
    ['somebody without a role', { role: NOBODY }, 'search_device'],
    ['somebody of whom Slack has not said who they are', { role: UNKNOWN }, 'search_device'],
    ['a menu that is none of ours', {}, 'search_secrets'],
    ['a menu that does not search', {}, 'field'],
  ])('offers nothing to %s', async (_what, parts, action) => {
    expect(await offered(parts, action, 'web')).toEqual([[]]);
  });
});
