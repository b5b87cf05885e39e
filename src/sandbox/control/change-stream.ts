/** Server-sent events for open pages: which channels changed, and whether anything else did. */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Workspace } from '../contracts/services.ts';

/** Changes within this time become one event. */
const BATCH_MS = 40;
/** Often enough that no proxy closes the quiet connection. */
const HEARTBEAT_MS = 15_000;

export type ChangeStream = ReturnType<typeof createChangeStream>;
/** Message changes; without a workspace there are none. */
type ChangeSource = Pick<Workspace, 'cursor' | 'channelsSince'>;
const NO_CHANGES: ChangeSource = { cursor: () => 0, channelsSince: () => [] };

/** What a page has been sent so far. */
type SentState = { readonly cursor: number; readonly others: number };

export function createChangeStream(sight: ChangeSource = NO_CHANGES) {
  const listeners = new Set<() => void>();
  let announced: NodeJS.Timeout | undefined;
  let cursor = sight.cursor();
  /** Number of changes other than messages. */
  let others = 0;
  const now = (): SentState => ({ cursor: sight.cursor(), others });
  const changesSince = (sent: SentState) => ({
    channels: sight.channelsSince(sent.cursor),
    others: others !== sent.others,
  });
  return {
    announce(): void {
      if (sight.cursor() === cursor) others += 1;
      cursor = sight.cursor();
      if (announced !== undefined) return;
      announced = setTimeout(() => {
        announced = undefined;
        for (const notify of listeners) notify();
      }, BATCH_MS).unref();
    },
    /**
     * Streams events for as long as the page listens. Each event's id is the message cursor, so that a page that
     * reconnects with its last id learns which channels changed meanwhile.
     */
    stream: (context: Context): Response =>
      streamSSE(context, async (stream) => {
        const bell = createChangeSignal();
        listeners.add(bell.ring);
        stream.onAbort(() => {
          listeners.delete(bell.ring);
          bell.ring();
        });
        await stream.write('retry: 1000\n\n');
        const last = lastEventId(context);
        let sent = { ...now(), ...(last === null ? {} : { cursor: last }) };
        if (last !== null && last !== sight.cursor()) bell.ring();
        while (!stream.aborted) {
          const rang = await bell.wait(HEARTBEAT_MS);
          if (stream.aborted) return;
          const before = sent;
          sent = now();
          if (rang) await sendChanges(stream, sent.cursor, changesSince(before));
          else await stream.write(': still here\n\n');
        }
      }),
    listeners: (): number => listeners.size,
  };
}

async function sendChanges(stream: SSEStreamingApi, cursor: number, change: object): Promise<void> {
  await stream.writeSSE({ id: String(cursor), event: 'change', data: JSON.stringify(change) });
}

/** The id of the last event that the page received before it reconnected. */
function lastEventId({ req }: Context): number | null {
  const id = req.header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

/** A slow reader gets one signal, however many were sent meanwhile. */
function createChangeSignal() {
  let rung = Promise.withResolvers<boolean>();
  return {
    ring: () => rung.resolve(true),
    /** Resolves to true at the next signal, at once if one came since the last wait; to false after `ms`. */
    async wait(ms: number): Promise<boolean> {
      const silence = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => silence.resolve(false), ms).unref();
      const rang = await Promise.race([rung.promise, silence.promise]);
      clearTimeout(timer);
      if (rang) rung = Promise.withResolvers();
      return rang;
    },
  };
}
