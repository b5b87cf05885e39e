/**
 * Whoever holds the bot token writes as Patchbay: messages, cards, Homes and windows. Nothing of that is ever the last
 * click: only the submission of a window that Patchbay opened decides.
 */
import { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Block } from '../../src/views/views.ts';
import { openedByPress, submitDecision } from '../harness/decide-in-window.ts';
import { until } from '../harness/until.ts';
import { renderedButtons } from '../views/rendered-text.ts';
import { messageText, type PostedCard, stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

let slack: WebClient;
let channels: ReadonlyMap<string, string>;
let users: ReadonlyMap<string, string>;
const people = useSandboxPeople();
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
const clickApprove = async (ts: string) =>
  expect(
    await people.click({ user: 'approver', channel: 'approvals', ts, action_id: 'approve' }),
  ).toMatchObject({ ok: true });
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
const LUNCH_VIEW = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Lunch?' },
  submit: { type: 'plain_text', text: 'Yes' },
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Lunch?' } }],
} as const;
/** Submits a view of the attacker's own for the approver, by a trigger that Patchbay did not use. */
async function submitForged(private_metadata: string): Promise<void> {
  const typed = { user: 'approver', channel: 'ops', command: '/fleet', text: 'help' };
  const { trigger_id = '' } = await people.command(typed);
  const view = { ...LUNCH_VIEW, callback_id: 'decision', private_metadata } as never;
  const opened = await slack.views.open({ trigger_id, view });
  await submitEmpty(opened.view?.id ?? '');
}
async function submitEmpty(view_id: string): Promise<void> {
  expect(await people.submit({ user: 'approver', view_id, values: {} })).toMatchObject({ ok: true });
}
const expectRefusal = (why: string) =>
  until(async () => messageText(await people.runs('admin', 'audit')).includes(why), {
    what: `the audit to say ${why}`,
  });

describe('one click decides nothing', () => {
  it.each(['a message “Lunch?” with a real button', 'a card that was edited to say something else'])(
    'on %s: the window says what it is',
    async (what) => {
      const card = await waiting();
      const message = { channel: channels.get('approvals') ?? '', text: 'Lunch?', blocks: lunch(card) };
      const { ts = '' } = what.startsWith('a card')
        ? await slack.chat.update({ ...message, ts: card.ts })
        : await slack.chat.postMessage(message);
      await clickApprove(ts);
      await expectGenuine(card);
    },
  );

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

describe('one click changes nothing', () => {
  it('of a pause that a forged button would end, or a scan in somebody else’s name', async () => {
    await people.runs('admin', 'pause because the data center moves');
    const announced = await people.card('approvals', ({ text }) => text.includes('paused'));
    const off = renderedButtons({ text: '', blocks: announced.blocks as readonly Block[] })[0]?.value ?? '';
    const scan = JSON.stringify({ do: 'run', command: 'scan', input: { device: 4001, reason: null } });
    for (const [value, words] of [
      [off, 'Resume changes'],
      [scan, 'Device: web-01 (#4001)'],
    ] as const) {
      const yes = { type: 'button', action_id: 'yes', text: { type: 'plain_text', text: 'Yes' }, value };
      const blocks = [{ type: 'actions', block_id: 'lunch', elements: [yes] }] as never;
      const { ts = '' } = await slack.chat.postMessage({
        channel: channels.get('ops') ?? '',
        ...{ text: 'Lunch?', blocks },
      });
      const click = { user: 'admin', channel: 'ops', ts, action_id: 'yes' };
      const window = await openedByPress(people, 'admin', () => people.click(click));
      expect(JSON.stringify(window)).toContain(words);
      await people.close({ user: 'admin', view_id: window?.id ?? '' });
    }
    expect(messageText(await people.runs('admin', 'status'))).toContain('All changes are paused');
    expect(await people.writes()).toEqual([]);
  });
});

describe('a submission decides nothing', () => {
  const openedFor = async (user: 'approver' | 'approver2', card: PostedCard) => {
    const { private_metadata } = await people.opens(user, card, 'approve');
    return String(private_metadata);
  };
  it.each<[string, (card: PostedCard) => Promise<string>, string]>([
    ['of somebody else', (card) => openedFor('approver2', card), 'the window was opened for somebody else'],
    ['of the person', (card) => openedFor('approver', card), 'wasn’t the one that Patchbay opened'],
    ['that is made up', async () => 'w_0123456789abcdefghjkmnpqrstvwxyz', 'Patchbay doesn’t know the window'],
    ['that is empty', async () => '', 'Patchbay doesn’t know the window'],
  ])('of a view with the metadata of a window %s', async (_whose, metadata, why) => {
    const card = await waiting();
    await submitForged(await metadata(card));
    await expectUndecided(card);
    await expectRefusal(why);
  });

  it('of a window of Patchbay that was changed afterwards', async () => {
    const card = await waiting();
    const { id, callback_id, private_metadata } = await people.opens('approver', card, 'approve');
    const view = { ...LUNCH_VIEW, callback_id, private_metadata } as never;
    await slack.views.update({ view_id: id, view });
    await submitEmpty(id);
    await expectUndecided(card);
    await expectRefusal('the window wasn’t the one that Patchbay opened');
  });
});

describe('a window that does not open', () => {
  it('decides nothing, and the person is told to press again', async () => {
    const card = await waiting();
    await people.faultOnce({ service: 'slack', match: 'views.open', kind: 'status', status: 500 });
    const answer = await people.answerTo('approver', 'approvals', () => clickApprove(card.ts));
    expect(answer.text).toContain('nothing was decided. Press the button again.');
    await expectUndecided(card);
    await people.push('approver', card, 'approve');
    await people.becomes(card, 'verified');
  });
});
