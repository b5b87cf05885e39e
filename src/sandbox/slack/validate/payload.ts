/** Rules over all blocks of a message or a view. */
import { elementsOf } from '../blocks/elements.ts';
import { type Fields, fieldsOf, isFields, listOf, wordOf } from '../json.ts';
import { block, type Surface } from './blocks.ts';
import { items, type Problem, problem } from './rule.ts';

/** docs.slack.dev/reference/block-kit/blocks */
const MOST_BLOCKS: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };
const MARKDOWN_MAX = 12_000;
const TABLE_MAX = 10_000;
/** No number is documented; messages from here on were seen refused (slackapi/bolt-js#2509). */
export const MESSAGE_MAX = 13_172;

/** What is wrong with the blocks, as JSON pointers from `pointer`. */
export function checkBlocks(blocks: unknown, surface: Surface, pointer = '/blocks'): readonly Problem[] {
  const problems = items(block(surface), { min: 0, max: MOST_BLOCKS[surface] })(blocks, pointer);
  if (problems.length > 0) return problems;
  const all = listOf(blocks);
  return [...uniqueIds(all, pointer), ...sums(all, pointer)];
}

/** As Slack writes problems into `response_metadata.messages`. */
export function problemLines(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ pointer, message }) => `${message} [json-pointer:${pointer}]`);
}

/** How much text the blocks hold. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + textLength(item), 0);
  if (!isFields(value)) return 0;
  const own = wordOf(value['text']).length;
  return Object.values(value).reduce((sum: number, field) => sum + textLength(field), own);
}

function uniqueIds(blocks: readonly Fields[], pointer: string): readonly Problem[] {
  const blockIds = blocks.map(({ block_id }) => block_id).filter((id) => id !== undefined);
  const twice = firstTwice(blockIds.map(String));
  const problems = twice === undefined ? [] : problem(pointer, `\`block_id\` "${twice}" already exists`);
  return [...problems, ...blocks.flatMap((each, index) => uniqueActions(each, `${pointer}/${index}`))];
}

function uniqueActions(each: Fields, pointer: string): readonly Problem[] {
  const ids = elementsOf([each])
    .map(({ element }) => element['action_id'])
    .filter((id) => id !== undefined);
  const twice = firstTwice(ids.map(String));
  return twice === undefined ? [] : problem(pointer, `\`action_id\` "${twice}" already exists`);
}

function firstTwice(words: readonly string[]): string | undefined {
  return words.find((word, index) => words.indexOf(word) !== index);
}

function sums(blocks: readonly Fields[], pointer: string): readonly Problem[] {
  const of = (...types: readonly string[]) => blocks.filter(({ type }) => types.includes(wordOf(type)));
  const markdown = textLength(of('markdown'));
  const tables = of('table', 'data_table');
  const cells = textLength(tables.map((each) => fieldsOf(each)['rows']));
  return [
    ...(markdown > MARKDOWN_MAX
      ? problem(pointer, `markdown must be less than ${MARKDOWN_MAX + 1} characters`)
      : []),
    ...(tables.length > 1 ? problem(pointer, 'only_one_table_allowed') : []),
    ...(cells > TABLE_MAX ? problem(pointer, `table must be less than ${TABLE_MAX + 1} characters`) : []),
  ];
}
