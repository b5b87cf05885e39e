/** Videos and files: a picture or an icon, with a link. Nothing is played or fetched here. */
/** @import { Block } from '../types.d.ts' */
import { h, icon } from '../dom/dom.js';
import { renderImageTag } from '../dom/image.js';
import { renderLink } from '../text/link.js';
import { renderPlainText } from '../text/text-object.js';

const PLAY = 'M7 5l8 5-8 5z';
const SHEET = 'M5 2.5h7l3 3v12H5zM12 2.5v3h3';

/** @param {Block} block */
export function renderVideo(block) {
  const { title, title_url, video_url = '', thumbnail_url = '', alt_text = '' } = block;
  const words = renderPlainText(title);
  const thumbnail = renderLink(video_url, '');
  const place = thumbnail instanceof HTMLElement ? thumbnail : h('span', {});
  place.classList.add('video-thumbnail');
  place.setAttribute('aria-label', `Play ${words}`);
  place.append(
    renderImageTag({ image_url: thumbnail_url, alt_text }),
    h('span', { class: 'video-play' }, icon(PLAY)),
  );
  const provider = [block.provider_name, block.author_name].filter((each) => each !== undefined).join(' · ');
  return h(
    'div',
    { class: 'video-block' },
    provider !== '' && h('div', { class: 'video-provider' }, provider),
    h('div', { class: 'video-title' }, title_url === undefined ? words : renderLink(title_url, words)),
    block.description && h('div', { class: 'video-about' }, renderPlainText(block.description)),
    place,
  );
}

/** A remote file; the block contains only its id. @param {Block} block */
export function renderFile({ external_id = '' }) {
  return h(
    'div',
    { class: 'file-block' },
    h('span', { class: 'file-mark' }, icon(SHEET)),
    h('span', {}, h('b', {}, external_id), h('small', {}, 'Remote file')),
  );
}
