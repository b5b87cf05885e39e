/** Messages and views for the page's tests, as the workspace returns them. */
import { BOT, type FakeMessage, NOW, personId } from '../harness/fake-control.ts';

let order = 0;
/** A `ts` this many minutes before now; each call's is later than any before it within the same minute. */
export function tsBefore(minutes: number): string {
  order += 1;
  return `${Math.floor((NOW - minutes * 60_000) / 1000)}.${String(order).padStart(6, '0')}`;
}

export const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const option = (value: string) => ({ text: plain(`Option ${value}`), value });

export function botMessage(parts: Partial<FakeMessage> = {}): FakeMessage {
  return {
    ts: tsBefore(5),
    user: BOT,
    bot: true,
    text: 'A card',
    blocks: [],
    metadata: null,
    ephemeral: false,
    thread_ts: null,
    ...parts,
  };
}

export function personMessage(name: string, text: string, parts: Partial<FakeMessage> = {}): FakeMessage {
  return botMessage({ user: personId(name), bot: false, text, ...parts });
}

const rebootConfirm = {
  title: plain('Reboot web-01?'),
  text: mrkdwn('*2 people* are logged in. A queued command cannot be cancelled.'),
  confirm: plain('Reboot'),
  deny: plain('Keep running'),
  style: 'danger',
};

export function approvalCard(parts: Partial<FakeMessage> = {}): FakeMessage {
  return botMessage({
    text: 'operator asks to reboot web-01',
    blocks: [
      { type: 'section', block_id: 'b1', text: mrkdwn('*Reboot web-01?*') },
      {
        type: 'section',
        block_id: 'b2',
        text: mrkdwn(
          `<@${personId('operator')}> asks to *reboot* \`web-01\` because _kernel update_.\n> Kernel 6.1 needs a restart`,
        ),
        fields: [
          mrkdwn('*State*\nOnline, reboot required'),
          mrkdwn('*System*\nDebian 12'),
          mrkdwn('*Group*\nLinux servers'),
          mrkdwn('*Pending patches*\n3'),
        ],
      },
      { type: 'divider', block_id: 'b3' },
      {
        type: 'context',
        block_id: 'b4',
        elements: [
          mrkdwn(
            `Expires <!date^${Math.floor(NOW / 1000) + 1800}^{date_short_pretty} at {time}|later> · <!subteam^S0APPROVERS> · a queued command cannot be cancelled`,
          ),
        ],
      },
      {
        type: 'actions',
        block_id: 'decide',
        elements: [
          {
            type: 'button',
            action_id: 'approve',
            text: plain('Approve'),
            style: 'primary',
            value: 'a1',
            confirm: rebootConfirm,
          },
          { type: 'button', action_id: 'deny', text: plain('Deny'), style: 'danger', value: 'a1' },
          {
            type: 'static_select',
            action_id: 'more',
            placeholder: plain('More'),
            options: [option('withdraw'), option('history')],
          },
        ],
      },
    ],
    ...parts,
  });
}

const raw = (text: string) => ({ type: 'raw_text', text });

/** One block of each type that messages have. */
export const everyBlock: readonly unknown[] = [
  {
    type: 'section',
    block_id: 'k2',
    text: mrkdwn('A section with a menu'),
    accessory: {
      type: 'static_select',
      action_id: 'pick',
      placeholder: plain('Pick one'),
      options: [option('1'), option('2')],
    },
  },
  { type: 'section', block_id: 'k3', fields: [mrkdwn('*Left*\n1'), mrkdwn('*Right*\n2')] },
  { type: 'divider', block_id: 'k4' },
  { type: 'context', block_id: 'k5', elements: [mrkdwn('Some _context_')] },
  {
    type: 'rich_text',
    block_id: 'k7',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Rich ' },
          { type: 'text', text: 'bold', style: { bold: true } },
          { type: 'broadcast', range: 'here' },
          { type: 'link', url: 'https://example.com', text: 'link' },
          { type: 'emoji', name: 'tada' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] },
          { type: 'rich_text_section', elements: [{ type: 'user', user_id: personId('approver') }] },
        ],
      },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'pre\nformatted' }] },
    ],
  },
  {
    type: 'table',
    block_id: 'k9',
    column_settings: [{ is_wrapped: true }, { align: 'right' }],
    rows: [
      [raw('Device'), raw('Patches')],
      [raw('web-01'), raw('3')],
      [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'db-01' }] }],
        },
        raw('12'),
      ],
    ],
  },
  {
    type: 'actions',
    block_id: 'k10',
    elements: [{ type: 'button', action_id: 'plain', text: plain('Plain') }],
  },
];

/** A form as `views.open` makes it. */
export const scanForm = {
  id: 'V1',
  type: 'modal',
  callback_id: 'scan',
  title: plain('Scan devices'),
  submit: plain('Scan'),
  close: plain('Not now'),
  blocks: [
    { type: 'section', block_id: 'intro', text: mrkdwn('Which devices should be scanned?') },
    {
      type: 'input',
      block_id: 'reason',
      label: plain('Reason'),
      hint: plain('Shown to approvers'),
      element: { type: 'plain_text_input', action_id: 'text' },
    },
    {
      type: 'input',
      block_id: 'group',
      label: plain('Group'),
      element: { type: 'static_select', action_id: 'name', options: [option('linux'), option('windows')] },
    },
    {
      type: 'input',
      block_id: 'flags',
      optional: true,
      label: plain('Also'),
      element: { type: 'checkboxes', action_id: 'set', options: [option('now'), option('quiet')] },
    },
    {
      type: 'input',
      block_id: 'device',
      optional: true,
      label: plain('Device'),
      element: { type: 'external_select', action_id: 'one', min_query_length: 1 },
    },
  ],
};
