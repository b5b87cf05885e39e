/** What a form's window carries for itself: written and read back here. Slack keeps it; no secret is in it. */
import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../ids.ts';
import { LIMIT } from '../kit/limits.ts';

export type FormOrder = {
  /** Whose input the form gives. */
  readonly command: string;
  readonly context?: unknown;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** The answer stands in the form's own window, also where the command only looks. */
  readonly inWindow?: true | undefined;
};

const schema = z.object({
  command: z.string().min(1),
  context: z.unknown().optional(),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
  inWindow: z.literal(true).optional(),
});

/** The order as text, or null where it is longer than a window can carry. */
export function writeFormOrder(order: FormOrder): string | null {
  const text = JSON.stringify(order);
  return text.length > LIMIT.privateMetadata ? null : text;
}

/** The order of a window, or null where it is none of ours. */
export function readFormOrder(text: string): FormOrder | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
