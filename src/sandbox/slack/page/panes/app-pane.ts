/** Tabs of the app: its Home as published for this person, and About. The Messages tab is the channel pane's. */

import type { Actions } from '../actions.ts';
import { renderBlocks } from '../blocks/blocks.ts';
import { elementById, h } from '../dom/dom.ts';
import { replaceKeeping } from '../dom/keyed-list.ts';
import { isAppChannel, routeHash } from '../navigation/route.ts';
import { BOT_NAME, type PageStore } from '../state/store.ts';
import type { SlackView, State, Tab } from '../types.ts';

const TABS: readonly (readonly [Tab, string])[] = [
  ['home', 'Home'],
  ['messages', 'Messages'],
  ['about', 'About'],
];

export function createAppPane({ store, actions }: { store: PageStore; actions: Actions }) {
  const tabs = elementById('tabs');
  const home = elementById('home');
  const about = elementById('about');
  let drawn = '';
  /** Why the app has no Home. */
  let refusal: string | null = null;

  const come = async (tab: 'home' | 'messages') => {
    const answer = await actions.openApp(tab);
    if (tab !== 'home') return;
    refusal = answer.ok ? null : (answer.error ?? 'unknown_error');
    drawHome(store.get());
  };

  const drawHome = (state: State) => {
    const hash = JSON.stringify([state.me, state.home?.id, state.home?.blocks, refusal]);
    if (hash === drawn) return;
    drawn = hash;
    const before = home.firstElementChild;
    const node = state.home ? viewNode(state.home, actions) : emptyHome(refusal);
    if (before) replaceKeeping(before, node);
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

function drawTabs(tabs: HTMLElement, { me, channel, tab: open }: State) {
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

const viewNode = (view: SlackView, actions: Actions) =>
  h(
    'div',
    { class: 'home-blocks', 'data-home': view.id },
    ...renderBlocks(view.blocks ?? [], actions.viewSurface(view)),
  );

function emptyHomeText(refusal: string | null) {
  if (refusal === null) return `${BOT_NAME} hasn’t published a Home tab for you.`;
  if (refusal === 'home_tab_disabled') return `${BOT_NAME}’s manifest turns the Home tab off.`;
  return `Couldn’t open the Home tab: ${refusal}`;
}

const emptyHome = (refusal: string | null) =>
  h('div', { class: 'home-blocks', 'data-home': '' }, h('p', { class: 'empty' }, emptyHomeText(refusal)));

function aboutNodes({ commands, shortcuts }: State) {
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
