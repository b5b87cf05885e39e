/**
 * Everything that people type, whatever way it comes: slash commands, mentions and direct messages go through one
 * parser and get one answer each. Nothing is stored: what is lost in a crash changed nothing.
 */
import type { RespondFn } from '@slack/bolt';
import { type Clock, later } from '../clock.ts';
import { spokenCommand, unwrap, withSubcommand } from '../commands/line/slack-text.ts';
import type { View } from '../views/model.ts';
import type { Dispatch } from './dispatch.ts';
import type { OpenForm } from './forms/forms-window.ts';
import { readCommand } from './payloads.ts';
import { createRecentNames } from './recent-names.ts';
import type { Replies, Teller } from './replies.ts';
import { consoleLinks } from './sharing/console-links.ts';
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
  readonly openForm: OpenForm;
  readonly identity: Pick<Identity, 'botUserId'>;
  readonly root: string;
  readonly clock: Clock;
  /** The setting FLEET_CONSOLE_URL; null or absent: links are words. */
  readonly consoleUrl?: string | null;
};

export function createConversation(options: ConversationOptions): Conversation {
  const { dispatch, replies, openForm, identity, root, clock, consoleUrl = null } = options;
  const deviceOf = consoleUrl === null ? () => null : consoleLinks(consoleUrl);
  // A second delivery of an event gets no second answer.
  const isFirst = createRecentNames();

  /** `opened` gives what is to be told, or null where a window shows it. */
  const answer = async (
    work: Promise<View>,
    teller: Teller,
    opened: (view: View) => Promise<View | null> = async (view) => view,
  ): Promise<void> => {
    const announced: Promise<void>[] = [];
    const timer = clock.at(later(clock.now(), teller.patienceMs), () => {
      announced.push(teller.wait());
    });
    const view = await work.finally(timer.cancel);
    const told = await opened(view);
    await Promise.all(announced);
    // What announced an answer must not stand alone.
    if (told !== null || announced.length > 0) await teller.tell(told ?? view);
  };

  return {
    async slash(subcommand, payload, respond) {
      const { caller, text, triggerId } = readCommand(payload);
      const work = dispatch.text(withSubcommand(subcommand, text), caller, `command:${triggerId}`);
      await answer(work, replies.toCommand(respond, caller), async (view) => {
        if (view.kind !== 'fill-in') return view;
        const { command, given } = view;
        const instead = await openForm({ kind: 'open', triggerId }, { command, given, caller });
        return instead?.kind === 'fill-in' ? view : instead;
      });
    },
    async spoken(payload) {
      const spoken = readSpoken(payload);
      if (spoken === null || spoken.caller.person === identity.botUserId || !isFirst(spoken.eventId)) return;
      const { caller, isDirect, text, eventId, saidAt } = spoken;
      const alone = unwrap(text).trim();
      const linked = isDirect && !alone.includes(' ') ? deviceOf(alone) : null;
      const command =
        linked === null
          ? spokenCommand(text, { botUserId: identity.botUserId, isDirect, root })
          : `device #${linked}`;
      const teller = isDirect ? replies.toDirectMessage(caller) : replies.toMention(caller);
      const work = dispatch.text(command, caller, `event:${eventId}`, saidAt ?? undefined);
      await answer(work, teller);
    },
  };
}
