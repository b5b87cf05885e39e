/** Videos and files: a picture or an icon, with a link. Nothing is played or fetched here. */

import { h, icon } from '../dom/dom.ts';
import { renderImageTag, smallPicture } from '../dom/image.ts';
import { renderLink } from '../text/link.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Block } from '../types.ts';

const PLAY = 'M7 5l8 5-8 5z';
const SHEET = 'M5 2.5h7l3 3v12H5zM12 2.5v3h3';

export function renderVideo(block: Block) {
  const { title, title_url, video_url = '', thumbnail_url = '', alt_text = '' } = block;
  const words = renderPlainText(title);
  const thumbnail = renderLink(video_url, '');
  const place = thumbnail instanceof HTMLElement ? thumbnail : h('span', {});
  place.classList.add('video-thumbnail');
  place.setAttribute('aria-label', `Play ${words}`);
  const picture = renderImageTag({ image_url: thumbnail_url, alt_text });
  // “A tooltip for the video” (docs.slack.dev/reference/block-kit/blocks/video-block).
  picture.title = alt_text;
  place.append(picture, h('span', { class: 'video-play' }, icon(PLAY)));
  const provider = [block.provider_name, block.author_name].filter((each) => each !== undefined).join(' · ');
  return h(
    'div',
    { class: 'video-block' },
    provider !== '' && h('div', { class: 'video-provider' }, smallPicture(block.provider_icon_url), provider),
    h('div', { class: 'video-title' }, title_url === undefined ? words : renderLink(title_url, words)),
    block.description && h('div', { class: 'video-about' }, renderPlainText(block.description)),
    place,
  );
}

/** A remote file; the block contains only its id. */
export function renderFile({ external_id = '' }: Block) {
  return h(
    'div',
    { class: 'file-block' },
    h('span', { class: 'file-mark' }, icon(SHEET)),
    h('span', {}, h('b', {}, external_id), h('small', {}, 'Remote file')),
  );
}
