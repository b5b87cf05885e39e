/**
 * Messages between the sandbox and the product's process: the time, and nothing else. Everything else goes over the
 * same sockets as outside the sandbox.
 */
import { z } from 'zod';

export const toProductSchema = z.discriminatedUnion('type', [
  /** Sent first: how far the clock is ahead of wall time, and the child's wall time ahead of this machine's. */
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
