/**
 * Everything that people type, whatever way it comes: slash commands, mentions and direct messages go through one
 * parser and get one answer each. Nothing is stored: what is lost in a crash changed nothing.
 */
import type { RespondFn } from '@slack/bolt';
import { type Clock, later, SECOND } from '../clock.ts';
import { spokenCommand, withSubcommand } from '../commands/slack-text.ts';
import type { View } from '../views/model.ts';
import type { Dispatch } from './dispatch.ts';
import { readCommand } from './payloads.ts';
import type { Replies, Teller } from './replies.ts';
import { readSpoken } from './spoken.ts';
import type { Identity } from './web.ts';

export type Conversation = {
  /** A slash command, with the subcommand that it stands for or null. It has been acknowledged. */
  readonly slash: (subcommand: string | null, payload: unknown, respond: RespondFn) => Promise<void>;
  /** A mention or a message; what is not a person's new message to the bot is passed over. */
  readonly spoken: (payload: unknown) => Promise<void>;
};

export type ConversationOptions = {
  readonly dispatch: Pick<Dispatch, 'text'>;
  readonly replies: Replies;
  readonly identity: Pick<Identity, 'botUserId'>;
  readonly root: string;
  readonly clock: Clock;
};

/** An answer that takes longer is announced. */
const PATIENCE_MS = SECOND;
/** Events that are remembered, so that a second delivery gets no second answer: more than can be under way. */
const REMEMBERED = 1_000;

export function createConversation(options: ConversationOptions): Conversation {
  const { dispatch, replies, identity, root, clock } = options;
  const isFirst = createMemory();

  const answer = async (work: Promise<View>, teller: Teller): Promise<void> => {
    const announced: Promise<void>[] = [];
    const timer = clock.at(later(clock.now(), PATIENCE_MS), () => {
      announced.push(teller.wait());
    });
    const view = await work.finally(timer.cancel);
    await Promise.all(announced);
    await teller.tell(view);
  };

  return {
    async slash(subcommand, payload, respond) {
      const { caller, text, triggerId } = readCommand(payload);
      const work = dispatch.text(withSubcommand(subcommand, text), caller, `command:${triggerId}`);
      await answer(work, replies.toCommand(respond, caller));
    },
    async spoken(payload) {
      const spoken = readSpoken(payload);
      if (spoken === null || spoken.caller.person === identity.botUserId || !isFirst(spoken.eventId)) return;
      const { caller, isDirect, text, eventId } = spoken;
      const command = spokenCommand(text, { botUserId: identity.botUserId, isDirect, root });
      const teller = isDirect ? replies.toDirectMessage(caller) : replies.toMention(caller);
      await answer(dispatch.text(command, caller, `event:${eventId}`), teller);
    },
  };
}

/** Tells whether a name is new, by the latest of them. */
function createMemory(): (name: string) => boolean {
  const names = new Set<string>();
  return (name) => {
    if (names.has(name)) return false;
    names.add(name);
    const [oldest] = names;
    if (names.size > REMEMBERED && oldest !== undefined) names.delete(oldest);
    return true;
  };
}
