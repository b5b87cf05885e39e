/**
 * Everything that people type: slash commands, mentions and direct messages share one parser, and each gets one answer.
 * Nothing is stored: a line lost in a crash changed nothing.
 */
import type { RespondFn } from '@slack/bolt';
import { z } from 'zod';
import { mentionedCommand, unwrapSlackText, withSubcommand } from '../../commands/parser/slack-text.ts';
import { type Clock, type Instant, instant, later, SECOND } from '../../lib/clock.ts';
import { channelId, messageTs, personId } from '../../lib/ids.ts';
import { createSeenKeys } from '../../lib/lists.ts';
import type { View } from '../../views/views.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import type { OpenForm } from '../forms/open-form.ts';
import { readSlashCommand } from '../receiver/payloads.ts';
import type { CommandSource, DelayedReply, PrivateReplies } from '../replies/private-replies.ts';
import { consoleLinks } from '../sharing/unfurl-links.ts';
import type { Identity } from '../web-api/slack-web.ts';

export type TextCommands = Readonly<ReturnType<typeof createTextCommands>>;

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

export function createTextCommands(options: TextCommandsOptions) {
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
    /** With the subcommand that it stands for, or null. Already acknowledged. `ageMs`: 0 where Slack does not say. */
    async onSlashCommand(subcommand: string | null, payload: unknown, respond: RespondFn, ageMs = 0) {
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
    /** A mention or a message; anything but a person's new message to the bot is ignored. */
    async onMessage(payload: unknown): Promise<void> {
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

const messageEventSchema = z.object({
  event_id: z.string(),
  event_time: z.number().optional(),
  event: z.object({
    type: z.string(),
    subtype: z.string().optional(),
    channel: z.string().transform(channelId),
    channel_type: z.string().optional(),
    user: z.string().transform(personId).optional(),
    bot_id: z.string().nullish(),
    text: z.string().default(''),
    blocks: z.array(z.unknown()).default([]),
    thread_ts: z.string().transform(messageTs).optional(),
    edited: z.unknown().optional(),
  }),
});

/** Subtypes of a person's own new message; all others report edits, bots or channel changes. */
const NEW_MESSAGE_SUBTYPES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'file_share',
  'thread_broadcast',
]);

type MessageEvent = {
  readonly caller: CommandSource;
  readonly isDirect: boolean;
  readonly text: string;
  /** The event's id: a repeated delivery has the same (docs.slack.dev/apis/events-api). */
  readonly eventId: string;
  /** When it was sent, in whole seconds: a delivery may come hours later (docs.slack.dev/apis/events-api). Null: not stated. */
  readonly sentAt: Instant | null;
};

/** A person's message to the bot; null where it is not a person's new message to it. */
export function readMessageEvent(payload: unknown): MessageEvent | null {
  const { event_id, event_time, event } = messageEventSchema.parse(payload);
  const { channel, user, text, thread_ts } = event;
  if (user === undefined || typeof event.bot_id === 'string') return null;
  if (!NEW_MESSAGE_SUBTYPES.has(event.subtype) || event.edited !== undefined) return null;
  const isDirect = event.type === 'message' && event.channel_type === 'im';
  if (!isDirect && event.type !== 'app_mention') return null;
  const sentAt = event_time === undefined ? null : instant(event_time * SECOND);
  return {
    caller: { person: user, channel, thread: thread_ts },
    isDirect,
    text: withChosenEmoji(text, event.blocks),
    eventId: event_id,
    sentAt,
  };
}

/** Of a rich text (docs.slack.dev/reference/block-kit/blocks/rich-text-block). An emoji of the workspace has no `unicode`. */
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('emoji'), name: z.string(), unicode: z.string().optional() }),
]);
const parentSchema = z.object({ elements: z.array(z.unknown()) });
/** A block, a list and its lines have parts. */
const MAX_DEPTH = 3;

function partsIn(element: unknown, depth = 0): readonly z.output<typeof partSchema>[] {
  const part = partSchema.safeParse(element);
  if (part.success) return [part.data];
  const parent = depth < MAX_DEPTH ? parentSchema.safeParse(element) : null;
  return parent?.data?.elements.flatMap((one) => partsIn(one, depth + 1)) ?? [];
}

/** The text with the emoji that were chosen: only the blocks tell their names from the same characters typed as they are. */
function withChosenEmoji(text: string, blocks: readonly unknown[]): string {
  let [read, rest] = ['', text];
  for (const part of blocks.flatMap((block) => partsIn(block))) {
    const written = part.type === 'emoji' ? `:${part.name}:` : escaped(part.text);
    const at = rest.indexOf(written);
    if (at === -1) continue;
    const after = rest.slice(at + written.length);
    const emoji = part.type === 'emoji' ? characterOf(part.unicode) : null;
    read += rest.slice(0, at) + (emoji ?? written);
    rest = emoji === null ? after : after.replace(/^:skin-tone-[2-6]:/, '');
  }
  return read + rest;
}

function characterOf(unicode: string | undefined): string | null {
  const points = unicode?.split('-').map((point) => Number.parseInt(point, 16)) ?? [];
  const isCharacter = points.length > 0 && points.every((point) => point > 0 && point <= 0x10_ff_ff);
  return isCharacter ? String.fromCodePoint(...points) : null;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
