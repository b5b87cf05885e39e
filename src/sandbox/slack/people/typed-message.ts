/** Adds a message that a person typed. */
import type { WorkspaceCore } from '../core/core.ts';
import { withDefaultContent } from '../messages/content.ts';
import { toRichText } from '../messages/typed-text.ts';
import { withEmojiNames } from '../objects/emoji-names.ts';
import type { Message } from '../state/timeline.ts';

type Typed = Pick<Message, 'user' | 'channel' | 'text'> & Partial<Pick<Message, 'threadTs' | 'broadcast'>>;

export function postAsPerson(core: WorkspaceCore, typed: Typed): Message {
  const message: Message = {
    ...withDefaultContent({ blocks: [toRichText(withEmojiNames(typed.text), core.ids.next('b'))] }),
    ts: core.ids.ts(),
    bot: false,
    threadTs: null,
    broadcast: false,
    edited: null,
    onlyFor: null,
    clientMsgId: core.ids.uuid(),
    ...typed,
  };
  core.timeline.add(message);
  core.changed();
  return message;
}
