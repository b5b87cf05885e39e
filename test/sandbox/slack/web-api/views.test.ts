/** Modals and Home by the Web API, with the triggers that open them. */
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import { answerOf, clientOf, OPERATOR, section, startWorkspace } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const asView = (answer: Json) => answer['view'] as { id: string; hash: string } & Json; // every view has both

async function withTrigger() {
  const started = await startWorkspace();
  const bot = await startRawBot(started.workspace);
  const trigger = async () => {
    const order = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
    const answer = await started.workspace.command(order);
    return answer.ok ? answer.trigger_id : '';
  };
  return { ...started, bot, trigger };
}

const open = (workspace: Workspace, trigger_id: string, view: unknown = aModal()) =>
  answerOf(workspace, 'views.open', { trigger_id, view });

describe('a trigger', () => {
  it('opens one modal for its person', async () => {
    const { workspace, trigger } = await withTrigger();
    const id = await trigger();
    expect(await open(workspace, id)).toMatchObject({
      ok: true,
      view: { type: 'modal', callback_id: 'ask' },
    });
    expect(workspace.views('operator').modals).toMatchObject([{ callback_id: 'ask' }]);
    expect(workspace.views('viewer').modals).toEqual([]);
    expect(await open(workspace, id)).toMatchObject({ error: 'exchanged_trigger_id' });
  });

  it('is also taken as a pointer, and what it opens has no values yet', async () => {
    const { workspace, trigger } = await withTrigger();
    const sent = { interactivity_pointer: await trigger(), view: aModal() };
    expect(await answerOf(workspace, 'views.open', sent)).toHaveProperty('view.state', { values: {} });
  });

  it('lives three seconds on the clock', async () => {
    const { workspace, clock, trigger } = await withTrigger();
    const inTime = await trigger();
    await clock.advance(3_000);
    expect(await open(workspace, inTime)).toMatchObject({ ok: true });
    const late = await trigger();
    await clock.advance(3_001);
    expect(await open(workspace, late)).toMatchObject({ error: 'expired_trigger_id' });
  });

  it('must be known', async () => {
    const { workspace } = await startWorkspace();
    expect(await open(workspace, 'made-up')).toMatchObject({ error: 'invalid_trigger_id' });
    expect(await answerOf(workspace, 'views.open', { view: aModal() })).toMatchObject({
      error: 'invalid_arguments',
    });
  });

  it('is not spent on a view that is refused', async () => {
    const { workspace, trigger } = await withTrigger();
    const id = await trigger();
    expect(await open(workspace, id, { ...aModal(), title: undefined })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: [
          '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
          '[ERROR] missing required field: title [json-pointer:/view]',
        ],
      },
    });
    expect(await open(workspace, id)).toMatchObject({ ok: true });
  });
});

describe('views.update', () => {
  it('changes the view and its hash, by id or external id', async () => {
    const { workspace, trigger } = await withTrigger();
    const opened = asView(await open(workspace, await trigger(), aModal({ external_id: 'mine' })));
    const changed = aModal({ external_id: 'mine', callback_id: 'again' });
    const updated = await answerOf(workspace, 'views.update', { external_id: 'mine', view: changed });
    expect(updated).toMatchObject({ ok: true, view: { id: opened.id, callback_id: 'again' } });
    expect(asView(updated).hash).not.toBe(opened.hash);
  });

  it('refuses a stale hash, an unknown view and no view', async () => {
    const { workspace, trigger } = await withTrigger();
    const { id, hash } = asView(await open(workspace, await trigger()));
    const update = (args: Json) => answerOf(workspace, 'views.update', { view: aModal(), ...args });
    expect(await update({ view_id: id, hash })).toMatchObject({ ok: true });
    expect(await update({ view_id: id, hash })).toMatchObject({ error: 'hash_conflict' });
    expect(await update({ view_id: 'V1' })).toMatchObject({ error: 'not_found' });
    expect(await update({})).toMatchObject({ error: 'invalid_arguments' });
  });

  it('keeps what was typed where block and action stay the same', async () => {
    const { workspace, trigger } = await withTrigger();
    const opened = asView(await open(workspace, await trigger()));
    await workspace.click({
      user: 'operator',
      channel: '',
      ts: '',
      view_id: opened.id,
      action_id: 'reason',
      value: 'typed',
    });
    const kept = await answerOf(workspace, 'views.update', { view_id: opened.id, view: aModal() });
    expect(kept).toMatchObject({ view: { state: { values: { why: { reason: { value: 'typed' } } } } } });
    const [block] = aModal().blocks;
    const renamed = aModal({ blocks: [{ ...block, type: 'input', block_id: 'other' } as never] });
    const lost = await answerOf(workspace, 'views.update', { view_id: opened.id, view: renamed });
    expect(lost).toMatchObject({ view: { state: { values: { other: { reason: { value: null } } } } } });
  });
});

it('an external id is taken once', async () => {
  const { workspace, trigger } = await withTrigger();
  await open(workspace, await trigger(), aModal({ external_id: 'mine' }));
  const twice = await open(workspace, await trigger(), aModal({ external_id: 'mine' }));
  expect(twice).toMatchObject({ error: 'duplicate_external_id' });
});

describe('views.push', () => {
  /** A trigger from inside the modal. */
  const inside = async ({ workspace, bot }: Awaited<ReturnType<typeof withTrigger>>, view_id: string) => {
    await workspace.click({ user: 'operator', channel: '', ts: '', view_id, action_id: 'more' });
    return bot.last()['trigger_id'];
  };
  const withMore = aModal({
    blocks: [
      {
        type: 'actions',
        block_id: 'row',
        elements: [{ type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } }],
      },
    ],
  });

  it('stacks up to three modals', async () => {
    const started = await withTrigger();
    const { workspace, trigger } = started;
    const first = asView(await open(workspace, await trigger(), withMore));
    const push = async (from: string) =>
      answerOf(workspace, 'views.push', { trigger_id: await inside(started, from), view: withMore });
    const second = asView(await push(first.id));
    expect(second).toMatchObject({ previous_view_id: first.id, root_view_id: first.id });
    const third = asView(await push(second.id));
    expect(workspace.views('operator').modals).toHaveLength(3);
    expect(await push(third.id)).toMatchObject({ error: 'push_limit_reached' });
  });

  it('needs a trigger from inside an open modal', async () => {
    const { workspace, trigger } = await withTrigger();
    const outside = { trigger_id: await trigger(), view: withMore };
    expect(await answerOf(workspace, 'views.push', outside)).toMatchObject({ error: 'invalid_trigger_id' });
  });
});

describe('views.publish', () => {
  const home = (text: string) => ({ type: 'home', blocks: [section(text)] });

  it('sets the Home of a person', async () => {
    const { workspace } = await startWorkspace();
    const publish = (args: Json) => answerOf(workspace, 'views.publish', { user_id: OPERATOR, ...args });
    expect(workspace.views('operator').home).toBeNull();
    const { hash } = asView(await publish({ view: home('1') }));
    expect(workspace.views('operator').home).toMatchObject({ type: 'home', blocks: [{ type: 'section' }] });
    expect(await publish({ view: home('2'), hash })).toMatchObject({ ok: true });
    expect(await publish({ view: home('3'), hash })).toMatchObject({ error: 'hash_conflict' });
    expect(await publish({ view: home('3'), user_id: 'U1' })).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['invalid `user_id`'] },
    });
    expect(await publish({ view: aModal() })).toMatchObject({ error: 'invalid_arguments' });
  });

  // docs.slack.dev/reference/block-kit/composition-objects/text-object, `verbatim`
  it('has links for the names in its texts', async () => {
    const { workspace } = await startWorkspace();
    await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view: home('in #ops') });
    expect(workspace.views('operator').home).toMatchObject({
      blocks: [{ text: { text: 'in <#C0OPS000001|ops>' } }],
    });
  });

  it('needs the Home tab', async () => {
    const { workspace } = await startWorkspace({ appHome: { home_tab_enabled: false } });
    const published = clientOf(workspace).views.publish({
      user_id: OPERATOR,
      view: { type: 'home', blocks: [] },
    });
    await expect(published).rejects.toThrow('not_enabled');
  });
});
