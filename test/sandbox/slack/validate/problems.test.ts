/** Problems of blocks and views, in Slack's sentences and in the form of `blocks.validate`. */
import { describe, expect, it } from 'vitest';
import {
  blocksError,
  checkBlocks,
  problemLines,
  validationErrors,
} from '../../../../src/sandbox/slack/validate/whole-payload-rules.ts';
import { button, section } from '../harness/workspace-harness.ts';
import { actions, input, option, plain } from '../limits/limit-cases.ts';

const select = (change: object) => actions({ type: 'static_select', action_id: 'a', ...change });
const cell = { type: 'raw_text', text: 'x' };
const table = { type: 'table', rows: [[cell]] };

describe('blocks are refused', () => {
  it.each([
    ['of an unknown type', { type: 'marquee' }, 'unsupported type: marquee [json-pointer:/blocks/0/type]'],
    [
      'named like a property of all objects',
      { type: 'constructor' },
      'unsupported type: constructor [json-pointer:/blocks/0/type]',
    ],
    ['without a type', {}, 'missing required field: type [json-pointer:/blocks/0]'],
    ['that are no objects', 'x', 'must provide an object [json-pointer:/blocks/0]'],
    [
      'with a stray property',
      section('x', { colour: 'red' }),
      'invalid additional property: colour [json-pointer:/blocks/0]',
    ],
    [
      'with nothing to say',
      { type: 'section' },
      'must define either `text` or `fields` [json-pointer:/blocks/0]',
    ],
    [
      'with text for a number',
      section('x', { text: { type: 'mrkdwn', text: 5 } }),
      'must provide a string [json-pointer:/blocks/0/text/text]',
    ],
    [
      'with mrkdwn in a header',
      { type: 'header', text: { type: 'mrkdwn', text: 'x' } },
      'must be a valid enum value [json-pointer:/blocks/0/text/type]',
    ],
    ['with an empty list', actions(), 'must provide at least 1 items [json-pointer:/blocks/0/elements]'],
    [
      'with an input among actions',
      actions({ type: 'plain_text_input', action_id: 'a' }),
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
    ],
    [
      'with an unknown style',
      actions(button('a', { style: 'loud' })),
      'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]',
    ],
    [
      'with a bad address',
      actions(button('a', { url: 'nowhere' })),
      'invalid url [json-pointer:/blocks/0/elements/0/url]',
    ],
    [
      'with neither options nor groups',
      select({}),
      'must define either `options` or `option_groups` [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'with a strange choice at the start',
      select({ options: [option(0)], initial_option: option(1) }),
      'initial option must be one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
    ],
    [
      'with two of one action_id',
      actions(button('a'), button('a')),
      '`action_id` "a" already exists [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'with a bad date',
      actions({ type: 'datepicker', initial_date: 'soon' }),
      'input must be a valid: date [json-pointer:/blocks/0/elements/0/initial_date]',
    ],
    [
      'with no source of the picture',
      { type: 'image', alt_text: 'x' },
      'must define either `slack_file` or `image_url` [json-pointer:/blocks/0]',
    ],
    [
      'with uneven rows',
      { type: 'data_table', caption: 'x', rows: [[cell], [cell, cell]] },
      'all rows must have the same number of cells [json-pointer:/blocks/0/rows]',
    ],
  ])('%s', (_what, block, line) => {
    expect(problemLines(checkBlocks([block], 'message'))).toEqual([line]);
  });

  // soxtoby/SlackNet, issue 196; java-slack-sdk, pull request 1337
  it.each([
    { type: 'user', user_id: 'U0OPERATOR1' },
    { type: 'channel', channel_id: 'C0OPS000001' },
    { type: 'usergroup', usergroup_id: 'S0OPERATORS' },
    { type: 'team', team_id: 'T0000000001' },
    { type: 'broadcast', range: 'here' },
    { type: 'color', value: '#FF0000' },
  ])('with $type as code', (element) => {
    const styled = { ...element, style: { code: true } };
    const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [styled] }] };
    expect(problemLines(checkBlocks([block], 'message'))).toEqual([
      'invalid additional property: code [json-pointer:/blocks/0/elements/0/elements/0/style]',
    ]);
  });

  it('with empty text, by the object that has it as well', () => {
    expect(problemLines(checkBlocks([section('')], 'message'))).toEqual([
      'failed to match all allowed schemas [json-pointer:/blocks/0/text]',
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ]);
  });

  it('when a message has two tables', () => {
    expect(problemLines(checkBlocks([table, table], 'message'))).toEqual([
      'only_one_table_allowed [json-pointer:/blocks]',
    ]);
  });
});

it.each(['call', 'email', 'file', 'link', 'user'])('the icon %s is for cards, and not for tasks', (name) => {
  const icon = { type: 'icon', name };
  const card = { type: 'card', title: plain(1), slack_icon: icon };
  expect(checkBlocks([card], 'message')).toEqual([]);
  const task = { type: 'task_card', task_id: 'a', title: 'x', status: 'in_progress', icon };
  const tasks = { type: 'plan', title: 'x', tasks: [task] };
  expect(problemLines(checkBlocks([tasks], 'message'))).toContain(
    'must be a valid enum value [json-pointer:/blocks/0/tasks/0/icon/name]',
  );
});

describe('a problem', () => {
  const errorsOf = (...blocks: readonly unknown[]) => validationErrors(checkBlocks(blocks, 'message', ''));

  it('is not found by the method in two long texts of markdown, which are refused when they are sent', () => {
    const long = { type: 'markdown', text: 'x'.repeat(6_001) };
    expect(errorsOf(long, long)).toEqual([]);
    expect(checkBlocks([long, long], 'message')).toMatchObject([
      { message: expect.stringContaining('12001') },
    ]);
  });

  it('has the published form of a type that is not known', () => {
    // The example of docs.slack.dev/reference/methods/blocks.validate.
    const blocks = [{ type: 'section', text: { type: 'invalid', text: 'x' } }];
    expect(errorsOf(...blocks)).toEqual([
      {
        code: 'failed_constraint',
        message: 'unsupported type: invalid',
        pointer: '/0/text/type',
        constraint: { type: 'enum', expected: ['plain_text', 'mrkdwn'], got: 'invalid' },
      },
    ]);
  });

  it.each([
    ['a long text', section('x'.repeat(3_001)), { type: 'max_length', expected: ['3000'], got: '3001' }],
    ['an empty text', section(''), { type: 'min_length', expected: ['1'], got: '0' }],
    [
      'a long list',
      actions(...Array(26).fill(button('a'))),
      { type: 'max_items', expected: ['25'], got: '26' },
    ],
    ['an empty list', actions(), { type: 'min_items', expected: ['1'], got: '0' }],
    ['a small number', input({ type: 'plain_text_input', max_length: 0 }), { type: 'minimum', got: '0' }],
    [
      'a large number',
      input({ type: 'plain_text_input', max_length: 3_001 }),
      { type: 'maximum', got: '3001' },
    ],
    [
      'an unknown style',
      actions(button('a', { style: 'x' })),
      { type: 'enum', expected: ['primary', 'danger'] },
    ],
    ['a bad address', actions(button('a', { url: 'x' })), { type: 'format', got: 'x' }],
  ])('says what was wanted and what was found: %s', (_what, block, constraint) => {
    expect(errorsOf(block)).toMatchObject([{ code: 'failed_constraint', constraint }]);
  });

  // https://github.com/slackhq/hack-json-schema: Slack's own validator of JSON schemas.
  it.each([
    ['text', section('x', { text: { type: 'mrkdwn', text: 5 } }), 'must provide a string'],
    ['a list', { type: 'actions', elements: {} }, 'must provide an array'],
    ['an object', { type: 'header', text: 'x' }, 'must provide an object'],
    ['a list', { type: 'actions', elements: null }, 'must provide an array'],
    ['a number', { type: 'header', text: plain(1), level: 'x' }, 'must provide an integer'],
    ['a whole number', input({ type: 'plain_text_input', max_length: 0.5 }), 'must provide an integer'],
    ['a yes or no', { type: 'header', text: { ...plain(1), emoji: 1 } }, 'must be a boolean'],
  ])('is of the type when %s is expected', (_what, block, message) => {
    expect(errorsOf(block)).toMatchObject([{ code: 'invalid_type', message }]);
  });

  it.each([
    [{ type: 'header', text: plain(1), level: 5 }, 'must be less than 4', 'maximum'],
    [{ type: 'header', text: plain(1), level: 0 }, 'must be greater than 1', 'minimum'],
    [
      actions({ type: 'timepicker', action_id: 'a', initial_time: 'noon' }),
      expect.stringMatching(/^input must match regex pattern: /),
      'pattern',
    ],
  ])('is of its constraint: %j', (block, message, type) => {
    expect(errorsOf(block)).toMatchObject([{ code: 'failed_constraint', message, constraint: { type } }]);
  });

  it('names the field that is missing or too much', () => {
    expect(errorsOf({ type: 'header', colour: 'red' })).toEqual([
      {
        pointer: '/0',
        code: 'missing_field',
        message: 'missing required field: text',
        field: 'text',
      },
      {
        pointer: '/0',
        code: 'failed_constraint',
        message: 'invalid additional property: colour',
        constraint: { type: 'additional_properties', got: 'colour' },
      },
    ]);
  });

  it('is not reported by blocks.validate where the real one does not check it', () => {
    // A section without content and a second table are refused only when sent.
    expect(checkBlocks([{ type: 'section' }], 'message')).toHaveLength(1);
    expect(errorsOf({ type: 'section' })).toEqual([]);
    expect(checkBlocks([table, table], 'message')).toHaveLength(1);
    expect(errorsOf(table, table)).toEqual([]);
    // Two primary buttons and mrkdwn in a confirmation are accepted everywhere.
    const text = { type: 'mrkdwn', text: 'x' };
    const confirm = { title: plain(1), text, confirm: plain(1), deny: plain(1) };
    const twice = actions(button('a', { style: 'primary' }), button('b', { style: 'primary', confirm }));
    expect(checkBlocks([twice], 'message')).toEqual([]);
  });

  it('gives the call its word', () => {
    expect(blocksError(checkBlocks([table, table], 'message'))).toBe('invalid_attachments');
    expect(blocksError(checkBlocks([{}], 'message'))).toBe('invalid_blocks');
  });
});
