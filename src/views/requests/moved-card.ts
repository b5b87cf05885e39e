/** What a duplicate message of a card becomes: a link to the card. It has no card key, so that no search takes it for the card. */
import { section } from '../kit/blocks.ts';
import { md } from '../kit/escape.ts';
import { linkTo } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
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

/** The answer to a press on an old copy of a card. */
export function renderCopyPressed({ link }: CardMovedView): RenderedMessage {
  const text = md`This is an old copy. Your click did nothing. ${linkTo(link, md`Open the current message`)}`;
  return buildMessage({
    text: md`This is an old copy. Your click did nothing.`,
    body: [section(text)],
  });
}
