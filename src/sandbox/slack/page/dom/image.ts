/** Images. The sandbox works offline and contacts nobody, so only its own images are loaded. */
import { h } from './dom.ts';

export function renderImageTag({ image_url = '', alt_text = '' }: { image_url?: string; alt_text?: string }) {
  if (isOwn(image_url)) return h('img', { src: image_url, alt: alt_text, loading: 'lazy' });
  return h('span', { class: 'no-picture', role: 'img', 'aria-label': alt_text, title: image_url }, alt_text);
}

/** A picture of the size of a letter, which says nothing that is not beside it. */
export const smallPicture = (image_url: string | undefined) =>
  image_url !== undefined &&
  h('span', { class: 'small-picture', 'aria-hidden': 'true' }, renderImageTag({ image_url }));

function isOwn(address: string) {
  if (address === '' || !URL.canParse(address, location.href)) return false;
  const { protocol, hostname } = new URL(address, location.href);
  return protocol === 'data:' || hostname === '127.0.0.1' || hostname === 'localhost';
}
