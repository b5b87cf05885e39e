/** Cards, alone or in a row that scrolls sideways. */
/** @import { Block, RenderContext } from '../types.d.ts' */
import { h, ICONS, icon } from '../dom/dom.js';
import { renderImageTag } from '../dom/image.js';
import { renderElement } from '../elements/index.js';
import { slackIcon } from '../emoji/slack-icon.js';
import { renderText } from '../text/text-object.js';
import { actionSlot } from './layout.js';

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderCard(block, surface) {
  const { hero_image, icon: small, slack_icon, title, subtitle, body, subtext, actions = [] } = block;
  const mark = small ? renderImageTag(small) : slack_icon && slackIcon(slack_icon.name);
  const words = (/** @type {string} */ kind, /** @type {Block['title']} */ text) =>
    text && h('div', { class: `card-${kind}` }, renderText(text, surface));
  const hasHead = mark || title || subtitle;
  return h(
    'div',
    { class: 'card', role: 'group' },
    hero_image && h('div', { class: 'card-hero' }, renderImageTag(hero_image)),
    hasHead &&
      h(
        'div',
        { class: 'card-head' },
        mark && h('div', { class: 'card-icon' }, mark),
        h('div', { class: 'card-heading' }, words('title', title), words('subtitle', subtitle)),
      ),
    words('body', body),
    words('subtext', subtext),
    actions.length > 0 &&
      h(
        'div',
        { class: 'actions' },
        ...actions.map((each) => renderElement(each, actionSlot(block), surface)),
      ),
  );
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderCarousel(block, surface) {
  // The elements of a carousel are cards; those of other blocks are elements.
  const cards = /** @type {readonly Block[]} */ (block.elements ?? []);
  const track = h('div', { class: 'carousel-track', tabindex: 0, role: 'region', 'aria-label': 'Cards' });
  track.append(...cards.map((each) => renderCard({ block_id: block.block_id ?? '', ...each }, surface)));
  const step = (/** @type {string} */ words, /** @type {number} */ way, /** @type {string} */ drawing) =>
    h(
      'button',
      {
        type: 'button',
        class: `carousel-step step-${way < 0 ? 'back' : 'on'}`,
        'aria-label': words,
        click: () => track.scrollBy({ left: way * track.clientWidth * 0.8, behavior: 'smooth' }),
      },
      icon(drawing),
    );
  const back = step('Previous cards', -1, ICONS.left);
  const on = step('Next cards', 1, ICONS.right);
  const mark = () => {
    back.hidden = track.scrollLeft < 2;
    on.hidden = track.scrollLeft + track.clientWidth > track.scrollWidth - 2;
  };
  track.addEventListener('scroll', mark, { passive: true });
  new ResizeObserver(mark).observe(track);
  return h('div', { class: 'carousel' }, back, track, on);
}
