/** Selects that begin with “the conversation they’re currently viewing”, wherever in the modal they appear. */
import { describe, expect, it } from 'vitest';
import { aModal } from '../harness/sample-views.ts';
import { OPS, RANDOM } from '../harness/workspace-harness.ts';
import { type Json, plain, stage, withButton } from './views-stage.ts';

const choosing = aModal({
  callback_id: 'choosing',
  blocks: [
    {
      type: 'input',
      block_id: 'where',
      label: plain('Where'),
      element: {
        type: 'conversations_select',
        action_id: 'it',
        default_to_current_conversation: true,
        response_url_enabled: true,
      },
    },
  ],
});
const said = (channel: string) => ({
  view: { state: { values: { where: { it: { selected_conversation: channel } } } } },
  response_urls: [{ channel_id: channel }],
});
/** Acknowledges every other view with this answer. */
const answering = (answer: Json) =>
  stage(({ payload }) => ((payload['view'] as Json)['callback_id'] === 'choosing' ? {} : answer)); // it is a submission
const shortcuts = [{ callback_id: 'everywhere', type: 'global' as const }];
type Stage = Awaited<ReturnType<typeof stage>>;

async function submitted({ workspace, top, bot }: Stage, values = {}): Promise<Json> {
  await workspace.submit({ user: 'operator', view_id: top().id, values });
  return bot.last();
}

describe('https://docs.slack.dev/surfaces/modals#modal_response_url begins with the current conversation', () => {
  it('in a view that is pushed', async () => {
    const on = await stage();
    await on.open(withButton());
    await on.push(choosing);
    expect(await submitted(on)).toMatchObject(said(OPS));
  });

  it.each(['push', 'update'])('in a view of the acknowledgement %s', async (response_action) => {
    const on = await answering({ response_action, view: choosing });
    await on.open();
    await on.submit();
    expect(await submitted(on)).toMatchObject(said(OPS));
  });

  it('in a view that a press in a modal opens anew', async () => {
    const on = await stage();
    await on.open(withButton());
    await on.click();
    await on.call('views.open', { trigger_id: on.bot.last()['trigger_id'], view: choosing });
    expect(await submitted(on)).toMatchObject(said(OPS));
  });

  it('in an updated view, where nothing else was chosen', async () => {
    const on = await stage();
    await on.open();
    const update = () => on.call('views.update', { view_id: on.top().id, view: choosing });
    await update();
    const place = { user: 'operator', channel: '', ts: '', view_id: on.top().id };
    await on.workspace.click({ ...place, action_id: 'it', value: RANDOM });
    await update();
    expect(await submitted(on)).toMatchObject(said(RANDOM));
  });

  it('in a modal of a global shortcut, which does not tell the bot where it was used', async () => {
    const on = await stage(undefined, { shortcuts });
    await on.workspace.shortcut({ user: 'operator', callback_id: 'everywhere', channel: 'ops' });
    expect(on.bot.last()).not.toHaveProperty('channel');
    await on.call('views.open', { trigger_id: on.bot.last()['trigger_id'], view: choosing });
    expect(await submitted(on)).toMatchObject(said(OPS));
  });

  it('but a global shortcut is used in no conversation that the person cannot see', async () => {
    const on = await stage(undefined, { shortcuts });
    const used = on.workspace.shortcut({ user: 'outsider', callback_id: 'everywhere', channel: 'secret' });
    expect(await used).toEqual({ ok: false, error: 'channel_not_found' });
  });
});
