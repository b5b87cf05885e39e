/** Views (docs.slack.dev/reference/views/modal-views, /home-tab-views). */
import { blocksIn, elementsIn } from '../blocks/walk.ts';
import { isFields } from '../json.ts';
import { plain } from './composition.ts';
import { checkBlocks } from './payload.ts';
import { failed, missing, type Problem, problem, shown } from './problem.ts';
import { flag, oneOf, type Rule, shape, text } from './rule.ts';

const TITLE_MAX = 24;
const anything: Rule = () => [];
const shared = {
  private_metadata: text({ max: 3_000 }),
  callback_id: text({ max: 255 }),
  external_id: text({ max: 255 }),
};
const VIEWS: Readonly<Record<'modal' | 'home', Rule>> = {
  modal: shape(
    { type: oneOf('modal'), title: plain(TITLE_MAX), blocks: anything },
    {
      ...shared,
      submit: plain(TITLE_MAX),
      close: plain(TITLE_MAX),
      clear_on_close: flag,
      notify_on_close: flag,
      submit_disabled: flag,
    },
  ),
  home: shape({ type: oneOf('home'), blocks: anything }, shared),
};

/** What is wrong with a view of this type, as JSON pointers from `pointer`. */
export function checkView(view: unknown, type: 'modal' | 'home', pointer = '/view'): readonly Problem[] {
  if (!isFields(view)) return VIEWS[type](view, pointer);
  const given = view['type'];
  if (given === undefined) return missing(pointer, 'type');
  if (given !== type)
    return failed(`${pointer}/type`, `must be ${type}`, {
      type: 'enum',
      expected: [type],
      got: shown(given),
    });
  const { blocks, submit } = view;
  const at = `${pointer}/blocks`;
  return [
    ...VIEWS[type](view, pointer),
    ...(blocks === undefined ? [] : checkBlocks(blocks, type, at)),
    ...(type === 'modal' && submit === undefined ? inputsWithoutSubmit(blocks, at) : []),
    ...secondFocus(blocks, at),
  ];
}

/** Slack's own pointer goes on to `/input`, which leads nowhere. */
function inputsWithoutSubmit(blocks: unknown, pointer: string): readonly Problem[] {
  const first = blocksIn(blocks, pointer).find(({ value }) => value['type'] === 'input');
  return first ? problem(first.pointer, 'must define `submit` to use an `input` block in modals') : [];
}

/** docs.slack.dev/reference/block-kit/block-elements: one element of a view can have the focus. */
function secondFocus(blocks: unknown, pointer: string): readonly Problem[] {
  return blocksIn(blocks, pointer)
    .flatMap(elementsIn)
    .filter(({ value }) => value['focus_on_load'] === true)
    .slice(1)
    .flatMap((element) =>
      problem(`${element.pointer}/focus_on_load`, 'only one element can have `focus_on_load`'),
    );
}
