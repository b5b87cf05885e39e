/** The sidebar: the person, channels, direct messages, the app. */
/** @import { Conversation, Person, State, SandboxState } from '../types.d.ts' */
/** @import { PageStore } from '../state/store.js' */
import { h, ICONS, icon } from '../dom/dom.js';
import { avatar } from '../messages/attachments.js';
import { BOT_NAME } from '../state/names.js';
import { peopleIn, routeName } from './conversation-names.js';
import { routeHash } from './route.js';

/**
 * @param {HTMLElement} root
 * @param {{store: PageStore, go: (me: string, channel: string) => void, find: () => void, startGroup: () => void}} options
 */
export function createSidebar(root, { store, go, find, startGroup }) {
  const face = h('span', { class: 'face' });
  const switcher = h('select', { id: 'person', class: 'person-switcher', 'data-person': '' });
  const channels = h('ul', {});
  const directs = h('ul', {});
  const apps = h('ul', {});
  const findButton = h(
    'button',
    { type: 'button', class: 'find', 'data-find': '', click: find },
    icon(ICONS.find),
    'Go to…',
    h('kbd', {}, 'Ctrl K'),
  );
  const group = h(
    'button',
    { type: 'button', class: 'side-button', 'data-start-group': '', click: startGroup },
    icon(ICONS.plus),
    'New group message',
  );
  root.append(
    h('div', { class: 'workspace-name' }, 'Patchbay sandbox'),
    h('div', { class: 'person' }, face, h('label', { for: 'person' }, 'You are'), switcher),
    findButton,
    h(
      'nav',
      { 'aria-label': 'Channels' },
      ...[
        h('h2', {}, 'Channels'),
        channels,
        h('h2', {}, 'Direct messages'),
        directs,
        group,
        h('h2', {}, 'Apps'),
        apps,
      ],
    ),
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
      const of = (/** @type {string} */ kind) => conversations.filter((each) => each.kind === kind);
      channels.replaceChildren(...[...of('public'), ...of('private')].map((each) => linkTo(each, me, world)));
      directs.replaceChildren(...of('mpim').map((each) => linkTo(each, me, world)));
      apps.replaceChildren(...of('im').map((each) => linkTo(each, me, world)));
    }
    markLinks(root, state);
  });
}

/** @param {readonly Conversation[]} conversations */
const hashOf = (conversations) => JSON.stringify(conversations.map(({ id, is_member }) => [id, is_member]));

/**
 * @param {HTMLSelectElement} switcher
 * @param {SandboxState} world
 * @param {SandboxState | null} before
 * @param {string} me
 */
function drawSwitcher(switcher, { users }, before, me) {
  if (JSON.stringify(users) !== JSON.stringify(before?.users) || switcher.options.length === 0)
    switcher.replaceChildren(...roleGroups(users));
  switcher.value = me;
  switcher.setAttribute('data-person', me);
}

/** @param {readonly Person[]} people */
const roleGroups = (people) =>
  [...Map.groupBy(people, ({ role }) => role)].map(([role, members]) =>
    h('optgroup', { label: role }, ...members.map(({ name }) => h('option', { value: name }, name))),
  );

/** @param {Conversation} conversation @param {string} me @param {SandboxState} world */
function linkTo(conversation, me, world) {
  const { id, kind, name, is_member } = conversation;
  const channel = routeName(conversation, me);
  const signs = { im: icon(ICONS.plug), mpim: String(conversation.people.length + 1) };
  const labels = { im: BOT_NAME, mpim: peopleIn(conversation, world) };
  const known = kind === 'im' || kind === 'mpim' ? kind : null;
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
        'data-channel-id': kind === 'im' ? null : id,
      },
      h('span', { class: 'sign', 'aria-hidden': 'true' }, known ? signs[known] : '#'),
      h('span', { class: 'channel-name' }, known ? labels[known] : name),
      h('span', { class: 'unread-mark', hidden: true }),
    ),
  );
}

/**
 * Updates links in place, so that the focused link keeps its focus.
 * @param {HTMLElement} root
 * @param {State} state
 */
function markLinks(root, { channel, unread }) {
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

/** @param {number} count @param {number} mentions */
const unreadText = (count, mentions) =>
  mentions > 0
    ? [String(mentions), h('span', { class: 'visually-hidden' }, ` for you, ${count} unread`)]
    : [h('span', { class: 'visually-hidden' }, 'unread')];
