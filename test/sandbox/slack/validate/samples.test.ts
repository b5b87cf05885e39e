/** Blocks and elements of every documented type are accepted where they belong, and refused elsewhere. */
import { describe, expect, it } from 'vitest';
import { actions, home, input, modal, open, plain, postBlocks, publish } from '../limits/limit-cases.ts';
import { type SlackCall, useSlack } from '../limits/limits-harness.ts';
import { ELEMENT_SAMPLES } from './element-samples.ts';
import { SAMPLES, type Surface } from './samples.ts';

const slack = useSlack();
const OK = { word: 'ok', pointers: [] };
const SURFACES: Readonly<Record<Surface, (block: unknown) => readonly SlackCall[]>> = {
  message: (block) => postBlocks(block),
  modal: (block) => open(modal([block])),
  home: (block) => publish(home([block])),
};
const refusedAt = (surface: Surface, at: string) =>
  surface === 'message'
    ? { word: 'invalid_blocks', pointers: [`/blocks/0${at}`] }
    : { word: 'invalid_arguments', pointers: [`/view/blocks/0${at}`] };
const ALL_SURFACES = ['message', 'modal', 'home'] as const;
const HOLDERS = {
  actions: { around: (element: unknown) => actions(element), at: '/elements/0/type' },
  section: {
    around: (accessory: unknown) => ({ type: 'section', text: plain(1), accessory }),
    at: '/accessory/type',
  },
  input: { around: (element: object) => input(element), at: '/element/type' },
} as const;

const blocks = SAMPLES.flatMap(({ block, on }) =>
  ALL_SURFACES.map((surface) => ({
    type: block.type,
    surface,
    block,
    isTaken: on.includes(surface),
  })),
);
const elements = ELEMENT_SAMPLES.flatMap(({ element, inside, on = ALL_SURFACES }) =>
  (['actions', 'section', 'input'] as const).flatMap((holder) =>
    ALL_SURFACES.map((surface) => ({
      type: element.type,
      holder,
      surface,
      element,
      isTaken: inside.includes(holder) && on.includes(surface),
    })),
  ),
);

/** docs.slack.dev/reference/block-kit/blocks.md */
const KINDS =
  `actions alert card carousel container context context_actions data_table data_visualization divider
  file header image input markdown plan rich_text section table task_card video`.split(/\s+/);
/** docs.slack.dev/reference/block-kit/block-elements.md, without those of context actions, tasks and rich text. */
const ELEMENT_KINDS = `button channels_select checkboxes conversations_select datepicker datetimepicker
  email_text_input external_select file_input image multi_channels_select multi_conversations_select
  multi_external_select multi_static_select multi_users_select number_input overflow plain_text_input radio_buttons
  rich_text_input static_select timepicker url_text_input users_select workflow_button`.split(/\s+/);

describe('the samples', () => {
  it('hold every kind of block and element', () => {
    expect(SAMPLES.map(({ block }) => block.type).toSorted()).toEqual(KINDS);
    expect(ELEMENT_SAMPLES.map(({ element }) => element.type).toSorted()).toEqual(ELEMENT_KINDS);
  });
});

describe('a block', () => {
  it.each(blocks)('$type on a $surface: $isTaken', async ({ block, surface, isTaken }) => {
    const at = block.type === 'file' && surface === 'message' ? '/external_id' : '/type';
    expect(await slack.outcomeOf(...SURFACES[surface](block))).toEqual(isTaken ? OK : refusedAt(surface, at));
  });
});

describe('what the documentation asks for and the real Slack does not', () => {
  const source = { type: 'url', url: '', text: 'x' };
  // github.com/nicklambourne/slackblocks, spec/CHANGELOG.md
  it.each([
    { type: 'markdown', text: '' },
    { type: 'plan', title: 'x', tasks: [{ task_id: '1', title: 'x', sources: [source] }] },
  ])('is not asked for: %j', async (block) => {
    expect(await slack.outcomeOf(...postBlocks(block))).toEqual(OK);
  });
});

describe('an element', () => {
  it.each(elements)(
    '$type in $holder of a $surface: $isTaken',
    async ({ element, holder, surface, isTaken }) => {
      const { around, at } = HOLDERS[holder];
      const outcome = await slack.outcomeOf(...SURFACES[surface](around(element)));
      expect(outcome).toEqual(isTaken ? OK : refusedAt(surface, at));
    },
  );
});
