/** Views (docs.slack.dev/reference/views/modal-views, /home-tab-views). */
import { fieldsOf, isFields, listOf, wordOf } from '../json.ts';
import { plain } from './composition.ts';
import { checkBlocks } from './payload.ts';
import { flag, oneOf, type Problem, problem, type Rule, shape, text } from './rule.ts';

const TITLE_MAX = 24;
const anything: Rule = () => [];
const shared = {
  private_metadata: text({ max: 3_000 }),
  callback_id: text({ max: 255 }),
  external_id: text({ max: 255 }),
};
const modal = shape(
  { type: oneOf('modal'), title: plain(TITLE_MAX), blocks: anything },
  {
    ...shared,
    submit: plain(TITLE_MAX),
    close: plain(TITLE_MAX),
    clear_on_close: flag,
    notify_on_close: flag,
    submit_disabled: flag,
  },
  (value, pointer) => {
    const { submit, blocks } = fieldsOf(value);
    const asks = listOf(blocks).some((block) => block['type'] === 'input');
    return asks && submit === undefined
      ? problem(pointer, 'missing required field: submit (a view with input blocks needs one)')
      : [];
  },
);
const home = shape({ type: oneOf('home'), blocks: anything }, shared);

/** What is wrong with a view of this type. */
export function checkView(view: unknown, type: 'modal' | 'home'): readonly Problem[] {
  if (!isFields(view)) return problem('/view', 'must provide an object');
  if (wordOf(view['type']) !== type) return problem('/view/type', `must be ${type}`);
  const problems = (type === 'modal' ? modal : home)(view, '/view');
  return [...problems, ...checkBlocks(view['blocks'] ?? [], type, '/view/blocks')];
}
