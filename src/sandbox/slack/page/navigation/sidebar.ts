/** The sidebar: the person, channels, direct messages, the app. */

import { h, ICONS, icon } from '../dom/dom.ts';
import { avatar } from '../messages/message.ts';
import { BOT_NAME, type PageStore } from '../state/store.ts';
import type { Conversation, Person, SandboxState, State } from '../types.ts';
import { routeHash, routeName } from './route.ts';

type SidebarOptions = {
  readonly store: PageStore;
  readonly go: (me: string, channel: string) => void;
};

export function createSidebar(root: HTMLElement, { store, go }: SidebarOptions) {
  const face = h('span', { class: 'face' });
  const switcher = h('select', { id: 'person', class: 'person-switcher', 'data-person': '' });
  const channels = h('ul', {});
  const apps = h('ul', {});
  root.append(
    h('div', { class: 'workspace-name' }, 'Patchbay sandbox'),
    h('div', { class: 'person' }, face, h('label', { for: 'person' }, 'You are'), switcher),
    h('nav', { 'aria-label': 'Channels' }, h('h2', {}, 'Channels'), channels, h('h2', {}, 'Apps'), apps),
  );
  switcher.addEventListener('change', () => {
    const { channel } = store.get();
    go(switcher.value, channel.startsWith('@') ? `@${switcher.value}` : channel);
  });
  store.subscribe((state, before) => {
    const { world, me, conversations } = state;
    if (!world) return;
    const isOther = me !== before.me;
    if (isOther || world.users !== before.world?.users) drawSwitcher(switcher, world, before.world, me);
    if (isOther || !before.world) face.replaceChildren(avatar(me, false));
    if (isOther || hashOf(conversations) !== hashOf(before.conversations) || !before.world) {
      const of = (kind: string) => conversations.filter((each) => each.kind === kind);
      channels.replaceChildren(...[...of('public'), ...of('private')].map((each) => linkTo(each, me)));
      apps.replaceChildren(...of('im').map((each) => linkTo(each, me)));
    }
    markLinks(root, state);
  });
}

const hashOf = (conversations: readonly Conversation[]) =>
  JSON.stringify(conversations.map(({ id, is_member }) => [id, is_member]));

function drawSwitcher(
  switcher: HTMLSelectElement,
  { users }: SandboxState,
  before: SandboxState | null,
  me: string,
) {
  if (JSON.stringify(users) !== JSON.stringify(before?.users) || switcher.options.length === 0)
    switcher.replaceChildren(...roleGroups(users));
  switcher.value = me;
  switcher.setAttribute('data-person', me);
}

const roleGroups = (people: readonly Person[]) =>
  [...Map.groupBy(people, ({ role }) => role)].map(([role, members]) =>
    h('optgroup', { label: role }, ...members.map(({ name }) => h('option', { value: name }, name))),
  );

function linkTo(conversation: Conversation, me: string) {
  const { id, kind, name, is_member } = conversation;
  const channel = routeName(conversation, me);
  const isApp = kind === 'im';
  return h(
    'li',
    {},
    h(
      'a',
      {
        href: routeHash({ me, channel }),
        class: is_member ? null : 'not-in',
        title: is_member ? null : 'You aren’t a member',
        'data-channel': channel,
        'data-channel-id': isApp ? null : id,
      },
      h('span', { class: 'sign', 'aria-hidden': 'true' }, isApp ? icon(ICONS.plug) : '#'),
      h('span', { class: 'channel-name' }, isApp ? BOT_NAME : name),
      h('span', { class: 'unread-mark', hidden: true }),
    ),
  );
}

/** Updates links in place, so that the focused link keeps its focus. */
function markLinks(root: HTMLElement, { channel, unread }: State) {
  for (const link of root.querySelectorAll('[data-channel]')) {
    const name = link.getAttribute('data-channel') ?? '';
    const { count, mentions } = (name === channel ? undefined : unread.get(name)) ?? {
      count: 0,
      mentions: 0,
    };
    link.toggleAttribute('data-unread', count > 0);
    const mark = link.querySelector('.unread-mark');
    mark?.toggleAttribute('hidden', count === 0);
    mark?.classList.toggle('badge', mentions > 0);
    mark?.replaceChildren(...unreadText(count, mentions));
    if (name === channel) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

const unreadText = (count: number, mentions: number) =>
  mentions > 0
    ? [String(mentions), h('span', { class: 'visually-hidden' }, ` for you, ${count} unread`)]
    : [h('span', { class: 'visually-hidden' }, 'unread')];
