/** Which blocks and elements are allowed in messages, in modals and in the Home. */
import { elementsIn, type Located } from '../blocks/walk-blocks.ts';
import { asString } from '../core/json-object.ts';
import { ELEMENT_PLACES } from './element-rules.ts';
import { unsupported } from './rule-builders.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

export type Surface = 'message' | 'modal' | 'home';

/** docs.slack.dev/blocks.json and the pages of the blocks. */
export const BLOCKS_NOT_ON: Readonly<Record<Surface, readonly string[]>> = {
  message: ['alert'],
  modal: [
    'carousel',
    'container',
    'context_actions',
    'data_table',
    'data_visualization',
    'file',
    'markdown',
    'plan',
    'table',
    'task_card',
  ],
  home: ['alert', 'context_actions', 'file', 'markdown', 'plan', 'task_card'],
};

/**
 * Elements that are not allowed everywhere, from the pages of the elements
 * (docs.slack.dev/reference/block-kit/block-elements). The page of the input block lists all surfaces; those of its
 * elements are more specific.
 */
const ELEMENT_SURFACES: Readonly<Record<string, readonly Surface[]>> = {
  datetimepicker: ['message', 'modal'],
  email_text_input: ['modal'],
  feedback_buttons: ['message'],
  file_input: ['modal'],
  icon_button: ['message'],
  number_input: ['modal'],
  rich_text_input: ['modal', 'home'],
  url_text_input: ['modal'],
  workflow_button: ['message'],
};

const PLACES: Readonly<Record<string, readonly string[]>> = {
  actions: ELEMENT_PLACES.actions,
  context_actions: ELEMENT_PLACES.context_actions,
  input: ELEMENT_PLACES.input,
  section: ELEMENT_PLACES.accessory,
};

/** Elements on a surface that does not have them; on `any`, nothing is known about the surface. */
export function misplacedElements(
  all: readonly Located[],
  surface: Surface | 'any',
): readonly ValidationProblem[] {
  if (surface === 'any') return [];
  return all.flatMap((block) =>
    elementsIn(block).flatMap((element) => [
      ...wrongSurface(element, block, surface),
      ...wrongResponseUrl(element, block, surface),
    ]),
  );
}

/** Blocks in blocks, on a surface that does not have them; those of the surface itself have a rule of their own. */
export function misplacedBlocks(
  all: readonly Located[],
  surface: Surface | 'any',
): readonly ValidationProblem[] {
  if (surface === 'any') return [];
  return all.flatMap(({ value, pointer }) => {
    const type = asString(value['type']);
    return BLOCKS_NOT_ON[surface].includes(type) ? unsupported(`${pointer}/type`, type, []) : [];
  });
}

function wrongSurface(
  { value, pointer }: Located,
  block: Located,
  surface: Surface,
): readonly ValidationProblem[] {
  const type = asString(value['type']);
  if (isElementOn(type, surface)) return [];
  const places = PLACES[asString(block.value['type'])] ?? [];
  const expected = places.filter((place) => isElementOn(place, surface));
  return unsupported(`${pointer}/type`, type, expected);
}

/** Whether elements of this type are allowed on this surface. */
export function isElementOn(type: string, surface: Surface): boolean {
  const surfaces = Object.hasOwn(ELEMENT_SURFACES, type) ? ELEMENT_SURFACES[type] : undefined;
  return surfaces === undefined || surfaces.includes(surface);
}

/** docs.slack.dev/reference/block-kit/block-elements/select-menu-element: in input blocks of modals only. */
function wrongResponseUrl(
  { value, pointer }: Located,
  block: Located,
  surface: Surface,
): readonly ValidationProblem[] {
  const isAllowed = surface === 'modal' && block.value['type'] === 'input';
  return value['response_url_enabled'] === true && !isAllowed
    ? validationProblem(`${pointer}/response_url_enabled`, 'only works in `input` blocks of modals')
    : [];
}
