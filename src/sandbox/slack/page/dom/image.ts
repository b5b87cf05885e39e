/** Images. The sandbox works offline and contacts nobody, so only its own images are loaded. */
import { api } from '../state/api.ts';
import { h } from './dom.ts';

type Picture = {
  readonly image_url?: string;
  readonly slack_file?: { readonly id?: string; readonly url?: string };
  readonly alt_text?: string;
};

/** `me`: the person who sees it, for a picture that may be a file of the workspace. */
export function renderImageTag({ image_url = '', slack_file, alt_text = '' }: Picture, me = '') {
  const file = slack_file?.id ?? FILE_ADDRESS.exec(slack_file?.url ?? '')?.[1];
  if (file !== undefined) return h('img', { src: api.fileAddress(me, file), alt: alt_text, loading: 'lazy' });
  if (isOwn(image_url)) return h('img', { src: image_url, alt: alt_text, loading: 'lazy' });
  return h('span', { class: 'no-picture', role: 'img', 'aria-label': alt_text, title: image_url }, alt_text);
}

/** A private address or a permalink (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object). */
const FILE_ADDRESS = /\/(?:files-pri\/\w+-|files\/\w+\/)(F\w+)\//;

/** A picture of the size of a letter, which says nothing that is not beside it. */
export const smallPicture = (image_url: string | undefined) =>
  image_url !== undefined &&
  h('span', { class: 'small-picture', 'aria-hidden': 'true' }, renderImageTag({ image_url }));

function isOwn(address: string) {
  if (address === '' || !URL.canParse(address, location.href)) return false;
  const { protocol, hostname } = new URL(address, location.href);
  return protocol === 'data:' || hostname === '127.0.0.1' || hostname === 'localhost';
}
