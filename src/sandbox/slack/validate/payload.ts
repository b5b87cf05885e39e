/** Rules over all blocks of a message or a view. */
import { blocksIn, elementsIn, type Placed } from '../blocks/walk.ts';
import { type Fields, isFields, wordOf } from '../json.ts';
import { block, type Surface } from './blocks.ts';
import { INPUTS_BUT_FILES } from './elements.ts';
import { type Problem, problem } from './problem.ts';
import { items, unsupported } from './rule.ts';

export { blocksError, problemLines, validationErrors } from './problem.ts';

/** docs.slack.dev/reference/block-kit/blocks */
const MOST_BLOCKS: Readonly<Record<Surface | 'any', number>> = {
  message: 50,
  modal: 100,
  home: 100,
  any: 100,
};
const MARKDOWN_MAX = 12_000;
/** docs.slack.dev/reference/block-kit/blocks/table-block; others report 20,000 for data tables. */
const CELLS_MAX = 10_000;
const MOST_CHARTS = 2;
const MOST_PLANS = 1;
const TABLES = ['table', 'data_table'];
/** No number is documented; messages from here on were seen refused (slackapi/bolt-js#2509). */
export const MESSAGE_MAX = 13_172;

/**
 * What is wrong with the blocks, as JSON pointers from `pointer`. `any` is for blocks whose surface is not
 * known, as `blocks.validate` takes them.
 */
export function checkBlocks(
  blocks: unknown,
  surface: Surface | 'any',
  pointer = '/blocks',
): readonly Problem[] {
  const problems = items(block(surface), { min: 0, max: MOST_BLOCKS[surface] })(blocks, pointer);
  if (problems.length > 0) return problems;
  const all = blocksIn(blocks, pointer);
  return [
    ...twice(all, 'block_id'),
    ...all.flatMap((each) => twice(elementsIn(each), 'action_id')),
    ...(surface === 'message' || surface === 'home' ? strayFileInputs(all) : []),
    ...counts(all, pointer),
    ...sums(all, pointer),
  ];
}

/** How much text the blocks hold. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + textLength(item), 0);
  if (!isFields(value)) return 0;
  const own = wordOf(value['text']).length;
  return Object.values(value).reduce((sum: number, field) => sum + textLength(field), own);
}

/** Every id that has stood before; seen on the real Slack with the pointer of the second. */
function twice(all: readonly Placed[], name: 'block_id' | 'action_id'): readonly Problem[] {
  const seen = new Set<unknown>();
  return all.flatMap(({ value, pointer }): readonly Problem[] => {
    const id = value[name];
    if (id === undefined) return [];
    if (seen.has(id)) return problem(`${pointer}/${name}`, `\`${name}\` "${wordOf(id)}" already exists`);
    seen.add(id);
    return [];
  });
}

/** docs.slack.dev/reference/block-kit/block-elements/file-input-element: modals only. */
function strayFileInputs(all: readonly Placed[]): readonly Problem[] {
  return all
    .flatMap(elementsIn)
    .filter(({ value }) => value['type'] === 'file_input')
    .flatMap(({ pointer }) => unsupported(`${pointer}/type`, 'file_input', INPUTS_BUT_FILES));
}

function counts(all: readonly Placed[], pointer: string): readonly Problem[] {
  const count = (...types: readonly string[]) => ofTypes(all, types).length;
  return [
    ...(count(...TABLES) > 1
      ? problem(pointer, 'only_one_table_allowed', { word: 'invalid_attachments', onlyWhenSent: true })
      : []),
    ...(count('data_visualization') > MOST_CHARTS
      ? problem(pointer, `no more than ${MOST_CHARTS} data_visualization blocks allowed`)
      : []),
    ...(count('plan') > MOST_PLANS ? problem(pointer, 'Cannot have more than 1 plan block') : []),
  ];
}

function sums(all: readonly Placed[], pointer: string): readonly Problem[] {
  const markdown = textLength(ofTypes(all, ['markdown']));
  const cells = textLength(ofTypes(all, TABLES).map(({ rows }) => rows));
  return [
    ...(markdown > MARKDOWN_MAX
      ? problem(pointer, `markdown must be less than ${MARKDOWN_MAX + 1} characters`)
      : []),
    ...(cells > CELLS_MAX ? problem(pointer, `table must be less than ${CELLS_MAX + 1} characters`) : []),
  ];
}

function ofTypes(all: readonly Placed[], types: readonly string[]): readonly Fields[] {
  return all.map(({ value }) => value).filter(({ type }) => types.includes(wordOf(type)));
}
