/** Views (docs.slack.dev/reference/views/modal-views, /home-tab-views). */
import { blocksIn, elementsIn } from '../blocks/find-elements.ts';
import { isJsonObject } from '../core/json-object.ts';
import { plainTextRule } from './element-rules.ts';
import { checkBlocks } from './payload-rules.ts';
import { objectRule, oneOfRule, textRule, type ValidationRule } from './rule-builders.ts';
import {
  failedConstraint,
  missingField,
  shownValue,
  type ValidationProblem,
  validationProblem,
} from './validation-problem.ts';

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
  return [...validationProblem(pointer, 'failed to match all allowed schemas'), ...other];
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

const NO_MATCH = 'failed to match all allowed schemas';
function noMatch(pointer: string): readonly ValidationProblem[] {
  return validationProblem(pointer, NO_MATCH, { onlyWhenSent: true });
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
