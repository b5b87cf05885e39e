/** What the bot receives when a modal is submitted or closed. */
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { aModal } from '../harness/sample-views.ts';
import { BY_OPERATOR, section } from '../harness/workspace-harness.ts';
import { asking, plain, stage, withButton } from './views-stage.ts';

describe('https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload', () => {
  it('view_submission', async () => {
    const { open, submit, bot, top } = await stage();
    await open();
    const { id } = top();
    await submit();
    expect(bot.last()).toEqual({
      type: 'view_submission',
      ...BY_OPERATOR,
      trigger_id: expect.stringMatching(/./),
      view: expect.objectContaining({
        ...{ id, root_view_id: id, previous_view_id: null, app_id: 'A0PATCHBAY1' },
        hash: expect.stringMatching(/^\d{10}\.\w{8}$/),
      }),
      response_urls: [],
    });
  });

  it.each([false, true])('view_closed with clear_on_close %s', async (clear_on_close) => {
    const { open, push, top, workspace, bot, modals } = await stage();
    await open(withButton());
    await push(aModal({ notify_on_close: true, clear_on_close }));
    const { id } = top();
    await workspace.close({ user: 'operator', view_id: id });
    await expect.poll(() => bot.last()['type']).toBe('view_closed');
    expect(bot.last()).toEqual({
      type: 'view_closed',
      ...BY_OPERATOR,
      view: expect.objectContaining({ id }),
      is_cleared: clear_on_close,
    });
    expect(modals()).toHaveLength(clear_on_close ? 0 : 1);
  });

  it('view_closed of the first view alone when the cross closes the stack', async () => {
    const { open, push, top, workspace, bot, modals } = await stage();
    await open(withButton(aModal({ notify_on_close: true })));
    const { id } = top();
    await push(aModal({ notify_on_close: true }));
    const sent = bot.envelopes.length;
    await workspace.close({ user: 'operator', view_id: top().id, all: true });
    expect(modals()).toEqual([]);
    await expect.poll(() => bot.last()['type']).toBe('view_closed');
    expect(bot.last()).toMatchObject({ view: { id }, is_cleared: true });
    expect(bot.envelopes).toHaveLength(sent + 1);
  });

  it('view_closed holds what was chosen, except in input blocks', async () => {
    const { open, top, workspace, bot } = await stage();
    const box = { text: plain('One'), value: 'one' };
    const boxes = { type: 'checkboxes' as const, action_id: 'boxes', options: [box], initial_options: [box] };
    const chosen = section('x', { block_id: 'outside', accessory: boxes }) as KnownBlock;
    await open(aModal({ notify_on_close: true, blocks: [...aModal().blocks, chosen] }));
    await workspace.close({ user: 'operator', view_id: top().id });
    await expect.poll(() => bot.last()['type']).toBe('view_closed');
    const answered = { text: { ...box.text, emoji: true }, value: 'one' };
    const values = { outside: { boxes: { type: 'checkboxes', selected_options: [answered] } } };
    expect(bot.last()).toHaveProperty('view.state', { values });
  });

  it('view_closed is sent only where the view asks for it', async () => {
    const { open, top, workspace, bot } = await stage();
    await open();
    await workspace.close({ user: 'operator', view_id: top().id });
    await workspace.command(asking);
    expect(bot.envelopes.map(({ type }) => type)).toEqual(['slash_commands', 'slash_commands']);
  });
});
