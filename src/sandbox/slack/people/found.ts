/** Finding what a person's order names: the person, the place, the element. */
import type { ClickOrder } from '../../contracts.ts';
import { type Found, findElement } from '../blocks/elements.ts';
import { type Choices, ownOptions } from '../blocks/entries.ts';
import type { Core } from '../core.ts';
import { fileObject } from '../objects/files.ts';
import { blocksOfMessage, type Surface } from '../payloads.ts';
import { type Channel, canRead, type Person } from '../state/directory.ts';
import { messageSurface } from '../state/inputs.ts';
import type { Message } from '../state/timeline.ts';

export type Failed = { readonly ok: false; readonly error: string };
export const failed = (error: string): Failed => ({ ok: false, error });

export type Standing = { readonly ok: true; readonly person: Person; readonly channel: Channel };

/** A person in a channel that they can see. */
export function standing(
  { directory }: Core,
  { user, channel }: { readonly user: string; readonly channel: string },
): Standing | Failed {
  const person = directory.person(user);
  if (!person) return failed('user_not_found');
  const place = directory.place(channel);
  if (!place || !canRead(place, person.id)) return failed('channel_not_found');
  return { ok: true, person, channel: place };
}

/** The same, for what only members may do. */
export function membership(core: Core, order: Parameters<typeof standing>[1]): Standing | Failed {
  const stood = standing(core, order);
  if (!stood.ok) return stood;
  return stood.channel.members.has(stood.person.id) ? stood : failed('not_in_channel');
}

export type Place = { readonly ok: true; readonly person: Person; readonly surface: Surface };

/** The message or view in which a person uses an element. */
export function surfaceOf(core: Core, order: SurfaceOrder): Place | Failed {
  if (order.view_id !== undefined) return viewOf(core, order.user, order.view_id);
  if (order.channel === undefined || order.ts === undefined) return failed('message_not_found');
  const { user, channel, ts } = order;
  const found = messageOf(core, { user, channel, ts });
  if (!found.ok) return found;
  return { ok: true, person: found.person, surface: { ...found, kind: 'message' } };
}

export type FoundMessage = Standing & { readonly message: Message };

/** A message that this person sees, in a channel of theirs. */
export function messageOf(
  core: Core,
  order: { readonly user: string; readonly channel: string; readonly ts: string },
): FoundMessage | Failed {
  const member = membership(core, order);
  if (!member.ok) return member;
  const message = core.timeline.get(member.channel.id, order.ts);
  const isSeen = message && (message.onlyFor ?? member.person.id) === member.person.id;
  return isSeen ? { ...member, message } : failed('message_not_found');
}
export type SurfaceOrder = {
  readonly user: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly view_id?: string;
};

/** A view that the person has before them: their Home, or the topmost of their modals (docs.slack.dev/surfaces/modals). */
export function viewOf(core: Core, user: string, viewId: string): Place | Failed {
  const person = core.directory.person(user);
  if (!person) return failed('user_not_found');
  const view = core.views.get(viewId);
  if (!view || view.user !== person.id) return failed('view_not_found');
  const isHidden = view.type === 'modal' && core.views.stack(person.id).at(-1)?.id !== view.id;
  if (isHidden) return failed('view_not_visible');
  return { ok: true, person, surface: { kind: 'view', view } };
}

function blocksOf(surface: Surface) {
  return surface.kind === 'view' ? surface.view.blocks : blocksOfMessage(surface.message);
}

/** What a person's entries on this surface are kept under. */
export function surfaceKey(surface: Surface): string {
  return surface.kind === 'view' ? surface.view.id : messageSurface(surface.channel.id, surface.message.ts);
}

export function elementOf(
  surface: Surface,
  order: Pick<ClickOrder, 'action_id' | 'block_id'>,
): Found | undefined {
  return findElement(blocksOf(surface), order);
}

/** What this person can choose on this surface. */
export function choicesOf(core: Core, person: Person, surface: Surface): Choices {
  const { inputs, directory, files } = core;
  return {
    options: (found) => [...ownOptions(found), ...inputs.offered(person.id, surfaceKey(surface), found)],
    user: (nameOrId) => directory.user(nameOrId)?.id ?? directory.person(nameOrId)?.id,
    channel: (nameOrId) => directory.place(nameOrId)?.id,
    file: (id) => {
      const file = files.get(id);
      return file?.finished ? fileObject(core, file) : undefined;
    },
  };
}
