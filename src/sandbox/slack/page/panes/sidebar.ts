/** The sidebar: the person, channels, the app. */

import { ICONS, icon } from '../kit.ts';
import { avatar } from '../message.ts';
import type { Page } from '../page.ts';
import { html } from '../preact.ts';
import { routeHash, routeName } from '../route.ts';
import { BOT_NAME } from '../state/store.ts';
import type { Conversation, State } from '../types.ts';

export function renderSidebar({ go }: Page, state: State) {
  const { world, me, channel, conversations } = state;
  const choose = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const { value } = currentTarget;
    go(value, channel.startsWith('@') ? `@${value}` : channel);
  };
  const links = (...kinds: readonly Conversation['kind'][]) =>
    kinds.flatMap((kind) =>
      conversations.filter((each) => each.kind === kind).map((each) => linkTo(each, state)),
    );
  const roles = [...Map.groupBy(world?.users ?? [], ({ role }) => role)];
  return html`
    <div class="workspace-name">Patchbay sandbox</div>
    <div class="person">
      <span class="face">${world && avatar(me, false)}</span>
      <label for="person">You are</label>
      <select id="person" class="person-switcher" data-person=${world ? me : ''} value=${me} onChange=${choose}>
        ${roles.map(
          ([role, members]) => html`
            <optgroup label=${role}>
              ${members.map(({ name }) => html`<option value=${name} selected=${name === me}>${name}</option>`)}
            </optgroup>`,
        )}
      </select>
    </div>
    <nav aria-label="Channels">
      <h2>Channels</h2>
      <ul>${links('public', 'private')}</ul>
      <h2>Apps</h2>
      <ul>${links('im')}</ul>
    </nav>`;
}

function linkTo(conversation: Conversation, { me, channel: open, unread }: State) {
  const { id, kind, name, is_member } = conversation;
  const channel = routeName(conversation, me);
  const isApp = kind === 'im';
  const { count = 0, mentions = 0 } = (channel === open ? undefined : unread.get(channel)) ?? {};
  return html`
    <li key=${id}>
      <a
        href=${routeHash({ me, channel })}
        class=${is_member ? undefined : 'not-in'}
        title=${is_member ? undefined : 'You aren’t a member'}
        data-channel=${channel}
        data-channel-id=${isApp ? undefined : id}
        data-unread=${count > 0 ? '' : undefined}
        aria-current=${channel === open ? 'page' : undefined}
      >
        <span class="sign" aria-hidden="true">${isApp ? icon(ICONS.plug) : '#'}</span>
        <span class="channel-name">${isApp ? BOT_NAME : name}</span>
        <span class=${mentions > 0 ? 'unread-mark badge' : 'unread-mark'} hidden=${count === 0}>
          ${mentions > 0 && mentions}
          <span class="visually-hidden">${mentions > 0 ? ` for you, ${count} unread` : 'unread'}</span>
        </span>
      </a>
    </li>`;
}
