/** Types and building blocks of the table of limits. */
import type { SlackCall } from './limits-harness.ts';

/** What a limit belongs to; the numbers themselves are compared with the documented lists in `reference.test.ts`. */
export type LimitRow =
  | 'blocks per message / modal / Home'
  | 'sum of all blocks'
  | 'message text'
  | 'markdown_text'
  | 'attachments'
  | 'block_id / action_id'
  | 'text object'
  | 'section'
  | 'header'
  | 'context / actions / context_actions'
  | 'button'
  | 'option'
  | 'select'
  | 'checkboxes, radio_buttons / overflow'
  | 'placeholder'
  | 'confirm'
  | 'input'
  | 'plain_text_input'
  | 'file_input'
  | 'image'
  | 'video'
  | 'markdown'
  | 'table'
  | 'data_table'
  | 'data_visualization'
  | 'card, carousel'
  | 'container'
  | 'rich_text'
  | 'title / submit / close'
  | 'private_metadata'
  | 'callback_id'
  | 'external_id'
  | 'stack'
  | 'beyond the notes';

export type LimitCase = {
  readonly row: LimitRow;
  readonly what: string;
  /** The smallest and the largest accepted size. */
  readonly least?: number;
  readonly most?: number;
  /** Where the number comes from. */
  readonly source: string;
  /** The calls that send a case of this size; the last one is refused when the size is wrong. */
  readonly make: (size: number) => readonly SlackCall[];
  /** Slack's error code, and the pointer in its message; null when it has none. */
  readonly word: string;
  readonly at: string | null;
};

const KIT = 'https://docs.slack.dev/reference/block-kit';
export const DOCS = {
  blocks: `${KIT}/blocks`,
  block: (name: string) => `${KIT}/blocks/${name}-block`,
  element: (name: string) => `${KIT}/block-elements/${name}-element`,
  object: (name: string) => `${KIT}/composition-objects/${name}-object`,
  method: (name: string) => `https://docs.slack.dev/reference/methods/${name}`,
  modal: 'https://docs.slack.dev/reference/views/modal-views',
  home: 'https://docs.slack.dev/reference/views/home-tab-views',
} as const;
/** Observations by others on the real Slack, where its pages have no number. */
export const FOUND = {
  blocks: 'https://github.com/nicklambourne/slackblocks/blob/main/spec/limits.json',
  emoji:
    'https://github.com/nicklambourne/slackblocks/blob/main/spec/fixtures/valid/blocks/header_block_emoji_at_limit.json',
  toolkit: 'https://github.com/TightknitAI/slack-block-kit-validator',
  header: 'https://github.com/slack-go/slack/issues/1563',
} as const;

export const long = (length: number) => 'x'.repeat(length);
export const plain = (length: number) => ({ type: 'plain_text', text: long(length) });
export const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: long(length) });
export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
export const address = (length: number) => `https://example.com/${long(length - 20)}`;
export const picture = { type: 'image', alt_text: 'x', image_url: 'https://example.com/a.png' };
export const option = (index: number, change: object = {}) => ({
  text: plain(1),
  value: `v${index}`,
  ...change,
});
export const actions = (...elements: readonly unknown[]) => ({ type: 'actions', elements });
export const button = (change: object = {}) => ({
  type: 'button',
  action_id: 'a',
  text: plain(1),
  ...change,
});
export const input = (element: object, change: object = {}) => ({
  type: 'input',
  label: plain(1),
  element: { action_id: 'a', ...element },
  ...change,
});

export const post = (args: object): readonly SlackCall[] => [
  { method: 'chat.postMessage', args: { ...args } },
];
export const validate = (...blocks: readonly unknown[]): readonly SlackCall[] => [
  { method: 'blocks.validate', args: { blocks } },
];
export const postBlocks = (...blocks: readonly unknown[]) => post({ text: 'x', blocks });
export const open = (view: object): readonly SlackCall[] => [{ method: 'views.open', args: { view } }];
export const publish = (view: object): readonly SlackCall[] => [{ method: 'views.publish', args: { view } }];
/** A modal with these blocks, and a submit button in case they have inputs. */
export const modal = (blocks: readonly unknown[], change: object = {}) => ({
  type: 'modal',
  title: plain(1),
  submit: plain(1),
  blocks,
  ...change,
});
export const home = (blocks: readonly unknown[], change: object = {}) => ({
  type: 'home',
  blocks,
  ...change,
});

type Sized = Pick<LimitCase, 'what' | 'least' | 'most'> & {
  readonly make: (size: number) => unknown;
  readonly at: string;
};

/** Limits of one block in a message; `at` is the pointer inside the block. */
export function inMessage(row: LimitRow, source: string, ...rows: readonly Sized[]): readonly LimitCase[] {
  return rows.map(({ make, at, ...rest }) => ({
    ...rest,
    row,
    source,
    make: (size) => postBlocks(make(size)),
    word: 'invalid_blocks',
    at: `/blocks/0${at}`,
  }));
}

/** Limits of one block in a modal. */
export function inModal(row: LimitRow, source: string, ...rows: readonly Sized[]): readonly LimitCase[] {
  return rows.map(({ make, at, ...rest }) => ({
    ...rest,
    row,
    source,
    make: (size) => open(modal([make(size)])),
    word: 'invalid_arguments',
    at: `/view/blocks/0${at}`,
  }));
}
