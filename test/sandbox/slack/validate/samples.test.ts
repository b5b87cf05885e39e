/** Blocks and elements of every type are accepted where they belong, and refused elsewhere. */
import { describe, expect, it } from 'vitest';
import { BLOCKS, ELEMENT_RULES, type Surface } from '../../../../src/sandbox/slack/validate/block-rules.ts';
import {
  actions,
  home,
  input,
  modal,
  open,
  postBlocks,
  publish,
  type SlackCall,
  section,
  useSlack,
} from '../limits/limit-cases.ts';
import { ELEMENT_SAMPLES, SAMPLES, SURFACES } from './samples.ts';

const slack = useSlack();
const OK = { word: 'ok', pointers: [] };
const SENT: Readonly<Record<Surface, (block: unknown) => readonly SlackCall[]>> = {
  message: (block) => postBlocks(block),
  modal: (block) => open(modal([block])),
  home: (block) => publish(home([block])),
};
const refusedAt = (surface: Surface, at: string) =>
  surface === 'message'
    ? { word: 'invalid_blocks', pointers: [`/blocks/0${at}`] }
    : { word: 'invalid_arguments', pointers: [`/view/blocks/0${at}`] };
const HOLDERS = {
  actions: { around: (element: object) => actions(element), at: '/elements/0/type' },
  section: {
    around: (accessory: object) => section({ text: { type: 'plain_text', text: 'x' }, accessory }),
    at: '/accessory/type',
  },
  input: { around: (element: object) => input(element), at: '/element/type' },
} as const;

const blocks = SAMPLES.flatMap(({ block, on }) =>
  SURFACES.map((surface) => ({ type: block.type, surface, block, isTaken: on.includes(surface) })),
);
const elements = ELEMENT_SAMPLES.flatMap(({ element, inside }) =>
  (['actions', 'section', 'input'] as const).map((holder) => ({
    type: element.type,
    holder,
    element,
    isTaken: inside.includes(holder),
  })),
);

it('there is a sample of every block and element', () => {
  expect(SAMPLES.map(({ block }) => block.type)).toEqual(Object.keys(BLOCKS).sort());
  expect(ELEMENT_SAMPLES.map(({ element }) => element.type)).toEqual(Object.keys(ELEMENT_RULES).sort());
});

describe('a block', () => {
  it.each(blocks)('$type on a $surface: $isTaken', async ({ block, surface, isTaken }) => {
    const outcome = await slack.outcomeOf(...SENT[surface](block));
    expect(outcome).toEqual(isTaken ? OK : refusedAt(surface, '/type'));
  });

  it.each(['header', 'image', 'markdown', 'rich_text', 'video', 'card'])(
    '%s is refused: no view has one',
    async (type) => {
      for (const surface of SURFACES)
        expect(await slack.outcomeOf(...SENT[surface]({ type }))).toEqual(refusedAt(surface, '/type'));
    },
  );
});

describe('an element', () => {
  it.each(elements)('$type in $holder: $isTaken', async ({ element, holder, isTaken }) => {
    const { around, at } = HOLDERS[holder];
    for (const surface of SURFACES)
      expect(await slack.outcomeOf(...SENT[surface](around(element)))).toEqual(
        isTaken ? OK : refusedAt(surface, at),
      );
  });
});
