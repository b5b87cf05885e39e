/** A person uses an element of a message, of a modal or of the Home. */
import type { Answer, ClickOrder } from '../../contracts.ts';
import { feedbackEntry } from '../block-action.ts';
import type { Found } from '../blocks/elements.ts';
import { type Entry, entryFrom, holdsValue } from '../blocks/entries.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { blockActionsPayload, type Surface } from '../payloads.ts';
import { choicesOf, elementOf, failed, type Place, surfaceKey, surfaceOf } from './found.ts';

/** Answers once the bot has acknowledged. */
export async function clickElement(core: Core, deliver: Deliver, order: ClickOrder): Promise<Answer> {
  const place = surfaceOf(core, order);
  if (!place.ok) return place;
  const { person, surface } = place;
  const found = elementOf(surface, order);
  if (!found) return failed('unknown_element');
  if (found.element['confirm'] !== undefined && order.confirm === false) return failed('confirm_declined');
  const entry = entryOf(core, place, found, order.value);
  if (entry === undefined) return failed('invalid_value');
  if (entry !== null && holdsValue(found)) core.inputs.enter(person.id, surfaceKey(surface), found, entry);
  core.changed();
  if (!found.acts) return { ok: true };

  const inModal = surface.kind === 'view' && surface.view.type === 'modal';
  const triggerId = core.triggers.mint({
    user: person.id,
    view: inModal ? surface.view.id : null,
    channel: surface.kind === 'message' ? surface.channel.id : null,
  });
  const responseUrl = responseUrlFor(core, person.id, surface);
  const payload = blockActionsPayload(core, { person, surface, found, entry, triggerId, responseUrl });
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? failed(outcome.error) : { ok: true };
}

/** Null for a button; undefined when the element cannot take the value. */
function entryOf(
  core: Core,
  { person, surface }: Place,
  found: Found,
  value: unknown,
): Entry | null | undefined {
  const { type } = found.element;
  if (type === 'feedback_buttons') return feedbackEntry(found, value);
  const takesValue = holdsValue(found) || type === 'overflow';
  return takesValue ? entryFrom(found, value, choicesOf(core, person, surface)) : null;
}

function responseUrlFor(core: Core, user: string, surface: Surface): string | null {
  if (surface.kind === 'view') return null;
  const { channel, message } = surface;
  return core.responseUrls.mint({ kind: 'actions', channel: channel.id, user, original: message.ts });
}
