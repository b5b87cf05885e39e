/** The left side: who one is, the channels, the app. */
/** @import { Person, State, World } from './types.d.ts' */
/** @import { Store } from './store.js' */
import { h, ICONS, icon } from './dom.js';
import { avatar } from './messages/avatar.js';
import { BOT_NAME } from './names.js';
import { routeHash } from './route.js';

/**
 * @param {HTMLElement} root
 * @param {{store: Store, go: (me: string, channel: string) => void}} options
 */
export function createSidebar(root, { store, go }) {
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
    const { world, me } = state;
    if (!world) return;
    if (!hasSameTown(world, before.world) || me !== before.me) {
      drawSwitcher(switcher, world.users, me);
      face.replaceChildren(avatar(me, false));
      channels.replaceChildren(...world.channels.map(({ id, name }) => channelLink(me, name, name, id)));
      apps.replaceChildren(channelLink(me, `@${me}`, BOT_NAME, null));
    }
    markLinks(root, state);
  });
}

/**
 * @param {World} world
 * @param {World | null} before
 */
const hasSameTown = (world, before) =>
  JSON.stringify([world.users, world.channels]) === JSON.stringify([before?.users, before?.channels]);

/**
 * @param {HTMLSelectElement} switcher
 * @param {readonly Person[]} people
 * @param {string} me
 */
function drawSwitcher(switcher, people, me) {
  const groups = [...Map.groupBy(people, ({ role }) => role)].map(([role, members]) =>
    h('optgroup', { label: role }, ...members.map(({ name }) => h('option', { value: name }, name))),
  );
  switcher.replaceChildren(...groups);
  switcher.value = me;
  switcher.setAttribute('data-person', me);
}

/**
 * @param {string} me
 * @param {string} channel
 * @param {string} label
 * @param {string | null} id
 */
function channelLink(me, channel, label, id) {
  const sign = id === null ? icon(ICONS.plug) : '#';
  return h(
    'li',
    {},
    h(
      'a',
      { href: routeHash({ me, channel }), 'data-channel': channel, 'data-channel-id': id },
      h('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
      h('span', { class: 'channel-name' }, label),
      h('span', { class: 'unread-mark', hidden: true }, h('span', { class: 'visually-hidden' }, 'unread')),
    ),
  );
}

/**
 * In place, so that the link with the focus keeps it.
 * @param {HTMLElement} root
 * @param {State} state
 */
function markLinks(root, { channel, unread }) {
  for (const link of root.querySelectorAll('[data-channel]')) {
    const name = link.getAttribute('data-channel') ?? '';
    const isUnread = unread.has(name) && name !== channel;
    link.toggleAttribute('data-unread', isUnread);
    link.querySelector('.unread-mark')?.toggleAttribute('hidden', !isUnread);
    if (name === channel) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}
