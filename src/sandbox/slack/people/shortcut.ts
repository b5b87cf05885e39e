/** A person uses a shortcut of the app: from anywhere, or from a message's menu. */
import type { Answer, ShortcutOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import type { Deliver } from '../delivery/delivery.ts';
import type { Shortcut } from '../manifest.ts';
import { type ShortcutUsed, shortcutPayload } from '../payloads.ts';
import type { Person } from '../state/directory.ts';
import { type Failed, failed, messageOf } from './found.ts';

/** Answers once the bot has acknowledged. */
export async function takeShortcut(core: Core, deliver: Deliver, order: ShortcutOrder): Promise<Answer> {
  const person = core.directory.person(order.user);
  if (!person) return failed('user_not_found');
  const shortcut = core.manifest.shortcuts.find(({ callbackId }) => callbackId === order.callback_id);
  if (!shortcut) return failed('unknown_shortcut');
  const subject = subjectOf(core, person, shortcut, order);
  if (!subject.ok) return subject;
  const channel = subject.on.on?.channel.id ?? null;
  const triggerId = core.triggers.mint({ user: person.id, view: null, channel });
  const payload = shortcutPayload(core, {
    person,
    callbackId: shortcut.callbackId,
    triggerId,
    ...subject.on,
  });
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? failed(outcome.error) : { ok: true };
}

type Subject = { readonly ok: true; readonly on: Pick<ShortcutUsed, 'on'> };

/** What a message shortcut is used on; an ephemeral message has no such menu. */
function subjectOf(core: Core, person: Person, { type }: Shortcut, order: ShortcutOrder): Subject | Failed {
  if (type === 'global') return { ok: true, on: {} };
  const { channel, ts } = order;
  if (channel === undefined || ts === undefined) return failed('needs_channel_and_ts');
  const found = messageOf(core, { user: person.id, channel, ts });
  if (!found.ok) return found;
  if (found.message.onlyFor !== null) return failed('message_not_found');
  const right = { kind: 'actions', channel: found.channel.id, user: person.id, original: ts } as const;
  const responseUrl = core.responseUrls.mint(right);
  return { ok: true, on: { on: { channel: found.channel, message: found.message, responseUrl } } };
}
