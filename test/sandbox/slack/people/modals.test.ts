/** Submitting and closing modals, suggestions, what is stored of modals, and what people can press. */
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/lib/clock.ts';
import { interactiveElements } from '../../../../src/sandbox/slack/blocks/elements.ts';
import { createIds } from '../../../../src/sandbox/slack/core/ids.ts';
import {
  createEnteredValueStore,
  createViewStore,
  type SlackView,
  type ViewStore,
} from '../../../../src/sandbox/slack/state/view-store.ts';
import { type Envelope, startRawBot, startWithBot } from '../harness/bots.ts';
import { aModal, anExternalModal } from '../harness/sample-views.ts';
import {
  answerOf,
  button,
  OPERATOR,
  OPS,
  START,
  section,
  seenBy,
  startWorkspace,
} from '../harness/workspace-harness.ts';

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

const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
const BLOCKS = [
  section('card', { block_id: 'top', accessory: button('go', { value: 'v1' }) }),
  {
    type: 'actions',
    block_id: 'row',
    elements: [
      button('approve', {
        value: 'a_1',
        style: 'primary',
        confirm: {
          title: { type: 'plain_text', text: 'Approve' },
          text: { type: 'plain_text', text: 'Sure?' },
          confirm: { type: 'plain_text', text: 'Yes' },
          deny: { type: 'plain_text', text: 'No' },
        },
      }),
      { type: 'static_select', action_id: 'pick', options: [option('one'), option('two')] },
      { type: 'checkboxes', action_id: 'tick', options: [option('x'), option('y')] },
      { type: 'timepicker', action_id: 'at' },
    ],
  },
  section('again', { block_id: 'bottom', accessory: button('go', { value: 'v2' }) }),
  {
    type: 'input',
    block_id: 'in',
    label: { type: 'plain_text', text: 'Note' },
    element: { type: 'plain_text_input', action_id: 'note' },
  },
];

async function withCard(method = 'chat.postMessage', args: Record<string, unknown> = {}) {
  const { workspace, bot } = await startWithBot();
  const posted = await answerOf(workspace, method, { channel: OPS, text: 'card', blocks: BLOCKS, ...args });
  const ts = String(posted['ts'] ?? posted['message_ts']);
  const click = (change: Record<string, unknown>) =>
    workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'go', ...change });
  return { workspace, bot, ts, click };
}

describe('a click', () => {
  it('finds its element by action id, or by block id too', async () => {
    const { bot, click } = await withCard();
    await click({ action_id: 'go' });
    expect(bot.last()).toMatchObject({ actions: [{ block_id: 'top', value: 'v1' }] });
    await click({ action_id: 'go', block_id: 'bottom' });
    expect(bot.last()).toMatchObject({ actions: [{ block_id: 'bottom', value: 'v2' }] });
  });

  it.each([
    ['an unknown element', { action_id: 'nothing' }, 'unknown_element'],
    ['an element of another block', { block_id: 'in' }, 'unknown_element'],
    ['an unknown message', { ts: '1.000001' }, 'message_not_found'],
    ['an unknown person', { user: 'nobody' }, 'user_not_found'],
    ['an unknown channel', { channel: 'nowhere' }, 'channel_not_found'],
    ['a person who is no member', { user: 'outsider' }, 'not_in_channel'],
    ['a confirmation answered no', { action_id: 'approve', confirm: false }, 'confirm_declined'],
    ['an option that is not there', { action_id: 'pick', value: 'three' }, 'invalid_value'],
    ['a time that is none', { action_id: 'at', value: 'soon' }, 'invalid_value'],
  ])('on %s is refused, and the bot hears nothing', async (_what, change, error) => {
    const { bot, click } = await withCard();
    expect(await click(change)).toEqual({ ok: false, error });
    expect(bot.envelopes).toEqual([]);
  });

  it('goes ahead where a confirmation is declined that was not required', async () => {
    const { click } = await withCard();
    expect(await click({ action_id: 'go', confirm: false })).toEqual({ ok: true });
  });

  it('reports everything that the person has entered so far, and nothing of others', async () => {
    const { bot, click } = await withCard();
    await click({ action_id: 'pick', value: 'two' });
    await click({ user: 'approver', action_id: 'pick', value: 'one' });
    expect(await click({ action_id: 'note', value: 'typed' })).toEqual({ ok: true });
    expect(bot.envelopes).toHaveLength(2);
    await click({ action_id: 'go' });
    expect(bot.last()).toMatchObject({
      state: {
        values: {
          row: { pick: { selected_option: option('two') }, tick: { selected_options: [] } },
          in: { note: { type: 'plain_text_input', value: 'typed' } },
        },
      },
    });
  });

  it('on an ephemeral message says so and shows no message', async () => {
    const { bot, ts, click, workspace } = await withCard('chat.postEphemeral', { user: OPERATOR });
    await click({});
    const payload = bot.last();
    expect(payload).toMatchObject({ container: { message_ts: ts, is_ephemeral: true } });
    expect(payload).toMatchObject({ response_url: expect.stringMatching(/^http/) });
    expect(payload).not.toHaveProperty('message');
    const others = workspace.click({ user: 'approver', channel: 'ops', ts, action_id: 'go' });
    expect(await others).toEqual({ ok: false, error: 'message_not_found' });
  });

  it('works in a direct message with the bot, for its person only', async () => {
    const { workspace } = await startWorkspace();
    await startRawBot(workspace);
    await answerOf(workspace, 'conversations.open', { users: OPERATOR });
    await answerOf(workspace, 'chat.postMessage', { channel: 'D0OPERATOR1', text: 'card', blocks: BLOCKS });
    const [card] = seenBy(workspace, 'operator', '@operator');
    const click = { channel: '@operator', ts: card?.ts ?? '', action_id: 'go' };
    expect(await workspace.click({ ...click, user: 'operator' })).toEqual({ ok: true });
    expect(await workspace.click({ ...click, user: 'admin' })).toEqual({
      ok: false,
      error: 'channel_not_found',
    });
  });
});

const element = { type: 'plain_text_input', action_id: 'it' };
const blocks = [{ type: 'input', block_id: 'why', label: { type: 'plain_text', text: 'x' }, element }];
const content = { content: {}, blocks };

/** Two stacked modals with an entered value each. */
function twoModals() {
  const inputs = createEnteredValueStore();
  const views = createViewStore(createIds(createManualClock(START)), inputs);
  const [found] = interactiveElements(blocks);
  const both = [views.open(OPERATOR, content), views.push(OPERATOR, content)] as const;
  for (const { id } of both) {
    if (found) inputs.enter(OPERATOR, id, found, { type: 'plain_text_input', value: 'because' });
    if (found) inputs.offer(OPERATOR, id, found, [{ value: 'a' }]);
  }
  const kept = () =>
    both.map(({ id }) => found && [inputs.entered(OPERATOR, id), inputs.offered(OPERATOR, id, found)]);
  return { views, both, kept };
}
const NOTHING = [{}, []];
const ALL = [{ why: { it: { type: 'plain_text_input', value: 'because' } } }, [{ value: 'a' }]];

it.each<[string, (views: ViewStore, both: readonly [SlackView, SlackView]) => void, unknown[]]>([
  ['the upper one is closed', (views, [, upper]) => views.close(upper), [ALL, NOTHING]],
  ['the lower one is closed', (views, [lower]) => views.close(lower), [NOTHING, NOTHING]],
  ['all are cleared', (views) => views.clear(OPERATOR), [NOTHING, NOTHING]],
  ['another is opened in their place', (views) => views.open(OPERATOR, content), [NOTHING, NOTHING]],
])('when %s, what was entered into closed modals is forgotten', (_what, act, expected) => {
  const { views, both, kept } = twoModals();
  expect(kept()).toEqual([ALL, ALL]);
  act(views, both);
  expect(kept()).toEqual(expected);
});
