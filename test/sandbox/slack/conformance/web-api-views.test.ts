/** views.*: https://docs.slack.dev/surfaces/modals, https://docs.slack.dev/surfaces/app-home. */
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import { OPERATOR, section } from '../harness/workspace-harness.ts';
import { type Args, bench, METHODS, refusals } from './conformance-harness.ts';

const on = bench();
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const home = (text: string, args: Args = {}) => ({ type: 'home', blocks: [section(text)], ...args });
/** Over 250 kB, with every text within its own limit. */
const huge = { blocks: Array.from({ length: 90 }, () => section('x'.repeat(3_000))) };

async function trigger(): Promise<string> {
  await startRawBot(on.workspace);
  const order = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
  const answer = await on.workspace.command(order);
  return answer.ok ? answer.trigger_id : answer.error;
}

async function opened(args: Args = {}) {
  const { view } = await on.call('views.open', {
    trigger_id: await trigger(),
    view: { ...aModal(), ...args },
  });
  return view as { id: string; hash: string }; // every view has both
}

describe('refusals', () => {
  const view = aModal();
  refusals(
    on,
    [
      ['views.open', 'a trigger that nobody made', { trigger_id: '1.2.x', view }, 'invalid_trigger_id'],
      ['views.open', 'no trigger', { view }, 'invalid_arguments'],
      [
        'views.open',
        'a view that is too large',
        { trigger_id: 'x', view: { ...view, ...huge } },
        'view_too_large',
      ],
      ['views.open', 'a home', { trigger_id: 'x', view: home('x') }, 'invalid_arguments'],
      ['views.push', 'a trigger that nobody made', { trigger_id: 'x', view }, 'invalid_trigger_id'],
      [
        'views.push',
        'a trigger from outside a modal',
        async () => ({ trigger_id: await trigger(), view }),
        'invalid_trigger_id',
      ],
      ['views.update', 'an unknown view', { view_id: 'V1', view }, 'not_found'],
      ['views.update', 'an unknown external id', { external_id: 'x', view }, 'not_found'],
      [
        'views.update',
        'a stale hash',
        async () => ({ view_id: (await opened()).id, hash: 'old', view }),
        'hash_conflict',
      ],
      [
        'views.update',
        'a view that is too large',
        async () => ({ view_id: (await opened()).id, view: { ...view, ...huge } }),
        'view_too_large',
      ],
      [
        'views.publish',
        'a view that is too large',
        { user_id: OPERATOR, view: home('x', huge) },
        'view_too_large',
      ],
      ['views.publish', 'a modal', { user_id: OPERATOR, view }, 'invalid_arguments'],
    ],
    error,
  );
});

describe(`${METHODS}views.open`, () => {
  it('takes a trigger once, within three seconds', async () => {
    const late = await trigger();
    await on.clock.advance(3_001);
    error(await on.call('views.open', { trigger_id: late, view: aModal() }), 'expired_trigger_id');
    const trigger_id = await trigger();
    expect(await on.call('views.open', { trigger_id, view: aModal() })).toMatchObject({ ok: true });
    error(await on.call('views.open', { trigger_id, view: aModal() }), 'exchanged_trigger_id');
  });

  // https://github.com/slackapi/node-slack-sdk/issues/925
  it('says what is wrong about a home', async () => {
    const view = { type: 'home', blocks: [] };
    const { response_metadata } = await on.call('views.open', { trigger_id: await trigger(), view });
    const messages = ['[ERROR] must be a valid enum value [json-pointer:/view/type]'];
    expect(response_metadata).toMatchObject({ messages });
  });

  // MercuryTechnologies/slack-web, tests/golden/ResponseJSON/failed_view_publish.json
  it('says that a home which is no object matches no schema', async () => {
    const { response_metadata } = await on.call('views.publish', { user_id: OPERATOR, view: '"hello"' });
    const none = '[ERROR] must provide an object [json-pointer:/view]';
    const messages = ['[ERROR] failed to match all allowed schemas [json-pointer:/view]', none, none];
    expect(response_metadata).toMatchObject({ messages });
  });

  it('takes an external id once in the workspace', async () => {
    await opened({ external_id: 'mine' });
    const args = { trigger_id: await trigger(), view: aModal({ external_id: 'mine' }) };
    error(await on.call('views.open', args), 'duplicate_external_id');
  });
});

it(`${METHODS}views.update gives every version its own hash`, async () => {
  const first = await opened();
  const { view } = await on.call('views.update', { view_id: first.id, hash: first.hash, view: aModal() });
  expect(view).toMatchObject({ id: first.id });
  expect(view).not.toMatchObject({ hash: first.hash });
});

// slack-go, issue 667
it.each(['', 'mine'])('views.update takes one id, not also the external id “%s”', async (external_id) => {
  const { id: view_id } = await opened({ external_id: 'mine' });
  const reply = await on.call('views.update', { view_id, external_id, view: aModal() });
  const messages = ['[ERROR] Cannot provide both `view_id` and `external_id`'];
  expect(reply).toMatchObject({ ok: false, error: 'invalid_arguments', response_metadata: { messages } });
});

describe(`${METHODS}views.publish`, () => {
  // slack-go, issue 1462
  it('refuses an empty hash once there is a Home', async () => {
    const publish = (hash: string) => on.call('views.publish', { user_id: OPERATOR, view: home('1'), hash });
    expect(await publish('')).toMatchObject({ ok: true });
    error(await publish(''), 'hash_conflict');
  });

  it('keeps one Home for each person, with a hash against lost updates', async () => {
    const publish = (user_id: string, text: string, hash?: string) =>
      on.call('views.publish', { user_id, view: home(text), ...(hash === undefined ? {} : { hash }) });
    const mine = await publish(OPERATOR, '1');
    const { id, hash } = mine['view'] as { id: string; hash: string }; // every view has both
    const other = await publish('U0VIEWER001', '2');
    expect(other['view']).not.toMatchObject({ id });
    expect(await publish(OPERATOR, '3', hash)).toMatchObject({ ok: true, view: { id, type: 'home' } });
    error(await publish(OPERATOR, '4', hash), 'hash_conflict');
    expect(on.workspace.views('operator').home).toMatchObject({ blocks: [{ text: { text: '3' } }] });
  });

  it('takes a title (https://docs.slack.dev/interactivity/adding-interactive-modals-to-home-tab)', async () => {
    const title = { type: 'plain_text', text: 'Keep notes!' };
    const { view } = await on.call('views.publish', { user_id: OPERATOR, view: home('1', { title }) });
    expect(view).toMatchObject({ type: 'home', title: { ...title, emoji: true } });
  });
});
