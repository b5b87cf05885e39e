/** Problems of blocks and views, in Slack's sentences and in the form of `blocks.validate`. */
import { describe, expect, it } from 'vitest';
import {
  checkBlocks,
  checkView,
  withWholeView,
} from '../../../../src/sandbox/slack/validate/payload-rules.ts';
import { blocksError, problemLines, validationErrors } from '../../../../src/sandbox/slack/validate/rules.ts';
import { aModal } from '../harness/sample-views.ts';
import { button, section } from '../harness/workspace-harness.ts';
import { actions, table as aTable, input, option, plain, select } from '../limits/limit-cases.ts';

const table = aTable({});
const labelled = (label: unknown) => input({ type: 'plain_text_input' }, { label });

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
    ['with an empty list', actions(), 'must provide at least 1 items [json-pointer:/blocks/0/elements]'],
    [
      'with an input among actions',
      actions({ type: 'plain_text_input', action_id: 'a' }),
      'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0/type]',
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
  ])('%s', (_what, block, line) => {
    expect(problemLines(checkBlocks([block], 'message'))).toEqual([line]);
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

describe('a problem', () => {
  const errorsOf = (...blocks: readonly unknown[]) => validationErrors(checkBlocks(blocks, 'message', ''));

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
  ])('says what was wanted and what was found: %s', (_what, block, constraint) => {
    expect(errorsOf(block)).toMatchObject([{ code: 'failed_constraint', constraint }]);
  });

  // https://github.com/slackhq/hack-json-schema: Slack's own validator of JSON schemas.
  it.each([
    ['text', section('x', { text: { type: 'mrkdwn', text: 5 } }), 'must provide a string'],
    ['a list', { type: 'actions', elements: {} }, 'must provide an array'],
    ['an object', labelled('x'), 'must provide an object'],
    ['a list', { type: 'actions', elements: null }, 'must provide an array'],
    ['a number', input({ type: 'plain_text_input', max_length: 'x' }), 'must provide an integer'],
    ['a whole number', input({ type: 'plain_text_input', max_length: 0.5 }), 'must provide an integer'],
    ['a yes or no', labelled({ ...plain(1), emoji: 1 }), 'must be a boolean'],
  ])('is of the type when %s is expected', (_what, block, message) => {
    expect(errorsOf(block)).toMatchObject([{ code: 'invalid_type', message }]);
  });

  it('names the field that is missing or too much', () => {
    expect(errorsOf({ type: 'context', colour: 'red' })).toEqual([
      {
        pointer: '/0',
        code: 'missing_field',
        message: 'missing required field: elements',
        field: 'elements',
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
  });

  it('gives the call its word', () => {
    expect(blocksError(checkBlocks([table, table], 'message'))).toBe('invalid_attachments');
    expect(blocksError(checkBlocks([{}], 'message'))).toBe('invalid_blocks');
  });
});

describe('a view', () => {
  it('with an input needs a submit button', () => {
    const { submit: _, ...view } = aModal();
    expect(checkView(view, 'modal')).toMatchObject([
      { pointer: '/view/blocks/0', message: expect.stringContaining('submit') },
    ]);
  });

  it('of a modal needs a title, and the Home has none', () => {
    const { title: _, ...untitled } = aModal();
    expect(checkView(untitled, 'modal')).toMatchObject([{ message: 'missing required field: title' }]);
    const home = { type: 'home', blocks: [section()] };
    expect(checkView(home, 'home')).toEqual([]);
    expect(checkView({ ...home, title: plain(1) }, 'home')).toMatchObject([{ pointer: '/view' }]);
  });

  const linesOf = (view: object) => problemLines(withWholeView(checkView({ ...aModal(), ...view }, 'modal')));
  it.each([
    [{ submit_disabled: true }, 'invalid additional property: submit_disabled [json-pointer:/view]'],
    [
      { private_metadata: 'x'.repeat(3_001) },
      'must be less than 3001 characters [json-pointer:/view/private_metadata]',
    ],
    [
      { blocks: [actions({ ...button('a'), style: null })] },
      'must provide a string [json-pointer:/view/blocks/0/elements/0/style]',
    ],
  ])('with a field out of the schema is also wrong as a whole: %j', (view, line) => {
    expect(linesOf(view)).toEqual(['failed to match all allowed schemas [json-pointer:/view]', line]);
  });

  it('names a label twice that is no object, and no whole view where something else is wrong', () => {
    expect(linesOf({ submit: null })).toEqual([
      'failed to match all allowed schemas [json-pointer:/view]',
      'failed to match all allowed schemas [json-pointer:/view/submit]',
      'must provide an object [json-pointer:/view/submit]',
    ]);
    expect(linesOf({ submit: undefined })).toEqual([
      'must define `submit` to use an `input` block in modals [json-pointer:/view/blocks/0/input]',
    ]);
  });

  it('must be of the expected type', () => {
    expect(checkView({ type: 'home', blocks: [] }, 'modal')).toMatchObject([{ pointer: '/view/type' }]);
    expect(checkView('x', 'modal')).toMatchObject([{ pointer: '/view' }]);
    expect(checkView({}, 'modal')).toMatchObject([
      { pointer: '/view', message: 'missing required field: type' },
    ]);
  });

  it('must have blocks, and a list of them', () => {
    const { blocks: _, ...bare } = aModal();
    expect(checkView(bare, 'modal')).toMatchObject([{ message: 'missing required field: blocks' }]);
    expect(checkView({ ...bare, blocks: null }, 'modal')).toMatchObject([{ pointer: '/view/blocks' }]);
  });

  it('shows all that is wrong at once, from the pointer that is asked for', () => {
    const view = { type: 'modal', blocks: [{ type: 'marquee' }], close: 'x' };
    expect(checkView(view, 'modal', '').map(({ pointer }) => pointer)).toEqual([
      '',
      '/close',
      '/close',
      '/blocks/0/type',
    ]);
  });
});
