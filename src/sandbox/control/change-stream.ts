/** Tells open pages that something visible has changed: which channels, and whether anything besides. */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Workspace } from '../contracts/services.ts';

/** Changes that come together are one event. */
const BATCH_MS = 40;
/** Often enough that nothing in between takes the silence for a dead connection. */
const HEARTBEAT_MS = 15_000;

export type ChangeStream = {
  readonly announce: () => void;
  /**
   * Answers with the stream of events, for as long as the page listens. Each has as its id the cursor of the
   * messages, so that a page that comes back with its last id hears which channels have changed meanwhile.
   */
  readonly stream: (context: Context) => Response;
  readonly listeners: () => number;
};
/** What is known about changed messages; without a workspace there are none. */
export type ChangeSource = Pick<Workspace, 'cursor' | 'channelsSince'>;
const NO_CHANGES: ChangeSource = { cursor: () => 0, channelsSince: () => [] };

/** How much a page has been told. */
type SentState = { readonly cursor: number; readonly others: number };

export function createChangeStream(sight: ChangeSource = NO_CHANGES): ChangeStream {
  const listeners = new Set<() => void>();
  let announced: NodeJS.Timeout | undefined;
  let cursor = sight.cursor();
  /** How often something else than a message has changed. */
  let others = 0;
  const now = (): SentState => ({ cursor: sight.cursor(), others });
  const changesSince = (sent: SentState) => ({
    channels: sight.channelsSince(sent.cursor),
    others: others !== sent.others,
  });
  return {
    announce() {
      if (sight.cursor() === cursor) others += 1;
      cursor = sight.cursor();
      if (announced !== undefined) return;
      announced = setTimeout(() => {
        announced = undefined;
        for (const tell of listeners) tell();
      }, BATCH_MS).unref();
    },
    stream: (context) =>
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
    listeners: () => listeners.size,
  };
}

async function sendChanges(stream: SSEStreamingApi, cursor: number, change: object): Promise<void> {
  await stream.writeSSE({ id: String(cursor), event: 'change', data: JSON.stringify(change) });
}

/** The id of the last event that the page has heard before its line broke. */
function lastEventId({ req }: Context): number | null {
  const id = req.header('last-event-id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : null;
}

type ChangeSignal = {
  readonly ring: () => void;
  /** True as soon as it has rung since it was last heard, false when it did not for so long. */
  readonly wait: (ms: number) => Promise<boolean>;
};

/** A slow reader hears one ring, however often the bell rang meanwhile. */
function createChangeSignal(): ChangeSignal {
  let rung = Promise.withResolvers<boolean>();
  return {
    ring: () => rung.resolve(true),
    async wait(ms) {
      const silence = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => silence.resolve(false), ms).unref();
      const rang = await Promise.race([rung.promise, silence.promise]);
      clearTimeout(timer);
      if (rang) rung = Promise.withResolvers();
      return rang;
    },
  };
}
