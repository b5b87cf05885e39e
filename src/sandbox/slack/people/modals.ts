/** A person submits or closes a modal. */
import type { Answer, SubmitOrder } from '../../contracts.ts';
import { elementsOf } from '../blocks/elements.ts';
import { entryFrom, holdsValue } from '../blocks/entries.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { type Fields, fieldsOf } from '../json.ts';
import { viewObject } from '../objects.ts';
import type { Person } from '../state/directory.ts';
import { MOST_VIEWS, type View } from '../state/views.ts';
import { readView } from '../view-content.ts';
import { closedPayload, submissionPayload } from '../view-payloads.ts';
import { formFaults } from './form-faults.ts';
import { choicesOf, type Failed, failed, viewOf } from './found.ts';

export type Submitted = Answer & { readonly errors?: Readonly<Record<string, string>> };

/** What the person has open, lowest first, and their Home. */
export function openViews(core: Core, user: string): { modals: readonly Fields[]; home: Fields | null } {
  const person = core.directory.person(user);
  if (!person) return { modals: [], home: null };
  const home = core.views.home(person.id);
  return {
    modals: core.views.stack(person.id).map((view) => viewObject(core, view)),
    home: home ? viewObject(core, home) : null,
  };
}

export async function submitView(core: Core, deliver: Deliver, order: SubmitOrder): Promise<Submitted> {
  const opened = openModal(core, order);
  if (!opened.ok) return opened;
  const { person, view } = opened;
  const unfit = enterAll(core, person, view, order.values);
  if (unfit) return unfit;
  const faults = formFaults(view.blocks, core.inputs.entered(person.id, view.id));
  if (Object.keys(faults).length > 0) return { ...failed('invalid_input'), errors: faults };
  const triggerId = core.triggers.mint({ user: person.id, view: view.id, channel: null });
  const payload = submissionPayload(core, person, view, triggerId);
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? failed(outcome.error) : follow(core, view, outcome.body);
}

/** Closes the view, and with it the whole stack where the view says so. */
export function closeView(
  core: Core,
  deliver: Deliver,
  order: { readonly user: string; readonly view_id: string },
): Answer {
  const opened = openModal(core, order);
  if (!opened.ok) return opened;
  const { person, view } = opened;
  const clears = view.content['clear_on_close'] === true;
  const payload = closedPayload(core, person, view, clears);
  if (clears) core.views.clear(person.id);
  else core.views.close(view);
  core.changed();
  // The person has closed it whatever the bot says.
  if (view.content['notify_on_close'] === true) void deliver({ kind: 'interactive', payload });
  return { ok: true };
}

type Opened = { readonly ok: true; readonly person: Person; readonly view: View };

function openModal(
  core: Core,
  { user, view_id }: { readonly user: string; readonly view_id: string },
): Opened | Failed {
  const place = viewOf(core, user, view_id);
  if (!place.ok) return place;
  const { person, surface } = place;
  if (surface.kind !== 'view' || surface.view.type !== 'modal') return failed('view_not_found');
  return { ok: true, person, view: surface.view };
}

/** Enters the values, all of them or none. */
function enterAll(core: Core, person: Person, view: View, values: SubmitOrder['values']): Failed | null {
  const elements = elementsOf(view.blocks);
  const choices = choicesOf(core, person, { kind: 'view', view });
  const entries = Object.entries(values).flatMap(([blockId, actions]) =>
    Object.entries(actions).map(([actionId, value]) => {
      const found = elements.find((each) => each.blockId === blockId && each.actionId === actionId);
      return { found, entry: found && holdsValue(found) ? entryFrom(found, value, choices) : undefined };
    }),
  );
  if (entries.some(({ found }) => found === undefined)) return failed('unknown_element');
  if (entries.some(({ entry }) => entry === undefined)) return failed('invalid_value');
  for (const { found, entry } of entries)
    if (found && entry) core.inputs.enter(person.id, view.id, found, entry);
  return null;
}

/** Does what the acknowledgement says; an empty one closes this view. */
function follow(core: Core, view: View, body: Fields): Submitted {
  // What was closed meanwhile stays closed.
  if (!core.views.get(view.id)) return { ok: true };
  const action = body['response_action'];
  const reply = act(core, view, action, body);
  core.changed();
  return reply;
}

function act(core: Core, view: View, action: unknown, body: Fields): Submitted {
  switch (action) {
    case undefined:
      core.views.close(view);
      return { ok: true };
    case 'clear':
      core.views.clear(view.user);
      return { ok: true };
    case 'errors':
      return refusedFields(view, fieldsOf(body['errors']));
    case 'update':
    case 'push': {
      const replaced = action === 'update' ? view : undefined;
      const read = readView(core, body['view'], 'modal', replaced);
      if (!read.ok) return failed(read.error);
      if (replaced) core.views.update(replaced, read.content);
      else if (core.views.stack(view.user).length >= MOST_VIEWS) return failed('push_limit_reached');
      else core.views.push(view.user, read.content);
      return { ok: true };
    }
    default:
      return failed('invalid_response_action');
  }
}

/** Errors are keyed by the block ids of inputs; Slack shows none of them when one is not. */
function refusedFields(view: View, errors: Fields): Submitted {
  const inputs = elementsOf(view.blocks).filter(({ inInput }) => inInput);
  const shown = Object.entries(errors).map(([blockId, text]): [string, string] => [blockId, String(text)]);
  const stray = shown.some(([id]) => !inputs.some(({ blockId }) => blockId === id));
  if (shown.length === 0 || stray) return failed('invalid_response_action');
  return { ...failed('invalid_input'), errors: Object.fromEntries(shown) };
}
