/**
 * Messages between the sandbox and the product's process: the time, its starts and rests, and that its configuration file
 * was written. Everything else goes over the same sockets as outside the sandbox.
 */
import { z } from 'zod';

export const toProductSchema = z.discriminatedUnion('type', [
  /**
   * Sent first, and after each rest: start, with the clock this far ahead of wall time, and the child's wall time ahead
   * of this machine's.
   */
  z.object({ type: z.literal('clock'), offsetMs: z.number(), skewMs: z.number() }),
  /** Move until the clock is this far ahead, then answer with the same id. */
  z.object({ type: z.literal('advance'), id: z.number(), offsetMs: z.number() }),
  /** The process was stopped, as a machine sleeps: its clock is this far ahead at once. */
  z.object({ type: z.literal('woken'), offsetMs: z.number() }),
  /** Stop the product and keep the process, whose modules are loaded, for its next start. */
  z.object({ type: z.literal('rest') }),
  /** Read the configuration file now, and answer with the same id. */
  z.object({ type: z.literal('reload'), id: z.number() }),
]);
export type ToProduct = z.infer<typeof toProductSchema>;

export const fromProductSchema = z.discriminatedUnion('type', [
  /** `rests`: it understands `rest`. */
  z.object({ type: z.literal('ready'), rests: z.boolean() }),
  z.object({ type: z.literal('resting') }),
  z.object({ type: z.literal('advanced'), id: z.number() }),
  /** The file is in force; with faults, the one before it still is. */
  z.object({ type: z.literal('reloaded'), id: z.number(), faults: z.array(z.string()) }),
  /** It stops itself, as by SIGSTOP, until it is resumed. */
  z.object({ type: z.literal('stopping') }),
]);
export type FromProduct = z.infer<typeof fromProductSchema>;
