/** The sides of the app: its Home as it was published for this person, and what it can do. Messages are the pane's own. */
/** @import { State, View } from './types.d.ts' */
/** @import { Acting } from './acting.js' */
/** @import { Store } from './store.js' */
import { drawBlocks } from './blocks/index.js';
import { carryOver } from './carry-over.js';
import { byId, h } from './dom.js';
import { BOT_NAME } from './names.js';
import { isAppChannel } from './places.js';
import { routeHash } from './route.js';

/** @type {readonly (readonly [import('./types.d.ts').Tab, string])[]} */
const TABS = [
  ['home', 'Home'],
  ['messages', 'Messages'],
  ['about', 'About'],
];

/** @param {{store: Store, acting: Acting}} parts */
export function createAppPane({ store, acting }) {
  const tabs = byId('tabs');
  const home = byId('home');
  const about = byId('about');
  let drawn = '';
  /** Why the app has no Home at all. @type {string | null} */
  let refusal = null;

  /** @param {'home' | 'messages'} tab */
  const come = async (tab) => {
    const answer = await acting.openApp(tab);
    if (tab !== 'home') return;
    refusal = answer.ok ? null : (answer.error ?? 'unknown_error');
    drawHome(store.get());
  };

  const drawHome = (/** @type {State} */ state) => {
    const hash = JSON.stringify([state.me, state.home?.id, state.home?.blocks, refusal]);
    if (hash === drawn) return;
    drawn = hash;
    const before = home.firstElementChild;
    const node = state.home ? viewNode(state.home, acting) : nothing(refusal);
    if (before) carryOver(before, node, () => before.replaceWith(node));
    else home.append(node);
  };
  store.subscribe((state, before) => {
    const isApp = isAppChannel(state.channel);
    tabs.hidden = !isApp;
    home.hidden = !isApp || state.tab !== 'home';
    about.hidden = !isApp || state.tab !== 'about';
    if (!isApp) return;
    const isOther = state.me !== before.me || state.channel !== before.channel || state.tab !== before.tab;
    if (isOther) drawTabs(tabs, state);
    if (state.tab === 'home') drawHome(state);
    if (isOther && state.tab !== 'about') void come(state.tab);
    if (state.commands !== before.commands || state.shortcuts !== before.shortcuts || isOther) {
      about.replaceChildren(...aboutNodes(state));
    }
  });
}

/** @param {HTMLElement} tabs @param {State} state */
function drawTabs(tabs, { me, channel, tab: open }) {
  const focused = document.activeElement?.getAttribute('data-tab');
  tabs.replaceChildren(
    ...TABS.map(([tab, label]) =>
      h(
        'a',
        {
          href: routeHash({ me, channel, tab }),
          class: 'tab',
          'data-tab': tab,
          'aria-current': tab === open ? 'page' : null,
        },
        label,
      ),
    ),
  );
  const again = focused ? tabs.querySelector(`[data-tab="${focused}"]`) : null;
  if (again instanceof HTMLElement) again.focus();
}

/** @param {View} view @param {Acting} acting */
const viewNode = (view, acting) =>
  h(
    'div',
    { class: 'home-blocks', 'data-home': view.id },
    ...drawBlocks(view.blocks ?? [], acting.viewSurface(view)),
  );

/** @param {string | null} refusal */
function nothingInWords(refusal) {
  if (refusal === null) return `${BOT_NAME} hasn’t published a Home tab for you.`;
  if (refusal === 'home_tab_disabled') return `${BOT_NAME}’s manifest turns the Home tab off.`;
  return `Couldn’t open the Home tab: ${refusal}`;
}

/** @param {string | null} refusal */
const nothing = (refusal) =>
  h('div', { class: 'home-blocks', 'data-home': '' }, h('p', { class: 'empty' }, nothingInWords(refusal)));

/** @param {State} state */
function aboutNodes({ commands, shortcuts }) {
  const rows = [
    ...commands.map(({ command, usageHint, description }) => ({
      name: command,
      words: [description, usageHint],
    })),
    ...shortcuts.map(({ name, type, description = '' }) => ({
      name,
      words: [
        description,
        type === 'global'
          ? 'Global shortcut, in the shortcuts menu'
          : 'Message shortcut, in a message’s menu',
      ],
    })),
  ];
  return [
    h('h2', {}, `About ${BOT_NAME}`),
    h('p', {}, 'An app in this workspace. Its manifest lists:'),
    h(
      'dl',
      {},
      ...rows.flatMap(({ name, words }) => [
        h('dt', {}, name),
        ...words.filter((each) => each !== '').map((each) => h('dd', {}, each)),
      ]),
    ),
  ];
}
