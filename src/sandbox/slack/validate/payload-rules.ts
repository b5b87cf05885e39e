/** Views (docs.slack.dev/reference/views/modal-views, /home-tab-views), and the blocks of a view or message together. */
import { blocksIn, elementsIn, type Located } from '../blocks/elements.ts';
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { blockRule, plainTextRule, type Surface } from './block-rules.ts';
import {
  failedConstraint,
  listRule,
  missingField,
  NO_MATCH,
  noMatch,
  objectRule,
  oneOfRule,
  shownValue,
  textRule,
  type ValidationProblem,
  type ValidationRule,
  validationProblem,
} from './rules.ts';

const TITLE_MAX = 24;
const anyRule: ValidationRule = () => [];
/** Slack names a label twice that is no object: seen of `submit`. */
const labelRule: ValidationRule = (value, pointer) => [
  ...(isJsonObject(value) ? [] : noMatch(pointer)),
  ...plainTextRule(TITLE_MAX)(value, pointer),
];
const shared = {
  private_metadata: textRule({ max: 3_000 }),
  callback_id: textRule({ max: 255 }),
};
const VIEWS: Readonly<Record<'modal' | 'home', ValidationRule>> = {
  modal: objectRule(
    { type: oneOfRule('modal'), title: plainTextRule(TITLE_MAX), blocks: anyRule },
    { ...shared, submit: labelRule, close: labelRule },
  ),
  home: objectRule({ type: oneOfRule('home'), blocks: anyRule }, shared),
};

/** views.publish says it of both schemas (MercuryTechnologies/slack-web, tests/golden/ResponseJSON/failed_view_publish.json). */
function noSchema(type: 'modal' | 'home', pointer: string): readonly ValidationProblem[] {
  if (type === 'modal') return [];
  const other = VIEWS.modal(null, pointer);
  return [...validationProblem(pointer, NO_MATCH), ...other];
}

const ABOUT_WHOLE: readonly (string | undefined)[] = ['additional_properties', 'max_length', 'min_length'];
/**
 * A field that is foreign, missing, of another type or of a wrong length is also said of the whole view, wherever it is
 * (rtCamp/frappe-slack-connector, issue 54; nicklambourne/slackblocks, issue 36; java-slack-sdk, issue 1205).
 */
export function withWholeView(problems: readonly ValidationProblem[]): readonly ValidationProblem[] {
  const isOfSchema = problems.some(
    ({ code, constraint }) => code !== 'failed_constraint' || ABOUT_WHOLE.includes(constraint?.type),
  );
  const isNew = ({ pointer, message }: ValidationProblem) => pointer !== '/view' || message !== NO_MATCH;
  return isOfSchema ? [...noMatch('/view'), ...problems.filter(isNew)] : problems;
}

/** The problems of a view of this type, as JSON pointers from `pointer`. */
export function checkView(
  view: unknown,
  type: 'modal' | 'home',
  pointer = '/view',
): readonly ValidationProblem[] {
  if (!isJsonObject(view)) return [...noSchema(type, pointer), ...VIEWS[type](view, pointer)];
  const rawView = view['type'];
  if (rawView === undefined) return missingField(pointer, 'type');
  if (rawView !== type)
    return failedConstraint(`${pointer}/type`, 'must be a valid enum value', {
      type: 'enum',
      expected: [type],
      got: shownValue(rawView),
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

function inputsWithoutSubmit(blocks: unknown, pointer: string): readonly ValidationProblem[] {
  const first = blocksIn(blocks, pointer).find(({ value }) => value['type'] === 'input');
  return first
    ? validationProblem(first.pointer, 'must define `submit` to use an `input` block in modals', {
        shownPointer: `${first.pointer}/input`,
      })
    : [];
}

/** docs.slack.dev/reference/block-kit/block-elements: one element of a view can have the focus. */
function secondFocus(blocks: unknown, pointer: string): readonly ValidationProblem[] {
  return blocksIn(blocks, pointer)
    .flatMap(elementsIn)
    .filter(({ value }) => value['focus_on_load'] === true)
    .slice(1)
    .flatMap((element) =>
      validationProblem(`${element.pointer}/focus_on_load`, 'only one element can have `focus_on_load`'),
    );
}

/** docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS: Readonly<Record<Surface, number>> = { message: 50, modal: 100, home: 100 };
/** docs.slack.dev/reference/block-kit/blocks/table-block. */
const MAX_TABLE_TEXT = 10_000;
const MAX_CHARTS = 2;
/** No number is documented; blocks with this much text were refused (slackapi/bolt-js#2509). */
export const REFUSED_BLOCKS_TEXT = 13_172;

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
    ...(textLength(tables.map(({ rows }) => rows)) > MAX_TABLE_TEXT
      ? validationProblem(pointer, `table must be less than ${MAX_TABLE_TEXT + 1} characters`)
      : []),
  ];
}
