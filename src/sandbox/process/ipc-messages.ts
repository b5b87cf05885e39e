/**
 * What the sandbox and the product's process say to each other: the time, and nothing else. Everything the
 * product does in the sandbox goes over the same sockets as anywhere else.
 */
import { z } from 'zod';

export const toProductSchema = z.discriminatedUnion('type', [
  /** First of all: how far the clock is ahead of wall time, and the child's wall time ahead of this machine's. */
  z.object({ type: z.literal('clock'), offsetMs: z.number(), skewMs: z.number() }),
  /** Move until the clock is this far ahead, then answer with the same id. */
  z.object({ type: z.literal('advance'), id: z.number(), offsetMs: z.number() }),
]);
export type ToProduct = z.infer<typeof toProductSchema>;

export const fromProductSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('advanced'), id: z.number() }),
]);
export type FromProduct = z.infer<typeof fromProductSchema>;
