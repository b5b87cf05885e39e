/** Rules over all blocks of a message or a view. */
import { blocksIn, elementsIn, type Located } from '../blocks/walk-blocks.ts';
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { blockRule } from './block-rules.ts';
import { misplacedBlocks, misplacedElements, type Surface } from './placement-rules.ts';
import { listRule, unsupported } from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

export { blocksError, problemLines, validationErrors } from './validation-problem.ts';

/** docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS: Readonly<Record<Surface | 'any', number>> = {
  message: 50,
  modal: 100,
  home: 100,
  any: 100,
};
const MAX_MARKDOWN = 12_000;
/** docs.slack.dev/reference/block-kit/blocks/table-block. */
const MAX_CELLS = 10_000;
/** The stored page of the data table says 10,000; the real validator accepts 20,000 (slackblocks, spec/limits.json). */
const MAX_DATA_CELLS = 20_000;
const MAX_CHARTS = 2;
const MAX_PLANS = 1;
const TABLES = ['table', 'data_table'];
/** No number is documented; messages with this many blocks were refused (slackapi/bolt-js#2509). */
export const MAX_MESSAGE_BLOCKS = 13_172;

/**
 * The problems of the blocks, as JSON pointers from `pointer`. `any` is for blocks whose surface is unknown, as in
 * `blocks.validate`.
 */
export function checkBlocks(
  blocks: unknown,
  surface: Surface | 'any',
  pointer = '/blocks',
): readonly ValidationProblem[] {
  const problems = listRule(blockRule(surface), { min: 0, max: MAX_BLOCKS[surface] })(blocks, pointer);
  if (problems.length > 0) return problems;
  const all = blocksIn(blocks, pointer);
  const misplaced = misplacedBlocks(all, surface);
  if (misplaced.length > 0) return misplaced;
  return [
    ...duplicates(all, 'block_id'),
    ...all.flatMap((each) => duplicates(elementsIn(each), 'action_id')),
    ...misplacedElements(all, surface),
    ...counts(all, pointer),
    ...sums(all, pointer),
  ];
}

/** The same for what a link shows, without rich text (docs.slack.dev/messaging/unfurling-links-in-messages, “Tips”). */
export function checkUnfurled(blocks: unknown, pointer = '/blocks'): readonly ValidationProblem[] {
  const rich = blocksIn(blocks, pointer).filter(({ value }) => value['type'] === 'rich_text');
  return [
    ...checkBlocks(blocks, 'message', pointer),
    ...rich.flatMap((block) => unsupported(`${block.pointer}/type`, 'rich_text', [])),
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
  const count = (...types: readonly string[]) => ofTypes(all, types).length;
  return [
    ...(count(...TABLES) > 1
      ? validationProblem(pointer, 'only_one_table_allowed', {
          word: 'invalid_attachments',
          onlyWhenSent: true,
        })
      : []),
    ...(count('data_visualization') > MAX_CHARTS
      ? validationProblem(pointer, `no more than ${MAX_CHARTS} data_visualization blocks allowed`)
      : []),
    // An app has no remote files here, so no file has a known id; blocks.validate does not know the ids.
    ...all
      .filter(({ value }) => value['type'] === 'file')
      .flatMap((file) =>
        validationProblem(`${file.pointer}/external_id`, 'file not found', { onlyWhenSent: true }),
      ),
    ...(count('plan') > MAX_PLANS ? validationProblem(pointer, 'Cannot have more than 1 plan block') : []),
  ];
}

function sums(all: readonly Located[], pointer: string): readonly ValidationProblem[] {
  const markdown = textLength(ofTypes(all, ['markdown']));
  const cells = (type: string) => textLength(ofTypes(all, [type]).map(({ rows }) => rows));
  return [
    ...(markdown > MAX_MARKDOWN
      ? // blocks.validate took two of 6,001 characters (a public bot's rules, 2026-10-07).
        validationProblem(pointer, `markdown must be less than ${MAX_MARKDOWN + 1} characters`, {
          onlyWhenSent: true,
        })
      : []),
    ...(cells('table') > MAX_CELLS
      ? validationProblem(pointer, `table must be less than ${MAX_CELLS + 1} characters`)
      : []),
    ...(cells('data_table') > MAX_DATA_CELLS
      ? validationProblem(pointer, `data_table must be less than ${MAX_DATA_CELLS + 1} characters`)
      : []),
  ];
}

function ofTypes(all: readonly Located[], types: readonly string[]): readonly JsonObject[] {
  return all.map(({ value }) => value).filter(({ type }) => types.includes(asString(type)));
}
