/**
 * What a message of a card becomes where it does not show the card. A duplicate links to it, without its key, so that no
 * search takes it for the card.
 */
import { section } from '../kit/blocks.ts';
import { md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';

/** A button was pressed on an old copy of a card; `link` leads to the card. */
export type CardMovedView = { readonly kind: 'card-moved'; readonly link: string | null };

export type MovedMessage = RenderedMessage & {
  readonly metadata: {
    readonly event_type: 'patchbay_moved';
    readonly event_payload: { readonly state: 'moved' };
  };
};

/** `url`: of the message that shows the card; null where Slack does not say. */
export function renderMovedCopy(url: string | null): MovedMessage {
  const text = md`This message moved. ${linkTo(url, md`Open the current message`)}`;
  return {
    ...buildMessage({ text: md`This message moved.`, body: [section(text)] }),
    metadata: { event_type: 'patchbay_moved', event_payload: { state: 'moved' } },
  };
}

/** The card of a request where another organization reads it: nothing of the request, and a link to our Home. */
export function renderSharedCard(isWaiting: boolean, url: string | null): RenderedMessage {
  const what = isWaiting ? md`${trustedMrkdwn(SIGN.waiting)} A request waits.` : md`A request changed.`;
  const text = md`${what} ${linkTo(url, md`Open it in Patchbay’s Home`)}`;
  return buildMessage({ text: what, body: [section(text)] });
}

/** The answer to a press on an old copy of a card. */
export function renderCopyPressed({ link }: CardMovedView): RenderedMessage {
  const text = md`This is an old copy. Your click did nothing. ${linkTo(link, md`Open the current message`)}`;
  return buildMessage({
    text: md`This is an old copy. Your click did nothing.`,
    body: [section(text)],
  });
}
