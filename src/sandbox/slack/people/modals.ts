/** A person submits or closes a modal. */
import type { CloseInput, ControlAnswer, SubmitInput } from '../../contracts/people.ts';
import {
  type ElementInBlocks,
  type ElementState,
  elementStateFrom,
  elementStateOf,
  initialStateValues,
  interactiveElements,
  isEmptyState,
  isInput,
  type StateValues,
} from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { asJsonObject, type JsonObject } from '../core/json-object.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { viewAsSent } from '../objects/messages-and-views.ts';
import { submissionPayload } from '../payloads/interaction-payloads.ts';
import type { Person } from '../state/directory.ts';
import type { SlackView } from '../state/view-store.ts';
import { parseView } from '../web-api/view-methods.ts';
import { type ErrorAnswer, errorAnswer, findView, optionsFor } from './find-targets.ts';

export type SubmitResult = ControlAnswer & { readonly errors?: Readonly<Record<string, string>> };

/** The person's open modals, lowest first, and their Home. */
export function openViews(
  core: WorkspaceCore,
  user: string,
): { modals: readonly JsonObject[]; home: JsonObject | null } {
  const person = core.directory.person(user);
  if (!person) return { modals: [], home: null };
  const home = core.views.home(person.id);
  return {
    modals: core.views.stack(person.id).map((view) => viewAsSent(core, view)),
    home: home ? viewAsSent(core, home) : null,
  };
}

export async function submitView(
  core: WorkspaceCore,
  deliver: Deliver,
  input: SubmitInput,
): Promise<SubmitResult> {
  const opened = findOpenModal(core, input);
  if (!opened.ok) return opened;
  const { person, view } = opened;
  const unfit = enterValues(core, person, view, input.values);
  if (unfit) return unfit;
  const faults = formErrors(view.blocks, core.enteredValues.entered(person.id, view.id));
  if (Object.keys(faults).length > 0) return { ...errorAnswer('invalid_input'), errors: faults };
  const triggerId = core.triggers.mint({ user: person.id, view: view.id });
  const payload = submissionPayload(core, person, view, triggerId);
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? errorAnswer(outcome.error) : applyViewResponse(core, view, outcome.body);
}

/** Closes the view; the cross closes the whole stack (docs.slack.dev/surfaces/modals#interactions). */
export function closeView(core: WorkspaceCore, input: CloseInput): ControlAnswer {
  const opened = findOpenModal(core, input);
  if (!opened.ok) return opened;
  if (input.all === true) core.views.clear(opened.person.id);
  else core.views.close(opened.view);
  core.changed();
  return { ok: true };
}

type OpenModal = { readonly ok: true; readonly person: Person; readonly view: SlackView };

function findOpenModal(
  core: WorkspaceCore,
  { user, view_id }: { readonly user: string; readonly view_id: string },
): OpenModal | ErrorAnswer {
  const location = findView(core, user, view_id);
  if (!location.ok) return location;
  const { person, surface } = location;
  if (surface.kind !== 'view' || surface.view.type !== 'modal') return errorAnswer('view_not_found');
  return { ok: true, person, view: surface.view };
}

function enterValues(
  core: WorkspaceCore,
  person: Person,
  view: SlackView,
  values: SubmitInput['values'],
): ErrorAnswer | null {
  const elements = interactiveElements(view.blocks);
  const options = optionsFor(core, { person, surface: { kind: 'view', view } });
  const entries = Object.entries(values).flatMap(([blockId, actions]) =>
    Object.entries(actions).map(([actionId, value]) => {
      const found = elements.find((each) => each.blockId === blockId && each.actionId === actionId);
      return { found, entry: found && isInput(found) ? elementStateFrom(found, value, options) : undefined };
    }),
  );
  if (entries.some(({ found }) => found === undefined)) return errorAnswer('unknown_element');
  if (entries.some(({ entry }) => entry === undefined)) return errorAnswer('invalid_value');
  for (const { found, entry } of entries)
    if (found && entry) core.enteredValues.enter(person.id, view.id, found, entry);
  return null;
}

/**
 * Applies the acknowledgement; an empty one closes this view, and one without a `response_action` is an error
 * (docs.slack.dev/surfaces/modals: “must be empty”; github.com/vercel/eve/issues/277).
 */
function applyViewResponse(core: WorkspaceCore, view: SlackView, body: JsonObject): SubmitResult {
  // A view that was closed meanwhile stays closed.
  if (!core.views.get(view.id)) return { ok: true };
  const action = body['response_action'];
  const reply = applyResponseAction(core, view, action, body);
  core.changed();
  return reply;
}

function applyResponseAction(
  core: WorkspaceCore,
  view: SlackView,
  action: unknown,
  body: JsonObject,
): SubmitResult {
  switch (action) {
    case undefined:
      if (Object.keys(body).length > 0) return errorAnswer('invalid_response_action');
      core.views.close(view);
      return { ok: true };
    case 'errors':
      return responseErrors(view, asJsonObject(body['errors']));
    case 'update': {
      const read = parseView(core, body['view'], 'modal');
      if (!read.ok) return errorAnswer(read.error);
      core.views.update(view, read.value);
      return { ok: true };
    }
    default:
      return errorAnswer('invalid_response_action');
  }
}

/** Errors are keyed by the block ids of inputs; Slack shows none of them if one key is unknown. */
function responseErrors(view: SlackView, errors: JsonObject): SubmitResult {
  const inputs = interactiveElements(view.blocks).filter(({ inInput }) => inInput);
  const entries = Object.entries(errors).map(([blockId, text]): [string, string] => [blockId, String(text)]);
  const stray = entries.some(([id]) => !inputs.some(({ blockId }) => blockId === id));
  if (entries.length === 0 || stray) return errorAnswer('invalid_response_action');
  return { ...errorAnswer('invalid_input'), errors: Object.fromEntries(entries) };
}

/** Errors, by block id, for which Slack's own client refuses to submit a form before the bot gets it. */
function formErrors(blocks: readonly JsonObject[], entered: StateValues): Readonly<Record<string, string>> {
  const values = initialStateValues(blocks, entered);
  const inputs = interactiveElements(blocks).filter(({ inInput }) => inInput);
  return Object.fromEntries(
    inputs.flatMap((found) => {
      const entry = elementStateOf(values, found);
      const fault = entry && fieldError(found, entry);
      return fault ? [[found.blockId, fault]] : [];
    }),
  );
}

function fieldError({ optional, element }: ElementInBlocks, entry: ElementState): string | null {
  if (isEmptyState(entry)) return optional ? null : 'Please complete this required field.';
  if (entry.type !== 'plain_text_input') return null;
  const most = Number(element['max_length'] ?? 3_000);
  return String(entry['value']).length > most ? `Please enter at most ${most} characters.` : null;
}
