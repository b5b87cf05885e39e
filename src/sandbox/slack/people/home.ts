/** A person opens the app's own place (docs.slack.dev/reference/events/app_home_opened). */
import type { Answer, HomeOrder } from '../../contracts.ts';
import type { Core } from '../core.ts';
import { viewObject } from '../objects.ts';
import { failed } from './found.ts';

export function openHome(core: Core, { user, tab = 'home' }: HomeOrder): Answer {
  const { directory, manifest, views, ids } = core;
  const person = directory.person(user);
  if (!person) return failed('user_not_found');
  if (tab === 'home' && !manifest.homeTab) return failed('home_tab_disabled');
  if (tab === 'messages' && !manifest.messagesTab) return failed('messages_tab_disabled');
  const view = tab === 'home' ? views.home(person.id) : undefined;
  core.announce('app_home_opened', {
    type: 'app_home_opened',
    user: person.id,
    channel: directory.direct(person).id,
    tab,
    event_ts: ids.ts(),
    // Only what has been published before.
    ...(view ? { view: viewObject(core, view) } : {}),
  });
  return { ok: true };
}
