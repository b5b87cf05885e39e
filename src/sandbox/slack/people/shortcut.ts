/** A person uses a shortcut of the app: from anywhere, or from a message's menu. */
import type { ControlAnswer, ShortcutInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Shortcut } from '../core/manifest.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { type ShortcutUse, shortcutPayload } from '../payloads/interaction-payloads.ts';
import type { Person } from '../state/directory.ts';
import { type ErrorAnswer, errorAnswer, findMessage, personInChannel } from './find-targets.ts';

/** Resolves once the bot has acknowledged. */
export async function useShortcut(
  core: WorkspaceCore,
  deliver: Deliver,
  input: ShortcutInput,
): Promise<ControlAnswer> {
  const person = core.directory.person(input.user);
  if (!person) return errorAnswer('user_not_found');
  const shortcut = core.manifest.shortcuts.find(({ callbackId }) => callbackId === input.callback_id);
  if (!shortcut) return errorAnswer('unknown_shortcut');
  const subject = subjectOf(core, person, shortcut, input);
  if (!subject.ok) return subject;
  const triggerId = core.triggers.mint({ user: person.id, view: null, channel: subject.from });
  const payload = shortcutPayload(core, {
    person,
    callbackId: shortcut.callbackId,
    triggerId,
    ...subject.on,
  });
  const outcome = await deliver({ kind: 'interactive', payload });
  return outcome.kind === 'failed' ? errorAnswer(outcome.error) : { ok: true };
}

type ShortcutSubject = {
  readonly ok: true;
  readonly on: Pick<ShortcutUse, 'on'>;
  /** The conversation that the person is in. */
  readonly from: string | null;
};

/**
 * The message of a message shortcut; an ephemeral message has no such menu. A global shortcut does not tell the
 * conversation in which it is used, but a modal can default to it (docs.slack.dev/interactivity/implementing-shortcuts).
 */
function subjectOf(
  core: WorkspaceCore,
  person: Person,
  { type }: Shortcut,
  input: ShortcutInput,
): ShortcutSubject | ErrorAnswer {
  const { user, channel, ts } = input;
  if (type === 'global') {
    if (channel === undefined) return { ok: true, on: {}, from: null };
    const viewed = personInChannel(core, { user, channel });
    return viewed.ok ? { ok: true, on: {}, from: viewed.channel.id } : viewed;
  }
  if (channel === undefined || ts === undefined) return errorAnswer('needs_channel_and_ts');
  const found = findMessage(core, { user: person.id, channel, ts });
  if (!found.ok) return found;
  if (found.message.onlyFor !== null) return errorAnswer('message_not_found');
  // An app changes only its own messages (docs.slack.dev/reference/methods/chat.update, `cant_update_message`).
  const original = found.message.bot ? ts : null;
  const right = { kind: 'app', channel: found.channel.id, user: person.id, original } as const;
  const responseUrl = core.responseUrls.mint(right);
  const on = { channel: found.channel, message: found.message, responseUrl };
  return { ok: true, on: { on }, from: found.channel.id };
}
