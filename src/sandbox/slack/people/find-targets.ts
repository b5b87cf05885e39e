/** Resolves the names in a person's request: the person, the place, the element. */
import type { ClickInput } from '../../contracts/people.ts';
import { type ElementInBlocks, findElement, type OptionLookup, staticOptions } from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { blocksOfMessage, type InteractionSurface } from '../payloads/interaction-payloads.ts';
import { type Channel, canRead, type Person } from '../state/directory.ts';
import type { Message } from '../state/timeline.ts';
import { messageSurface } from '../state/view-store.ts';

export type ErrorAnswer = { readonly ok: false; readonly error: string };
export const errorAnswer = (error: string): ErrorAnswer => ({ ok: false, error });

export type PersonInChannel = { readonly ok: true; readonly person: Person; readonly channel: Channel };

/** A person in a channel that they can see. */
export function personInChannel(
  { directory }: WorkspaceCore,
  { user, channel }: { readonly user: string; readonly channel: string },
): PersonInChannel | ErrorAnswer {
  const person = directory.person(user);
  if (!person) return errorAnswer('user_not_found');
  const location = directory.conversationFor(channel);
  if (!location || !canRead(location, person.id)) return errorAnswer('channel_not_found');
  return { ok: true, person, channel: location };
}

/** The same for actions that only members may take. */
export function memberInChannel(
  core: WorkspaceCore,
  input: Parameters<typeof personInChannel>[1],
): PersonInChannel | ErrorAnswer {
  const location = personInChannel(core, input);
  if (!location.ok) return location;
  return location.channel.members.has(location.person.id) ? location : errorAnswer('not_in_channel');
}

export type PersonOnSurface = {
  readonly ok: true;
  readonly person: Person;
  readonly surface: InteractionSurface;
};

type SurfaceInput = {
  readonly user: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly view_id?: string;
};

function findSurface(core: WorkspaceCore, input: SurfaceInput): PersonOnSurface | ErrorAnswer {
  if (input.view_id !== undefined) return findView(core, input.user, input.view_id);
  if (input.channel === undefined || input.ts === undefined) return errorAnswer('message_not_found');
  const { user, channel, ts } = input;
  const found = findMessage(core, { user, channel, ts });
  if (!found.ok) return found;
  return { ok: true, person: found.person, surface: { ...found, kind: 'message' } };
}

export type MessageForPerson = PersonInChannel & { readonly message: Message };

export function findMessage(
  core: WorkspaceCore,
  input: { readonly user: string; readonly channel: string; readonly ts: string },
): MessageForPerson | ErrorAnswer {
  const member = memberInChannel(core, input);
  if (!member.ok) return member;
  const message = core.timeline.get(member.channel.id, input.ts);
  const isSeen = message && (message.onlyFor ?? member.person.id) === member.person.id;
  return isSeen ? { ...member, message } : errorAnswer('message_not_found');
}

/** A view that is open for the person: their Home, or the topmost of their modals (docs.slack.dev/surfaces/modals). */
export function findView(core: WorkspaceCore, user: string, viewId: string): PersonOnSurface | ErrorAnswer {
  const person = core.directory.person(user);
  if (!person) return errorAnswer('user_not_found');
  const view = core.views.get(viewId);
  if (!view || view.user !== person.id) return errorAnswer('view_not_found');
  const isHidden = view.type === 'modal' && core.views.stack(person.id).at(-1)?.id !== view.id;
  if (isHidden) return errorAnswer('view_not_visible');
  return { ok: true, person, surface: { kind: 'view', view } };
}

function blocksOf(surface: InteractionSurface) {
  return surface.kind === 'view' ? surface.view.blocks : blocksOfMessage(surface.message);
}

export function surfaceKey(surface: InteractionSurface): string {
  return surface.kind === 'view' ? surface.view.id : messageSurface(surface.channel.id, surface.message.ts);
}

export type ElementForPerson = PersonOnSurface & { readonly found: ElementInBlocks };

export function findElementForPerson(
  core: WorkspaceCore,
  input: SurfaceInput & Pick<ClickInput, 'action_id' | 'block_id'>,
): ElementForPerson | ErrorAnswer {
  const location = findSurface(core, input);
  if (!location.ok) return location;
  const found = findElement(blocksOf(location.surface), input);
  return found ? { ...location, found } : errorAnswer('unknown_element');
}

export function optionsFor(
  { enteredValues }: WorkspaceCore,
  { person, surface }: Pick<PersonOnSurface, 'person' | 'surface'>,
): OptionLookup {
  return (found) => [
    ...staticOptions(found),
    ...enteredValues.offered(person.id, surfaceKey(surface), found),
  ];
}
