/**
 * Modals and the Home against Slack's pages: methods, triggers, stack, hash, submissions and their acknowledgements. Every
 * block is named after the page for its behavior.
 */

import type { KnownBlock, ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { isKnownError } from '../documented/documented-lists.ts';
import { type Envelope, startWithBot } from '../harness/bots.ts';
import { aModal } from '../harness/sample-views.ts';
import {
  answerOf,
  BY_OPERATOR,
  button,
  clientOf,
  OPERATOR,
  type StartOptions,
  section,
  startBolt,
  startWorkspace,
} from '../harness/workspace-harness.ts';
import { METHODS } from './conformance-harness.ts';

const MODALS = 'https://docs.slack.dev/surfaces/modals';
const home = (text: string, args: Json = {}) => ({ type: 'home', blocks: [section(text)], ...args });
/** Over 250 kB, with every text within its own limit. */
const huge = { blocks: Array.from({ length: 90 }, () => section('x'.repeat(3_000))) };
const refused = (error: string) => ({ ok: false, error });

describe('refusals', () => {
  const view = aModal();
  it.each([
    ['views.open', 'a trigger that nobody made', { trigger_id: '1.2.x', view }, 'invalid_trigger_id'],
    ['views.open', 'no trigger', { view }, 'invalid_arguments'],
    ['views.open', 'a large view', { trigger_id: 'x', view: { ...view, ...huge } }, 'view_too_large'],
    ['views.open', 'a home', { trigger_id: 'x', view: home('x') }, 'invalid_arguments'],
    ['views.push', 'a trigger that nobody made', { trigger_id: 'x', view }, 'invalid_trigger_id'],
    ['views.update', 'an unknown view', { view_id: 'V1', view }, 'not_found'],
    ['views.update', 'no view', { view }, 'invalid_arguments'],
    ['views.publish', 'a large view', { user_id: OPERATOR, view: home('x', huge) }, 'view_too_large'],
    ['views.publish', 'a modal', { user_id: OPERATOR, view }, 'invalid_arguments'],
  ])(`${METHODS}%s refuses %s`, async (method, _what, args, error) => {
    const { call } = await stage();
    expect(await call(method, args)).toMatchObject(refused(error));
    expect(isKnownError(method, error)).toBe(true);
  });
});

describe('https://docs.slack.dev/interactivity/handling-user-interaction: trigger_id', () => {
  it('opens one modal for its person, which has no values yet', async () => {
    const { trigger, call, workspace } = await stage();
    const trigger_id = await trigger();
    const opened = await call('views.open', { trigger_id, view: aModal() });
    expect(opened).toMatchObject({ ok: true, view: { type: 'modal', state: { values: {} } } });
    expect(workspace.views('operator').modals).toMatchObject([{ callback_id: 'ask' }]);
    expect(workspace.views('viewer').modals).toEqual([]);
    const again = await call('views.open', { trigger_id, view: aModal() });
    expect(again).toMatchObject(refused('exchanged_trigger_id'));
  });

  it('lives three seconds', async () => {
    const { trigger, call, clock } = await stage();
    const [early, late] = [await trigger(), await trigger()];
    await clock.advance(3_000);
    expect(await call('views.open', { trigger_id: early, view: aModal() })).toMatchObject({ ok: true });
    await clock.advance(1);
    const expired = await call('views.open', { trigger_id: late, view: aModal() });
    expect(expired).toMatchObject(refused('expired_trigger_id'));
  });

  it('is not spent on a view that is refused', async () => {
    const { trigger, call } = await stage();
    const trigger_id = await trigger();
    expect(await call('views.open', { trigger_id, view: { ...aModal(), title: undefined } })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: [
          '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
          '[ERROR] missing required field: title [json-pointer:/view]',
        ],
      },
    });
    expect(await call('views.open', { trigger_id, view: aModal() })).toMatchObject({ ok: true });
  });
});

describe(`${MODALS}#view-stack`, () => {
  it('holds three views, of which the last is seen', async () => {
    const { open, push, modals, top, submit, click, workspace } = await stage();
    await open(withButton());
    for (let count = 0; count < 2; count += 1) expect(await push(withButton())).toMatchObject({ ok: true });
    expect(await push(withButton())).toMatchObject(refused('push_limit_reached'));
    const [first, second, third] = modals();
    expect(third).toMatchObject({ root_view_id: first?.id, previous_view_id: second?.id });
    const hidden = refused('view_not_visible');
    expect(await submit(GOOD, first?.id)).toEqual(hidden);
    expect(await click(second?.id)).toEqual(hidden);
    expect(await workspace.close({ user: 'operator', view_id: first?.id ?? '' })).toEqual(hidden);
    expect(await submit()).toEqual({ ok: true });
    expect(top().id).toBe(second?.id);
  });

  it('is pushed onto only from inside a modal', async () => {
    const { open, call, trigger } = await stage();
    await open();
    const pushed = await call('views.push', { trigger_id: await trigger(), view: aModal() });
    expect(pushed).toMatchObject(refused('invalid_trigger_id'));
  });

  it('is closed whole by the cross, and one by one otherwise', async () => {
    const { open, push, top, modals, workspace } = await stage();
    await open(withButton());
    await push(withButton());
    await workspace.close({ user: 'operator', view_id: top().id });
    expect(modals()).toHaveLength(1);
    await push(withButton());
    await workspace.close({ user: 'operator', view_id: top().id, all: true });
    expect(modals()).toEqual([]);
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
    const update = (args: Json) => call('views.update', { view_id, view: aModal(), ...args });
    expect(await update({ hash })).toMatchObject({ ok: true, view: { id: view_id } });
    expect(top().hash).not.toBe(hash);
    expect(await update({ hash })).toMatchObject(refused('hash_conflict'));
    expect(await update({ hash: top().hash })).toMatchObject({ ok: true });
    expect(await update({})).toMatchObject({ ok: true });
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
      return { response_action: 'update', view: aModal() };
    });
    await open();
    await submit();
    expect(modals()).toEqual([]);
  });
});

describe('https://docs.slack.dev/reference/views/modal-views', () => {
  it('what was typed survives an update where block_id and action_id stay, and only there', async () => {
    const { open, call, top, workspace } = await stage();
    const other = {
      type: 'input' as const,
      block_id: 'when',
      label: plain('When'),
      element: { type: 'plain_text_input' as const, action_id: 'time' },
    };
    const both = aModal({ blocks: [...aModal().blocks, other] });
    await open(both);
    const typing = { user: 'operator', channel: '', ts: '', view_id: top().id };
    await workspace.click({ ...typing, action_id: 'reason', value: 'kept' });
    await workspace.click({ ...typing, action_id: 'time', value: 'lost' });
    await call('views.update', { view_id: top().id, view: aModal() });
    await call('views.update', { view_id: top().id, view: both });
    expect(top()).toMatchObject({
      state: { values: { why: { reason: { value: 'kept' } }, when: { time: { value: null } } } },
    });
  });

  it('private_metadata and callback_id come back untouched, in the payload of a submission', async () => {
    const { open, submit, bot, top } = await stage();
    const said = { private_metadata: '  {"id": "<a> & b"}\n', callback_id: 'ask <again>' };
    await open(aModal(said));
    const { id } = top();
    await submit();
    expect(bot.last()).toEqual({
      type: 'view_submission',
      ...BY_OPERATOR,
      trigger_id: expect.stringMatching(/./),
      view: expect.objectContaining({
        ...said,
        ...{ id, root_view_id: id, previous_view_id: null, app_id: 'A0PATCHBAY1' },
        hash: expect.stringMatching(/^\d{10}\.\w{8}$/),
      }),
      response_urls: [],
    });
  });
});

describe(`${METHODS}views.publish`, () => {
  it('keeps one Home for each person, with a hash against lost updates', async () => {
    const { call, workspace } = await stage();
    const publish = (user_id: string, text: string, args: Json = {}) =>
      call('views.publish', { user_id, view: home(text), ...args });
    expect(workspace.views('operator').home).toBeNull();
    const mine = await publish(OPERATOR, '1', { hash: '' });
    const { id, hash } = mine['view'] as { id: string; hash: string }; // every view has both
    const other = await publish('U0VIEWER001', '2');
    expect(other['view']).not.toMatchObject({ id });
    expect(await publish(OPERATOR, '3', { hash })).toMatchObject({ ok: true, view: { id, type: 'home' } });
    // slack-go, issue 1462: an empty one is no newer
    for (const stale of [hash, ''])
      expect(await publish(OPERATOR, '4', { hash: stale })).toMatchObject(refused('hash_conflict'));
    expect(workspace.views('operator').home).toMatchObject({ blocks: [{ text: { text: '3' } }] });
    expect(await publish('U1', '5')).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['invalid `user_id`'] },
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

  // https://github.com/F3-Nation/archive-f3-nation-slack-bot/issues/42: in its messages alone
  it('says what is wrong with a view', async () => {
    const { call } = await stage();
    const view = { type: 'home', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '' } }] };
    const answer = await call('views.publish', { user_id: OPERATOR, view });
    const unmatched = '[ERROR] failed to match all allowed schemas [json-pointer:/view';
    expect(answer).toMatchObject({
      response_metadata: {
        messages: [`${unmatched}]`, expect.stringContaining(unmatched), expect.any(String)],
      },
    });
    expect(answer).not.toHaveProperty('errors');
  });

  // MercuryTechnologies/slack-web, tests/golden/ResponseJSON/failed_view_publish.json
  it('says that a home which is no object matches no schema', async () => {
    const { call } = await stage();
    const { response_metadata } = await call('views.publish', { user_id: OPERATOR, view: '"hello"' });
    const none = '[ERROR] must provide an object [json-pointer:/view]';
    const messages = ['[ERROR] failed to match all allowed schemas [json-pointer:/view]', none, none];
    expect(response_metadata).toMatchObject({ messages });
  });
});

it.each(['socket', 'http'] as const)(
  'Bolt over %s follows a submission with errors, update and nothing',
  async (transport) => {
    const started = await startWorkspace({ transport });
    const { workspace } = started;
    const answers = [
      { response_action: 'errors' as const, errors: { why: 'Say more' } },
      { response_action: 'update' as const, view: aModal({ private_metadata: 'second' }) },
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
    const seen = () => (workspace.views('operator').modals as Json[]).map((view) => view['private_metadata']);
    const submit = () => {
      const view_id = String((workspace.views('operator').modals as Json[]).at(-1)?.['id']);
      return workspace.submit({ user: 'operator', view_id, values: GOOD });
    };
    expect(await submit()).toEqual({ ok: false, error: 'invalid_input', errors: { why: 'Say more' } });
    expect(seen()).toEqual(['']);
    expect(await submit()).toEqual({ ok: true });
    expect(seen()).toEqual(['second']);
    await submit();
    expect(seen()).toEqual([]);
  },
);

type Json = Record<string, unknown>;
const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
const plain = (text: string) => ({ type: 'plain_text' as const, text });
const GOOD = { why: { reason: 'because' } };
const withButton = (view: ModalView = aModal()): ModalView => ({
  ...view,
  blocks: [...view.blocks, section('x', { accessory: button('go') }) as KnownBlock],
});

/** A person's modals; `answer` acknowledges what they submit. */
async function stage(answer: (envelope: Envelope) => Json = () => ({}), options: StartOptions = {}) {
  const { workspace, clock, bot } = await startWithBot(options, (envelope) =>
    envelope.payload['type'] === 'view_submission' ? answer(envelope) : {},
  );
  const trigger = async () => {
    const command = await workspace.command(asking);
    return command.ok ? command.trigger_id : '';
  };
  const call = (method: string, args: Json) => answerOf(workspace, method, args);
  const open = async (view: unknown = aModal()) => call('views.open', { trigger_id: await trigger(), view });
  const modals = () => workspace.views('operator').modals as (Json & { id: string; hash: string })[];
  const top = () => modals().at(-1) ?? { id: '', hash: '' };
  const submit = (values = GOOD, view_id = top().id) =>
    workspace.submit({ user: 'operator', view_id, values });
  const click = (view_id = top().id) =>
    workspace.click({ user: 'operator', channel: '', ts: '', view_id, action_id: 'go' });
  const push = async (view: unknown) => {
    await click();
    return call('views.push', { trigger_id: bot.last()['trigger_id'], view });
  };
  return { workspace, clock, bot, trigger, call, open, modals, top, submit, click, push };
}
