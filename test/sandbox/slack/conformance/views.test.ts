/**
 * Modals and the Home against Slack's pages: stack, hash, external ids, effects of an acknowledgement, triggers. Every
 * block is named after the page for its behavior.
 */
import { describe, expect, it } from 'vitest';
import { aModal } from '../harness/sample-views.ts';
import { startBolt, startWorkspace } from '../harness/workspace-harness.ts';
import { asking, GOOD, type Json, plain, stage, withButton } from './views-stage.ts';

const MODALS = 'https://docs.slack.dev/surfaces/modals';
const REFERENCE = 'https://docs.slack.dev/reference/views/modal-views';

describe(`${MODALS}#view-stack`, () => {
  it('holds three views, of which the last is seen', async () => {
    const { open, push, modals, top, submit, click, workspace } = await stage();
    await open(withButton());
    for (let count = 0; count < 2; count += 1) expect(await push(withButton())).toMatchObject({ ok: true });
    expect(await push(withButton())).toMatchObject({ ok: false, error: 'push_limit_reached' });
    const [first, second, third] = modals();
    expect(third).toMatchObject({ root_view_id: first?.id, previous_view_id: second?.id });
    const hidden = { ok: false, error: 'view_not_visible' };
    expect(await submit(GOOD, first?.id)).toEqual(hidden);
    expect(await click(second?.id)).toEqual(hidden);
    expect(await workspace.close({ user: 'operator', view_id: first?.id ?? '' })).toEqual(hidden);
    expect(await submit()).toEqual({ ok: true });
    expect(top().id).toBe(second?.id);
  });

  it('is pushed onto only from inside a modal', async () => {
    const { open, call, trigger } = await stage();
    await open();
    const refused = { ok: false, error: 'invalid_trigger_id' };
    expect(await call('views.push', { trigger_id: await trigger(), view: aModal() })).toMatchObject(refused);
  });

  it('takes no fourth view from an acknowledgement', async () => {
    const { open, push, submit, modals } = await stage(() => ({ response_action: 'push', view: aModal() }));
    await open(withButton());
    for (let count = 0; count < 2; count += 1) await push(withButton());
    expect(await submit()).toEqual({ ok: false, error: 'push_limit_reached' });
    expect(modals()).toHaveLength(3);
  });

  it('keeps the input of a view while another is on top', async () => {
    const { open, push, top, workspace } = await stage();
    await open(withButton());
    const typing = { user: 'operator', channel: '', ts: '', view_id: top().id, action_id: 'reason' };
    await workspace.click({ ...typing, value: 'half a' });
    await push(aModal());
    await workspace.close({ user: 'operator', view_id: top().id });
    expect(top()).toMatchObject({ state: { values: { why: { reason: { value: 'half a' } } } } });
  });
});

describe(`${MODALS}#handling-race-conditions`, () => {
  it('an update with a stale hash is refused, and one with the newest or none is taken', async () => {
    const { open, call, top } = await stage();
    await open();
    const { id: view_id, hash } = top();
    expect(await call('views.update', { view_id, hash, view: aModal() })).toMatchObject({ ok: true });
    expect(top().hash).not.toBe(hash);
    expect(await call('views.update', { view_id, hash, view: aModal() })).toMatchObject({
      ok: false,
      error: 'hash_conflict',
    });
    expect(await call('views.update', { view_id, hash: top().hash, view: aModal() })).toMatchObject({
      ok: true,
    });
    expect(await call('views.update', { view_id, view: aModal() })).toMatchObject({ ok: true });
  });

  it('a click and a submission carry the hash that is in force', async () => {
    const { open, call, top, click, submit, bot } = await stage();
    await open(withButton());
    await call('views.update', { view_id: top().id, view: withButton() });
    const { hash } = top();
    await click();
    expect(bot.last()).toMatchObject({ type: 'block_actions', view: { hash } });
    await submit();
    expect(bot.last()).toMatchObject({ type: 'view_submission', view: { hash } });
  });

  it('a view that was closed meanwhile stays closed, whatever the acknowledgement says', async () => {
    const { open, submit, modals, top, workspace } = await stage(() => {
      void workspace.close({ user: 'operator', view_id: top().id });
      return { response_action: 'push', view: aModal() };
    });
    await open();
    await submit();
    expect(modals()).toEqual([]);
  });
});

describe(REFERENCE, () => {
  it('what was typed survives an update where block_id and action_id stay, and only there', async () => {
    const { open, call, top, workspace } = await stage();
    const other = {
      type: 'input' as const,
      block_id: 'when',
      label: plain('When'),
      element: { type: 'plain_text_input' as const, action_id: 'time' },
    };
    await open(aModal({ blocks: [...aModal().blocks, other] }));
    const typing = { user: 'operator', channel: '', ts: '', view_id: top().id };
    await workspace.click({ ...typing, action_id: 'reason', value: 'kept' });
    await workspace.click({ ...typing, action_id: 'time', value: 'lost' });
    await call('views.update', { view_id: top().id, view: aModal() });
    await call('views.update', {
      view_id: top().id,
      view: aModal({ blocks: [...aModal().blocks, other] }),
    });
    expect(top()).toMatchObject({
      state: { values: { why: { reason: { value: 'kept' } }, when: { time: { value: null } } } },
    });
  });

  it('private_metadata and callback_id come back untouched', async () => {
    const { open, submit, bot } = await stage();
    const said = { private_metadata: '  {"id": "<a> & b"}\n', callback_id: 'ask <again>' };
    await open(aModal(said));
    await submit();
    expect(bot.last()).toMatchObject({ view: said });
  });

  it('external_id names one view at a time, and may come back once it is gone', async () => {
    const { open, call, submit, top } = await stage();
    const view = aModal({ external_id: 'mine' });
    await open(view);
    expect(await call('views.update', { external_id: 'mine', view })).toMatchObject({ ok: true });
    expect(await open(view)).toMatchObject({ ok: false, error: 'duplicate_external_id' });
    await submit();
    expect(await open(view)).toMatchObject({ ok: true });
    expect(top()).toMatchObject({ external_id: 'mine' });
  });
});

describe('https://docs.slack.dev/interactivity/handling-user-interaction: trigger_id', () => {
  it('opens one view', async () => {
    const { trigger, call } = await stage();
    const trigger_id = await trigger();
    expect(await call('views.open', { trigger_id, view: aModal() })).toMatchObject({ ok: true });
    expect(await call('views.open', { trigger_id, view: aModal() })).toMatchObject({
      ok: false,
      error: 'exchanged_trigger_id',
    });
  });

  it('lives three seconds', async () => {
    const { trigger, call, clock } = await stage();
    const [early, late] = [await trigger(), await trigger()];
    await clock.advance(3_000);
    expect(await call('views.open', { trigger_id: early, view: aModal() })).toMatchObject({ ok: true });
    await clock.advance(1);
    expect(await call('views.open', { trigger_id: late, view: aModal() })).toMatchObject({
      ok: false,
      error: 'expired_trigger_id',
    });
  });
});

describe.each(['socket', 'http'] as const)('Bolt over %s', (transport) => {
  it('follows a submission with update, push, errors and clear', async () => {
    const started = await startWorkspace({ transport });
    const { workspace } = started;
    const answers = [
      { response_action: 'errors' as const, errors: { why: 'Say more' } },
      { response_action: 'update' as const, view: aModal({ callback_id: 'ask', external_id: 'second' }) },
      { response_action: 'push' as const, view: aModal({ callback_id: 'ask', external_id: 'third' }) },
      { response_action: 'clear' as const },
    ];
    await startBolt(started, transport, (app) => {
      app.command('/fleet', async ({ ack, client, command }) => {
        await client.views.open({ trigger_id: command.trigger_id, view: aModal() });
        await ack();
      });
      app.view('ask', async ({ ack }) => {
        const answer = answers.shift();
        await (answer ? ack(answer) : ack());
      });
    });
    await workspace.command(asking);
    const seen = () => (workspace.views('operator').modals as Json[]).map((view) => view['external_id']);
    const submit = () => {
      const view_id = String((workspace.views('operator').modals as Json[]).at(-1)?.['id']);
      return workspace.submit({ user: 'operator', view_id, values: GOOD });
    };
    expect(await submit()).toEqual({ ok: false, error: 'invalid_input', errors: { why: 'Say more' } });
    expect(seen()).toEqual(['']);
    expect(await submit()).toEqual({ ok: true });
    expect(seen()).toEqual(['second']);
    await submit();
    expect(seen()).toEqual(['second', 'third']);
    await submit();
    expect(seen()).toEqual([]);
  });
});
