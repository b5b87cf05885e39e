/** Rules over all blocks of a message or a view. */
import { blocksIn, elementsIn, type Located } from '../blocks/find-elements.ts';
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { blockRule, type Surface } from './block-rules.ts';
import { listRule } from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

/** docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };
/** docs.slack.dev/reference/block-kit/blocks/table-block. */
const MAX_CELLS = 10_000;
const MAX_CHARTS = 2;
/** No number is documented; messages with this many blocks were refused (slackapi/bolt-js#2509). */
export const MAX_MESSAGE_BLOCKS = 13_172;

/** The problems of the blocks, as JSON pointers from `pointer`. */
export function checkBlocks(
  blocks: unknown,
  surface: Surface,
  pointer = '/blocks',
): readonly ValidationProblem[] {
  const problems = listRule(blockRule(surface), { min: 0, max: MAX_BLOCKS[surface] })(blocks, pointer);
  if (problems.length > 0) return problems;
  const all = blocksIn(blocks, pointer);
  return [
    ...duplicates(all, 'block_id'),
    ...all.flatMap((each) => duplicates(elementsIn(each), 'action_id')),
    ...counts(all, pointer),
  ];
}

/** Number of characters of text in the blocks. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + textLength(item), 0);
  if (!isJsonObject(value)) return 0;
  const own = asString(value['text']).length;
  return Object.values(value).reduce((sum: number, field) => sum + textLength(field), own);
}

/** Every repeated id; the pointer of the second occurrence was observed on the real Slack. */
function duplicates(all: readonly Located[], name: 'block_id' | 'action_id'): readonly ValidationProblem[] {
  const seen = new Set<unknown>();
  return all.flatMap(({ value, pointer }): readonly ValidationProblem[] => {
    const id = value[name];
    if (id === undefined) return [];
    if (seen.has(id))
      return validationProblem(`${pointer}/${name}`, `\`${name}\` "${asString(id)}" already exists`);
    seen.add(id);
    return [];
  });
}

function counts(all: readonly Located[], pointer: string): readonly ValidationProblem[] {
  const ofType = (type: string): readonly JsonObject[] =>
    all.map(({ value }) => value).filter((value) => value['type'] === type);
  const tables = ofType('table');
  return [
    ...(tables.length > 1
      ? validationProblem(pointer, 'only_one_table_allowed', {
          word: 'invalid_attachments',
          onlyWhenSent: true,
        })
      : []),
    ...(ofType('data_visualization').length > MAX_CHARTS
      ? validationProblem(pointer, `no more than ${MAX_CHARTS} data_visualization blocks allowed`)
      : []),
    ...(textLength(tables.map(({ rows }) => rows)) > MAX_CELLS
      ? validationProblem(pointer, `table must be less than ${MAX_CELLS + 1} characters`)
      : []),
  ];
}
