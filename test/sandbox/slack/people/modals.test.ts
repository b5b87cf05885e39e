/** Submitting and closing modals, suggestions, and the effect of the bot's acknowledgement. */
import { describe, expect, it } from 'vitest';
import { type Envelope, startWithBot } from '../harness/bots.ts';
import { aModal, anExternalModal } from '../harness/sample-views.ts';
import { answerOf } from '../harness/workspace-harness.ts';

type Json = Record<string, unknown>;
const label = { type: 'plain_text', text: 'x' };
const question = (block_id: string, element: Json, change: Json = {}) => ({
  type: 'input',
  block_id,
  label,
  element: { action_id: 'it', ...element },
  ...change,
});

/** An open modal; `answer` acknowledges its submission. */
async function withModal(view: unknown = aModal(), answer: (envelope: Envelope) => Json | null = () => ({})) {
  const { workspace, bot } = await startWithBot({}, (envelope) =>
    envelope.type === 'slash_commands' ? {} : answer(envelope),
  );
  const command = await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
  const trigger_id = command.ok ? command.trigger_id : '';
  const opened = await answerOf(workspace, 'views.open', { trigger_id, view });
  const { id: view_id } = opened['view'] as { id: string }; // the view was opened
  const submit = (values: Record<string, Json>, user = 'operator') =>
    workspace.submit({ user, view_id, values });
  const open = () => workspace.views('operator').modals as Json[]; // views are objects
  return { workspace, bot, view_id, submit, open };
}
const GOOD = { why: { reason: 'because' } };

describe('a submission', () => {
  it('tells the bot what was entered and closes the view', async () => {
    const { bot, view_id, submit, open } = await withModal();
    expect(await submit(GOOD)).toEqual({ ok: true });
    expect(bot.last()).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0OPERATOR1', name: 'operator' },
      trigger_id: expect.stringMatching(/./),
      view: {
        id: view_id,
        callback_id: 'ask',
        hash: expect.stringMatching(/./),
        root_view_id: view_id,
        state: { values: { why: { reason: { type: 'plain_text_input', value: 'because' } } } },
      },
    });
    expect(open()).toEqual([]);
    expect(await submit(GOOD)).toEqual({ ok: false, error: 'view_not_found' });
  });

  it.each([
    ['an unknown block', { nowhere: { reason: 'x' } }, 'unknown_element'],
    ['an unknown action', { why: { nothing: 'x' } }, 'unknown_element'],
    ['a value of the wrong kind', { why: { reason: { deep: true } } }, 'invalid_value'],
  ])('with %s is refused', async (_what, values, error) => {
    const { bot, submit, open } = await withModal();
    expect(await submit(values)).toEqual({ ok: false, error });
    expect(bot.envelopes).toHaveLength(1);
    expect(open()).toMatchObject([{ state: { values: { why: { reason: { value: null } } } } }]);
  });

  it.each([
    ['__proto__', 'toString'],
    ['constructor', '__proto__'],
    ['toString', 'name'],
  ])('may have an element %s of %s, like every other', async (block_id, action_id) => {
    const element = { type: 'plain_text_input', action_id };
    const view = { ...aModal(), blocks: [question(block_id, element)] };
    const { bot, submit } = await withModal(view);
    expect(await submit(Object.fromEntries([[block_id, Object.fromEntries([[action_id, 'hi']])]]))).toEqual({
      ok: true,
    });
    expect(JSON.stringify(bot.last()['view'])).toContain(
      `{"values":{"${block_id}":{"${action_id}":{"type":"plain_text_input","value":"hi"}}}}`,
    );
  });

  it('is for the modal’s own person', async () => {
    const { submit } = await withModal();
    expect(await submit(GOOD, 'viewer')).toEqual({ ok: false, error: 'view_not_found' });
    expect(await submit(GOOD, 'nobody')).toEqual({ ok: false, error: 'user_not_found' });
  });

  it.each([
    ['nothing where something is required', question('q', { type: 'plain_text_input' }), null],
    ['too many characters', question('q', { type: 'plain_text_input', max_length: 3 }), 'abcd'],
    ['no box ticked', question('q', { type: 'checkboxes', options: [{ text: label, value: 'x' }] }), []],
  ])('with %s never reaches the bot', async (_what, block, value) => {
    const { bot, submit } = await withModal(aModal({ blocks: [block as never] }));
    const refused = await submit({ q: { it: value } });
    expect(refused).toEqual({
      ok: false,
      error: 'invalid_input',
      errors: { q: expect.stringMatching(/^Please/) },
    });
    expect(bot.envelopes).toHaveLength(1);
  });

  it('takes what the view began with, and optional fields left empty', async () => {
    const blocks = [
      question('a', { type: 'plain_text_input', initial_value: 'begun' }),
      question('b', { type: 'plain_text_input' }, { optional: true }),
    ];
    const { bot, submit } = await withModal(aModal({ blocks: blocks as never }));
    expect(await submit({})).toEqual({ ok: true });
    expect(bot.last()).toMatchObject({
      view: { state: { values: { a: { it: { value: 'begun' } }, b: { it: { value: null } } } } },
    });
  });

  it('takes external options only after they were offered', async () => {
    const offered = { text: { type: 'plain_text', text: 'web-01' }, value: 'd1' };
    const { workspace, view_id, submit } = await withModal(anExternalModal(), ({ payload }) =>
      payload['type'] === 'block_suggestion' ? { options: [offered] } : {},
    );
    expect(await submit({ which: { device: 'd1' } })).toEqual({ ok: false, error: 'invalid_value' });
    const place = { user: 'operator', view_id, block_id: 'which', action_id: 'device' };
    expect(await workspace.suggest({ ...place, value: 'web' })).toEqual({ ok: true, options: [offered] });
    expect(await submit({ which: { device: 'd1' } })).toEqual({ ok: true });
  });
});

describe('the acknowledgement of a submission', () => {
  const acknowledged = async (answer: Json | null) => {
    const modal = await withModal(aModal(), () => answer);
    return { ...modal, reply: await modal.submit(GOOD) };
  };

  it.each([
    ['nothing in time', null, 'operation_timeout'],
    ['errors of no input', { response_action: 'errors', errors: { other: 'No' } }, 'invalid_response_action'],
    ['no errors at all', { response_action: 'errors', errors: {} }, 'invalid_response_action'],
    ['an action that the bot never takes', { response_action: 'clear' }, 'invalid_response_action'],
    // docs.slack.dev/surfaces/modals: “Your HTTP 200 response must be empty”
    ['another body', { ok: true }, 'invalid_response_action'],
    ['a view that is wrong', { response_action: 'update', view: { type: 'modal' } }, 'invalid_arguments'],
  ])('with %s leaves the view open', async (_what, answer, error) => {
    const { reply, open } = await acknowledged(answer);
    expect(reply).toEqual({ ok: false, error });
    expect(open()).toHaveLength(1);
  });
});

it('suggestions tell the bot what was typed where, in a select that takes them', async () => {
  const { workspace, bot, view_id } = await withModal(anExternalModal(), () => ({ options: [] }));
  const place = { user: 'operator', view_id, block_id: 'which', action_id: 'device' };
  expect(await workspace.suggest({ ...place, value: 'web' })).toEqual({ ok: true, options: [] });
  expect(bot.last()).toMatchObject({
    type: 'block_suggestion',
    block_id: 'which',
    action_id: 'device',
    value: 'web',
    container: { type: 'view', view_id },
  });
  // docs.slack.dev/reference/interaction-payloads/block_suggestion-payload; slackapi/bolt-js, issue 660
  expect(bot.last()['view']).toHaveProperty('state', { values: {} });
  const other = await withModal();
  const elsewhere = { user: 'operator', view_id: other.view_id, block_id: 'why', action_id: 'reason' };
  const refused = await other.workspace.suggest({ ...elsewhere, value: 'web' });
  expect(refused).toEqual({ ok: false, error: 'unknown_element' });
});

it.each([false, true])('a view is closed by its own person: %s', async (isOwn) => {
  const { workspace, view_id, open } = await withModal();
  const closed = await workspace.close({ user: isOwn ? 'operator' : 'viewer', view_id });
  expect(closed).toEqual(isOwn ? { ok: true } : { ok: false, error: 'view_not_found' });
  expect(open()).toHaveLength(isOwn ? 0 : 1);
});
