/**
 * Everything that people type: slash commands, mentions and direct messages share one parser, and each gets one answer.
 * Nothing is stored: a line lost in a crash changed nothing.
 */
import type { RespondFn } from '@slack/bolt';
import { mentionedCommand, unwrapSlackText, withSubcommand } from '../../commands/parser/slack-text.ts';
import { type Clock, later } from '../../lib/clock.ts';
import type { View } from '../../views/model.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { readMessageEvent } from '../receiver/message-events.ts';
import { readSlashCommand } from '../receiver/payloads.ts';
import type { DelayedReply, PrivateReplies } from '../replies/private-replies.ts';
import { consoleLinks } from '../sharing/unfurl-links.ts';
import type { Identity } from '../web-api/slack-web.ts';
import { createSeenKeys } from './seen-keys.ts';

export type TextCommands = {
  /** A slash command, with the subcommand that it stands for, or null. Already acknowledged. */
  readonly onSlashCommand: (
    subcommand: string | null,
    payload: unknown,
    respond: RespondFn,
    /** How long ago it was sent; 0 where Slack does not say. */
    ageMs?: number,
  ) => Promise<void>;
  /** A mention or a message; anything but a person's new message to the bot is ignored. */
  readonly onMessage: (payload: unknown) => Promise<void>;
};

export type TextCommandsOptions = {
  readonly dispatch: Pick<Dispatch, 'runText'>;
  readonly replies: PrivateReplies;
  readonly openForm: OpenForm;
  readonly identity: Pick<Identity, 'botUserId'>;
  readonly root: string;
  readonly clock: Clock;
  /** `FLEET_CONSOLE_URL`; null or absent: links are treated as words. */
  readonly consoleUrl?: string | null;
};

export function createTextCommands(options: TextCommandsOptions): TextCommands {
  const { dispatch, replies, openForm, identity, root, clock, consoleUrl = null } = options;
  const deviceOf = consoleUrl === null ? () => null : consoleLinks(consoleUrl);
  // A repeated delivery of an event gets no second answer.
  const isFirst = createSeenKeys();

  /** `opened` returns the answer, or null where a window shows it. */
  const answer = async (
    work: Promise<View>,
    delayedReply: DelayedReply,
    opened: (view: View) => Promise<View | null> = async (view) => view,
  ): Promise<void> => {
    const announced: Promise<void>[] = [];
    const timer = clock.at(later(clock.now(), delayedReply.delayNoticeAfterMs), () => {
      announced.push(delayedReply.sendDelayNotice());
    });
    const view = await work.finally(timer.cancel);
    const answerView = await opened(view);
    await Promise.all(announced);
    // An announcement needs its answer.
    if (answerView !== null || announced.length > 0) await delayedReply.sendAnswer(answerView ?? view);
  };

  return {
    async onSlashCommand(subcommand, payload, respond, ageMs = 0) {
      const { caller, text, triggerId } = readSlashCommand(payload);
      const line = withSubcommand(subcommand, text);
      const sentAt = later(clock.now(), -ageMs);
      const work = dispatch.runText(line, caller, `command:${triggerId}`, sentAt);
      await answer(work, replies.toCommand(respond, caller), async (view) => {
        if (view.kind !== 'fill-in') return view;
        const { command, prefill } = view;
        const instead = await openForm({ kind: 'open', triggerId }, { command, prefill, caller });
        return instead?.kind === 'fill-in' ? view : instead;
      });
    },
    async onMessage(payload) {
      const event = readMessageEvent(payload);
      if (event === null || event.caller.person === identity.botUserId || !isFirst(event.eventId)) return;
      const { caller, isDirect, text, eventId, sentAt } = event;
      const alone = unwrapSlackText(text).trim();
      const linked = isDirect && !alone.includes(' ') ? deviceOf(alone) : null;
      const command =
        linked === null
          ? mentionedCommand(text, { botUserId: identity.botUserId, isDirect, root })
          : `device #${linked}`;
      const delayedReply = isDirect ? replies.toDirectMessage(caller) : replies.toMention(caller);
      const work = dispatch.runText(command, caller, `event:${eventId}`, sentAt ?? undefined);
      await answer(work, delayedReply);
    },
  };
}
