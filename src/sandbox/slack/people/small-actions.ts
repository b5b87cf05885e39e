/** A person adds or removes a reaction (docs.slack.dev/reference/events/reaction_added). */
import type { ControlAnswer, HomeInput, ReactInput } from '../../contracts/services.ts';
import type { WorkspaceCore } from '../core/core.ts';
import { changeReaction, REACTION_NAME } from '../messages/reactions.ts';
import { viewObject } from '../objects/messages-and-views.ts';
import { errorAnswer, findMessage } from './find-targets.ts';

export function reactToMessage(core: WorkspaceCore, input: ReactInput): ControlAnswer {
  const found = findMessage(core, input);
  if (!found.ok) return found;
  const { person, channel, message } = found;
  if (channel.archived) return errorAnswer('is_archived');
  if (message.onlyFor !== null) return errorAnswer('message_not_found');
  const name = input.name.replace(/^:(.*):$/, '$1');
  if (!REACTION_NAME.test(name)) return errorAnswer('invalid_name');
  const refusal = changeReaction(core, { message, user: person.id, name, remove: input.remove === true });
  return refusal === null ? { ok: true } : errorAnswer(refusal);
}

/** A person opens the app's Home or messages (docs.slack.dev/reference/events/app_home_opened). */

export function openHome(core: WorkspaceCore, { user, tab = 'home' }: HomeInput): ControlAnswer {
  const { directory, manifest, views, ids } = core;
  const person = directory.person(user);
  if (!person) return errorAnswer('user_not_found');
  if (tab === 'home' && !manifest.homeTab) return errorAnswer('home_tab_disabled');
  if (tab === 'messages' && !manifest.messagesTab) return errorAnswer('messages_tab_disabled');
  const view = tab === 'home' ? views.home(person.id) : undefined;
  core.announce('app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel: directory.direct(person).id,
    tab,
    event_ts: ids.ts(),
    // The view is included only if one was published before.
    ...(view ? { view: viewObject(core, view) } : {}),
  });
  return { ok: true };
}
