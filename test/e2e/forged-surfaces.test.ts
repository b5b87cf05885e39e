/**
 * Whoever holds the bot token writes as Patchbay: messages, cards, Homes and windows. Nothing of that is ever the last
 * click: only the submission of a window that Patchbay opened decides.
 */
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SlackViewAnswer } from '../harness/client.ts';
import { submitDecision } from '../harness/decide-in-window.ts';
import { until } from '../harness/until.ts';
import {
  messageText,
  type PostedCard,
  type SandboxPeople,
  startSandboxPeople,
  stateOf,
} from './harness/sandbox-people.ts';

let people: SandboxPeople;
let slack: WebClient;
let channels: ReadonlyMap<string, string>;
let users: ReadonlyMap<string, string>;
beforeAll(async () => {
  people = await startSandboxPeople();
});
afterAll(() => people.stop());
beforeEach(async () => {
  await people.reset();
  const state = await people.state();
  slack = new WebClient(state.slack.botToken, { slackApiUrl: state.slack.apiUrl });
  channels = new Map(state.channels.map(({ id, name }) => [name, id]));
  users = new Map(state.users.map(({ id, name }) => [name, id]));
});

const waiting = async (): Promise<PostedCard> => {
  await people.runs('operator', 'reboot web-01 because kernel update');
  return people.card('approvals', ({ text }) => text.includes('web-01'));
};
const now = (card: PostedCard) => people.card('approvals', ({ ts }) => ts === card.ts);
/** Its buttons as Patchbay drew them, with other words on them. */
const forgedButton = ({ blocks }: PostedCard, text: string): Record<string, unknown> => {
  let found: Record<string, unknown> = {};
  JSON.stringify(blocks, (_key, item: unknown) => {
    const isIt =
      typeof item === 'object' && item !== null && 'action_id' in item && item.action_id === 'approve';
    if (isIt) found = { ...item, text: { type: 'plain_text', text } };
    return item;
  });
  return found;
};
const lunch = (card: PostedCard) => [
  { type: 'section' as const, text: { type: 'mrkdwn' as const, text: 'Lunch?' } },
  { type: 'actions' as const, block_id: 'lunch', elements: [forgedButton(card, 'Yes')] as never },
];
/** The window of Patchbay that a press opened; it says what is decided, whatever was pressed. */
const openedWindow = () =>
  until(
    async () => (await people.views('approver')).modals.find(({ callback_id: id }) => id === 'decision'),
    { what: 'a window of the approver' },
  );
async function expectUndecided(card: PostedCard): Promise<void> {
  await people.advance('30s');
  expect(stateOf(await now(card))).toBe('waiting');
  expect(await people.writes()).toEqual([]);
}
async function expectGenuine(card: PostedCard): Promise<void> {
  const window = await openedWindow();
  const words = JSON.stringify(window.blocks);
  for (const part of ['Reboot web-01', 'kernel update', 'can’t be canceled']) expect(words).toContain(part);
  expect(words).not.toContain('Lunch');
  await expectUndecided(card);
  expect(await submitDecision(people, 'approver', window)).toMatchObject({ ok: true });
  await people.becomes(card, 'verified');
  expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
}
/** A view of the attacker's own for the approver, by a trigger that Patchbay did not use. */
async function forgedView(view: Readonly<Record<string, unknown>>): Promise<SlackViewAnswer> {
  const { trigger_id } = await people.command({
    user: 'approver',
    channel: 'ops',
    command: '/fleet',
    text: 'help',
  });
  const answer = await slack.views.open({
    trigger_id: trigger_id ?? '',
    view: {
      type: 'modal',
      title: { type: 'plain_text', text: 'Lunch?' },
      submit: { type: 'plain_text', text: 'Yes' },
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Lunch?' } }],
      ...view,
    } as never,
  });
  return (await people.views('approver')).modals.find(({ id }) => id === answer.view?.id) as SlackViewAnswer;
}
const refusals = async (why: string) =>
  until(
    async () => {
      const audit = await people.runs('admin', 'audit');
      return messageText(audit).includes(why) ? audit : null;
    },
    { what: `the audit to say ${why}` },
  );

describe('one click decides nothing', () => {
  it('on a message “Lunch?” with a real button: the window says what it is', async () => {
    const card = await waiting();
    const sent = await slack.chat.postMessage({
      channel: channels.get('approvals') ?? '',
      text: 'Lunch?',
      blocks: lunch(card),
    });
    const press = { user: 'approver', channel: 'approvals', ts: sent.ts ?? '', action_id: 'approve' };
    expect(await people.click(press)).toMatchObject({ ok: true });
    await expectGenuine(card);
  });

  it('on a card that was edited to say something else', async () => {
    const card = await waiting();
    await slack.chat.update({
      channel: channels.get('approvals') ?? '',
      ts: card.ts,
      text: 'Lunch?',
      blocks: lunch(card),
    });
    expect(
      await people.click({ user: 'approver', channel: 'approvals', ts: card.ts, action_id: 'approve' }),
    ).toMatchObject({ ok: true });
    await expectGenuine(card);
  });

  it('on a Home that was published anew', async () => {
    const card = await waiting();
    await people.home({ user: 'approver' });
    await until(async () => (await people.views('approver')).home !== null);
    const view = { type: 'home', callback_id: 'home', blocks: lunch(card) } as never;
    await slack.views.publish({ user_id: users.get('approver') ?? '', view });
    const { home } = await people.views('approver');
    const press = { user: 'approver', view_id: home?.id ?? '', action_id: 'approve', block_id: 'lunch' };
    expect(await people.click(press)).toMatchObject({ ok: true });
    await expectGenuine(card);
  });

  it('on the approvals list, a direct message or the card: a closed window decided nothing', async () => {
    const card = await waiting();
    const list = await people.runs('approver', 'approvals');
    const window = await people.opens('approver', { ...list, channel: 'ops' }, 'approve');
    await people.close({ user: 'approver', view_id: window.id });
    await expectUndecided(card);
  });
});

describe('a submission decides nothing', () => {
  it('of a view with the metadata of a window that was opened for somebody else', async () => {
    const card = await waiting();
    const genuine = await people.opens('approver2', card, 'approve');
    const { callback_id, private_metadata } = genuine;
    const forged = await forgedView({ callback_id, private_metadata });
    expect(await people.submit({ user: 'approver', view_id: forged.id, values: {} })).toMatchObject({
      ok: true,
    });
    await expectUndecided(card);
    await refusals('the window was opened for somebody else');
    expect(await submitDecision(people, 'approver2', genuine)).toMatchObject({ ok: true });
    await people.becomes(card, 'verified');
  });

  it('of a view with the metadata of the person’s own window', async () => {
    const card = await waiting();
    const { callback_id, private_metadata } = await people.opens('approver', card, 'approve');
    const forged = await forgedView({ callback_id, private_metadata });
    expect(await people.submit({ user: 'approver', view_id: forged.id, values: {} })).toMatchObject({
      ok: true,
    });
    await expectUndecided(card);
    await refusals('the window wasn’t the one that Patchbay opened');
  });

  it.each(['w_0123456789abcdefghjkmnpqrstvwxyz', '{"request":"r_1","seal":"s"}', ''])(
    'of a view with made-up metadata: %s',
    async (private_metadata) => {
      const card = await waiting();
      const forged = await forgedView({ callback_id: 'decision', private_metadata });
      expect(await people.submit({ user: 'approver', view_id: forged.id, values: {} })).toMatchObject({
        ok: true,
      });
      await expectUndecided(card);
      await refusals('Patchbay doesn’t know the window');
    },
  );

  it('of a window of Patchbay that was changed afterwards', async () => {
    const card = await waiting();
    const window = await people.opens('approver', card, 'approve');
    const { callback_id, private_metadata } = window;
    const view = {
      type: 'modal',
      callback_id,
      private_metadata,
      title: { type: 'plain_text', text: 'Lunch?' },
    };
    const submit = { type: 'plain_text', text: 'Yes' };
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Lunch?' } }];
    await slack.views.update({ view_id: window.id, view: { ...view, submit, blocks } as never });
    expect(await people.submit({ user: 'approver', view_id: window.id, values: {} })).toMatchObject({
      ok: true,
    });
    await expectUndecided(card);
    await refusals('the window wasn’t the one that Patchbay opened');
  });
});

describe('a window that does not open', () => {
  it('decides nothing, and the person is told to press again', async () => {
    const card = await waiting();
    await people.fault({ service: 'slack', match: 'views.open', kind: 'status', status: 500, times: 1 });
    const answer = await people.answerTo('approver', 'approvals', async () => {
      await people.click({ user: 'approver', channel: 'approvals', ts: card.ts, action_id: 'approve' });
    });
    expect(answer.text).toContain('nothing was decided. Press the button again.');
    await expectUndecided(card);
    await people.push('approver', card, 'approve');
    await people.becomes(card, 'verified');
  });
});
