/** Problems of views, in Slack's sentences. */
import { describe, expect, it } from 'vitest';
import { checkView, withWholeView } from '../../../../src/sandbox/slack/validate/payload-rules.ts';
import { problemLines } from '../../../../src/sandbox/slack/validate/validation-problem.ts';
import { aModal } from '../harness/sample-views.ts';
import { button, section } from '../harness/workspace-harness.ts';
import { actions, plain } from '../limits/limit-cases.ts';

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

  it('shows problems of its blocks under its own pointer', () => {
    const view = { ...aModal(), blocks: [{ type: 'marquee' }] };
    expect(checkView(view, 'modal')).toMatchObject([{ pointer: '/view/blocks/0/type' }]);
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
