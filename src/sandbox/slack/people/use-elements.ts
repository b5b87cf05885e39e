/** A person presses an element, types into a menu, or uses a command or a shortcut of the app. */
import type {
  ClickInput,
  CommandAnswer,
  CommandInput,
  ControlAnswer,
  ShortcutInput,
  SuggestInput,
} from '../../contracts/people.ts';
import { type ElementState, elementStateFrom, isInput } from '../blocks/elements.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { Shortcut } from '../core/installed-app.ts';
import { asList, type JsonObject } from '../core/json-object.ts';
import type { Deliver } from '../delivery/delivery.ts';
import { escapeText, withEntities } from '../messages/typed-text.ts';
import { withEmojiNames } from '../objects/emoji-names.ts';
import {
  attachmentWith,
  blockActionsPayload,
  commandPayload,
  type ShortcutUse,
  shortcutPayload,
  suggestionPayload,
} from '../payloads/interaction-payloads.ts';
import type { Person } from '../state/directory.ts';
import { menuOptionsRule } from '../validate/block-rules.ts';
import {
  type ElementForPerson,
  type ErrorAnswer,
  errorAnswer,
  findElementForPerson,
  findMessage,
  optionsFor,
  personInChannel,
  surfaceKey,
} from './find-targets.ts';

/** What the person sees of how the bot took it. */
async function delivered(
  deliver: Deliver,
  kind: 'interactive' | 'slash_commands',
  payload: JsonObject,
): Promise<{ readonly ok: true; readonly body: JsonObject } | ErrorAnswer> {
  const outcome = await deliver({ kind, payload });
  return outcome.kind === 'failed' ? errorAnswer(outcome.error) : { ok: true, body: outcome.body };
}

export async function clickElement(
  core: WorkspaceCore,
  deliver: Deliver,
  input: ClickInput,
): Promise<ControlAnswer> {
  const used = findElementForPerson(core, input);
  if (!used.ok) return used;
  const { person, surface, found } = used;
  if (found.element['confirm'] !== undefined && input.confirm === false)
    return errorAnswer('confirm_declined');
  // Null for a button, which holds no value.
  const entry: ElementState | null | undefined = isInput(found)
    ? elementStateFrom(found, input.value, optionsFor(core, used))
    : null;
  if (entry === undefined) return errorAnswer('invalid_value');
  if (entry !== null) core.enteredValues.enter(person.id, surfaceKey(surface), found, entry);
  core.changed();
  if (!found.acts) return { ok: true };

  const inModal = surface.kind === 'view' && surface.view.type === 'modal';
  const triggerId = core.triggers.mint({ user: person.id, view: inModal ? surface.view.id : null });
  const responseUrl = responseUrlFor(core, used);
  const payload = blockActionsPayload(core, { person, surface, found, entry, triggerId, responseUrl });
  const answer = await delivered(deliver, 'interactive', payload);
  return answer.ok ? { ok: true } : answer;
}

function responseUrlFor(core: WorkspaceCore, { person, surface, found }: ElementForPerson): string | null {
  if (surface.kind === 'view') return null;
  const { channel, message } = surface;
  const unfurl = attachmentWith(message, found)?.['app_unfurl_url'];
  return core.responseUrls.mint({
    kind: 'actions',
    channel: channel.id,
    user: person.id,
    original: message.ts,
    ...(typeof unfurl === 'string' ? { unfurl } : {}),
  });
}

/** Characters to type before the bot is asked, unless the element says otherwise. */
const DEFAULT_QUERY_LENGTH = 3;
const EXTERNAL = ['external_select', 'multi_external_select'];

export async function suggestOptions(
  core: WorkspaceCore,
  deliver: Deliver,
  input: SuggestInput,
): Promise<ControlAnswer & { readonly options?: readonly JsonObject[] }> {
  const used = findElementForPerson(core, input);
  if (!used.ok) return used;
  const { person, surface, found } = used;
  if (!EXTERNAL.some((type) => type === found.element['type'])) return errorAnswer('unknown_element');
  const shortest = found.element['min_query_length'] ?? DEFAULT_QUERY_LENGTH;
  if (input.value.length < Number(shortest)) return { ok: true, options: [] };
  const payload = suggestionPayload(core, { person, surface, found, value: input.value });
  const answer = await delivered(deliver, 'interactive', payload);
  if (!answer.ok) return answer;
  const sent = answer.body['options'];
  const isNone = Array.isArray(sent) && sent.length === 0;
  if (!isNone && menuOptionsRule(sent, '/options').length > 0) return errorAnswer('invalid_options');
  const options = asList(sent);
  core.enteredValues.offer(person.id, surfaceKey(surface), found, options);
  return { ok: true, options };
}

/** Resolves once the bot has acknowledged, or with the error that Slack would show. */
export async function sendSlashCommand(
  core: WorkspaceCore,
  deliver: Deliver,
  input: CommandInput,
): Promise<CommandAnswer> {
  const location = personInChannel(core, input);
  if (!location.ok) return location;
  const { person, channel } = location;
  if (channel.archived) return errorAnswer('is_archived');
  const known = core.manifest.commands.find(({ command }) => command === input.command);
  if (!known) return errorAnswer('invalid_command');
  const typed = withEmojiNames(input.text.trim());
  const triggerId = core.triggers.mint({ user: person.id, view: null });
  const payload = commandPayload(core, {
    person,
    channel,
    command: known.command,
    text: known.shouldEscape ? withEntities(core, typed, person.id) : escapeText(typed),
    triggerId,
    responseUrl: core.responseUrls.mint({
      kind: 'commands',
      channel: channel.id,
      user: person.id,
      original: null,
    }),
  });
  const answer = await delivered(deliver, 'slash_commands', payload);
  return answer.ok ? { ok: true, trigger_id: triggerId } : answer;
}

/** A shortcut of the app, from anywhere or from a message's menu. Resolves once the bot has acknowledged. */
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
  const payload = shortcutPayload(core, {
    person,
    callbackId: shortcut.callbackId,
    triggerId: core.triggers.mint({ user: person.id, view: null }),
    ...subject.on,
  });
  const answer = await delivered(deliver, 'interactive', payload);
  return answer.ok ? { ok: true } : answer;
}

/** The message of a message shortcut; an ephemeral message has no such menu. */
function subjectOf(
  core: WorkspaceCore,
  person: Person,
  { type }: Shortcut,
  { user, channel, ts }: ShortcutInput,
): { readonly ok: true; readonly on: Pick<ShortcutUse, 'on'> } | ErrorAnswer {
  if (type === 'global') {
    const viewed = channel === undefined ? null : personInChannel(core, { user, channel });
    return viewed?.ok === false ? viewed : { ok: true, on: {} };
  }
  if (channel === undefined || ts === undefined) return errorAnswer('needs_channel_and_ts');
  const found = findMessage(core, { user: person.id, channel, ts });
  if (!found.ok) return found;
  if (found.message.onlyFor !== null) return errorAnswer('message_not_found');
  // An app changes only its own messages (docs.slack.dev/reference/methods/chat.update, `cant_update_message`).
  const original = found.message.bot ? ts : null;
  const right = { kind: 'app', channel: found.channel.id, user: person.id, original } as const;
  const responseUrl = core.responseUrls.mint(right);
  return { ok: true, on: { on: { channel: found.channel, message: found.message, responseUrl } } };
}
