/** Validates messages to the bot: mentions in channels, and everything in direct messages. */
import { z } from 'zod';
import { type Instant, instant, SECOND } from '../../lib/clock.ts';
import { channelId, messageTs, personId } from '../../lib/ids.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { richTextLine } from './rich-text.ts';

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
    blocks: z.unknown().optional(),
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

export type MessageEvent = {
  readonly caller: CommandSource;
  readonly isDirect: boolean;
  readonly text: string;
  /** The event's id: a repeated delivery has the same (docs.slack.dev/apis/events-api). */
  readonly eventId: string;
  /**
   * When it was sent, in whole seconds: a delivery may come hours later (docs.slack.dev/apis/events-api). Null: not
   * stated.
   */
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
  const line = richTextLine(event.blocks) ?? text;
  return {
    caller: { person: user, channel, thread: thread_ts },
    isDirect,
    text: line,
    eventId: event_id,
    sentAt,
  };
}
