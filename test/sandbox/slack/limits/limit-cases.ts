/** Types and building blocks of the tables of limits and rules, and how their calls are sent. */
import { beforeEach } from 'vitest';
import { asJsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import { type ApiReplyBody, bench } from '../conformance/conformance-harness.ts';
import { type RawBot, startRawBot } from '../harness/bots.ts';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';

export type LimitCase = {
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

/** A rule without a number: one accepted case and one refused. */
export type RuleCase = Pick<LimitCase, 'what' | 'source' | 'word' | 'at'> & {
  readonly taken: readonly SlackCall[];
  readonly refused: readonly SlackCall[];
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
export const FOUND = 'https://github.com/nicklambourne/slackblocks/blob/main/spec/limits.json';

export const long = (length: number) => 'x'.repeat(length);
export const plain = (length: number) => ({ type: 'plain_text', text: long(length) });
export const mrkdwn = (length: number) => ({ type: 'mrkdwn', text: long(length) });
export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
export const section = (change: object = { text: plain(1) }) => ({ type: 'section', ...change });
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
export const select = (change: object) => actions({ type: 'static_select', action_id: 'a', ...change });
export const confirming = (change: object = {}) =>
  actions(
    button({ confirm: { title: plain(1), text: plain(1), confirm: plain(1), deny: plain(1), ...change } }),
  );
export const input = (element: object, change: object = {}) => ({
  type: 'input',
  label: plain(1),
  element: { action_id: 'a', ...element },
  ...change,
});
export const cell = (length: number) => ({ type: 'raw_text', text: long(length) });
export const richCell = (...parts: readonly object[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: parts }],
});
export const table = (change: object) => ({ type: 'table', rows: [[cell(1)]], ...change });
export const bars = (series: readonly object[], categories: readonly string[], title = 'x') => ({
  type: 'data_visualization',
  title,
  chart: { type: 'bar', series, axis_config: { categories } },
});
export const points = (...labels: readonly string[]) => labels.map((label) => ({ label, value: -1 }));

export const post = (args: object): readonly SlackCall[] => [
  { method: 'chat.postMessage', args: { ...args } },
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

/** One limit; null where the documentation has no smallest or no largest size. */
export function sized(
  what: string,
  least: number | null,
  most: number | null,
  at: string,
  make: (size: number) => unknown,
): Sized {
  return { what, at, make, ...(least === null ? {} : { least }), ...(most === null ? {} : { most }) };
}

/** Limits of one block in a message; `at` is the pointer inside the block. */
export function inMessage(source: string, ...rows: readonly Sized[]): readonly LimitCase[] {
  return rows.map(({ make, at, ...rest }) => ({
    ...rest,
    source,
    make: (size) => postBlocks(make(size)),
    word: 'invalid_blocks',
    at: `/blocks/0${at}`,
  }));
}

export function inModal(source: string, ...rows: readonly Sized[]): readonly LimitCase[] {
  return rows.map(({ make, at, ...rest }) => ({
    ...rest,
    source,
    make: (size) => open(modal([make(size)])),
    word: 'invalid_arguments',
    at: `/view/blocks/0${at}`,
  }));
}

/** Two blocks in a message, of which the second is refused. */
export function messageRule(
  what: string,
  source: string,
  [taken, refused]: readonly [taken: unknown, refused: unknown],
  at: string,
): RuleCase {
  return {
    what,
    source,
    taken: postBlocks(taken),
    refused: postBlocks(refused),
    word: 'invalid_blocks',
    at: `/blocks/0${at}`,
  };
}

/** The same in a modal. */
export function modalRule(
  what: string,
  source: string,
  cases: readonly [taken: object, refused: object],
  at: string,
): RuleCase {
  return {
    what,
    source,
    taken: open(modal([cases[0]])),
    refused: open(modal([cases[1]])),
    word: 'invalid_arguments',
    at: `/view/blocks/0${at}`,
  };
}

type Json = Readonly<Record<string, unknown>>;
/** A method with its arguments; channels, triggers and ids are filled in. */
export type SlackCall = { readonly method: string; readonly args: Json };
export type CallOutcome = { readonly word: string; readonly pointers: readonly string[] };
type SlackUnderTest = {
  /** Makes the calls one after another and returns the outcome of the last. */
  readonly outcomeOf: (...calls: readonly SlackCall[]) => Promise<CallOutcome>;
};

/** The button in a modal that gives a trigger from inside it. */
export const MORE = { type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } };

/** One workspace for all tests of a file, with a Home and a bot that acknowledges everything. */
export function useSlack(): SlackUnderTest {
  const on = bench();
  let bot: RawBot | undefined;
  let viewId = '';
  beforeEach(async () => {
    bot = await startRawBot(on.workspace);
  });
  const trigger = () => bot?.last()['trigger_id'];
  /** Arguments that a method needs besides the one under test. */
  const missing = async (method: string): Promise<Json> => {
    switch (method) {
      case 'chat.postEphemeral':
        return { channel: OPS, user: OPERATOR };
      case 'chat.update': {
        const { ts } = await on.call('chat.postMessage', { channel: OPS, text: 'to be updated' });
        return { channel: OPS, ts };
      }
      case 'views.publish':
        return { user_id: OPERATOR };
      case 'views.update':
        return { view_id: viewId };
      case 'views.open':
        await on.workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
        return { trigger_id: trigger() };
      case 'views.push':
        await on.workspace.click({
          user: 'operator',
          channel: '',
          ts: '',
          view_id: viewId,
          action_id: 'more',
        });
        return { trigger_id: trigger() };
      default:
        return { channel: OPS };
    }
  };
  return {
    async outcomeOf(...calls) {
      let outcome: CallOutcome = { word: 'ok', pointers: [] };
      for (const { method, args } of calls) {
        const answer = await on.call(method, { ...(await missing(method)), ...args });
        const { id } = asJsonObject(answer['view']);
        if (method !== 'views.publish' && typeof id === 'string') viewId = id;
        outcome = { word: answer.ok ? 'ok' : String(answer['error']), pointers: pointersIn(answer) };
      }
      return outcome;
    },
  };
}

/** Where the problems are; the objects that Slack names around them are left out. */
function pointersIn({ ok, response_metadata }: ApiReplyBody): readonly string[] {
  const { messages } = asJsonObject(response_metadata);
  if (ok || !Array.isArray(messages)) return [];
  return messages
    .map(String)
    .filter((message) => !message.startsWith('[ERROR] failed to match all allowed schemas'))
    .flatMap((message) => /^\[ERROR\] .+ \[json-pointer:(.*)\]$/.exec(message)?.[1] ?? []);
}
