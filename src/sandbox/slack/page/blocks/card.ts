/** Cards, alone or in a row that scrolls sideways. */

import { h, ICONS, icon } from '../dom/dom.ts';
import { renderImageTag } from '../dom/image.ts';
import { renderElement } from '../elements/index.ts';
import { slackIcon } from '../emoji/slack-icon.ts';
import { renderText } from '../text/text-object.ts';
import type { Block, Element, RenderContext } from '../types.ts';
import { actionSlot } from './layout.ts';

export function renderCard(block: Block, surface: RenderContext) {
  const { hero_image, icon: small, slack_icon, title, subtitle, body, subtext, actions = [] } = block;
  const mark = small ? renderImageTag(small, surface.me) : slack_icon && slackIcon(slack_icon.name);
  const words = (kind: string, text: Block['title']) =>
    text && h('div', { class: `card-${kind}` }, renderText(text, surface));
  const hasHead = mark || title || subtitle;
  return h(
    'div',
    { class: 'card', role: 'group' },
    hero_image && h('div', { class: 'card-hero' }, renderImageTag(hero_image, surface.me)),
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
        ...inCardOrder(actions).map((each) => renderElement(each, actionSlot(block), surface)),
      ),
  );
}

/** Danger on the left, primary furthest to the right (docs.slack.dev/reference/block-kit/blocks/card-block). */
const inCardOrder = (buttons: readonly Element[]) => {
  const place = ({ style }: Element) => (style === 'danger' ? 0 : style === 'primary' ? 2 : 1);
  return buttons.toSorted((one, other) => place(one) - place(other));
};

export function renderCarousel(block: Block, surface: RenderContext) {
  // The elements of a carousel are cards; those of other blocks are elements.
  const cards = (block.elements ?? []) as readonly Block[];
  const track = h('div', { class: 'carousel-track', tabindex: 0, role: 'region', 'aria-label': 'Cards' });
  track.append(...cards.map((each) => renderCard({ block_id: block.block_id ?? '', ...each }, surface)));
  const step = (words: string, way: number, drawing: string) =>
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
