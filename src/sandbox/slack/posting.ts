/** Putting messages into the workspace. */
import { type Content, wholeContent } from './content.ts';
import type { Core } from './core.ts';
import type { Message } from './state/timeline.ts';

export type Post = {
  readonly channel: string;
  readonly content: Content;
  readonly threadTs?: string | undefined;
  readonly broadcast?: boolean;
  readonly onlyFor?: string | null;
};

/** Adds a message of the bot. */
export function postAsBot(core: Core, { channel, content, threadTs, broadcast, onlyFor }: Post): Message {
  const message: Message = {
    ...wholeContent(content),
    ts: core.ids.ts(),
    channel,
    user: core.app.botUser,
    bot: true,
    threadTs: threadTs ?? null,
    broadcast: broadcast ?? false,
    edited: null,
    onlyFor: onlyFor ?? null,
  };
  core.timeline.add(message);
  core.changed();
  return message;
}

/** Changes what a message of the bot says. */
export function editAsBot(core: Core, message: Message, content: Content): Message {
  const edited = { user: core.app.botUser, ts: core.ids.ts() };
  const changed = core.timeline.change(message, { ...content, edited });
  core.changed();
  return changed;
}

export function removeMessage(core: Core, message: Message): void {
  core.timeline.remove(message);
  core.changed();
}
