/** A person uses an element of a message, a modal or the Home. */
import type { ClickInput, ControlAnswer } from '../../contracts/services.ts';
import { type ElementState, elementStateFrom, isInput } from '../blocks/element-state.ts';
import type { ElementInBlocks } from '../blocks/find-elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { feedbackEntry } from '../payloads/block-actions.ts';
import {
  attachmentWith,
  blockActionsPayload,
  type InteractionSurface,
} from '../payloads/interaction-payloads.ts';
import {
  choicesOf,
  errorAnswer,
  findElementOnSurface,
  findSurface,
  type PersonOnSurface,
  surfaceKey,
} from './find-targets.ts';

/** Resolves once the bot has acknowledged. */
export async function clickElement(
  core: WorkspaceCore,
  deliver: Deliver,
  input: ClickInput,
): Promise<ControlAnswer> {
  const location = findSurface(core, input);
  if (!location.ok) return location;
  const { person, surface } = location;
  const found = findElementOnSurface(surface, input);
  if (!found) return errorAnswer('unknown_element');
  if (found.element['confirm'] !== undefined && input.confirm === false)
    return errorAnswer('confirm_declined');
  const entry = clickedState(core, location, found, input.value);
  if (entry === undefined) return errorAnswer('invalid_value');
  if (entry !== null && isInput(found))
    core.enteredValues.enter(person.id, surfaceKey(surface), found, entry);
  core.changed();
  if (!found.acts) return { ok: true };

  const inModal = surface.kind === 'view' && surface.view.type === 'modal';
  const triggerId = core.triggers.mint({
    user: person.id,
    view: inModal ? surface.view.id : null,
    channel: surface.kind === 'message' ? surface.channel.id : surface.view.channel,
  });
  const responseUrl = responseUrlFor(core, person.id, surface, found);
  const payload = blockActionsPayload(core, { person, surface, found, entry, triggerId, responseUrl });
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? errorAnswer(outcome.error) : { ok: true };
}

/** Null for a button; undefined when the element cannot take the value. */
function clickedState(
  core: WorkspaceCore,
  { person, surface }: PersonOnSurface,
  found: ElementInBlocks,
  value: unknown,
): ElementState | null | undefined {
  const { type } = found.element;
  if (type === 'feedback_buttons') return feedbackEntry(found, value);
  const takesValue = isInput(found) || type === 'overflow';
  return takesValue ? elementStateFrom(found, value, choicesOf(core, person, surface)) : null;
}

function responseUrlFor(
  core: WorkspaceCore,
  user: string,
  surface: InteractionSurface,
  found: ElementInBlocks,
): string | null {
  if (surface.kind === 'view') return null;
  const { channel, message } = surface;
  const unfurl = attachmentWith(message, found)?.['app_unfurl_url'];
  return core.responseUrls.mint({
    kind: 'actions',
    channel: channel.id,
    user,
    original: message.ts,
    ...(typeof unfurl === 'string' ? { unfurl } : {}),
  });
}
