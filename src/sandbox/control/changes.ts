/** Tells open pages that something visible has changed; what it was they read for themselves. */
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';

/** Changes that come together are one event. */
const TOGETHER_MS = 40;
/** Often enough that nothing in between takes the silence for a dead connection. */
const HEARTBEAT_MS = 15_000;

export type Changes = {
  readonly announce: () => void;
  /** Answers with the stream of events, for as long as the page listens. */
  readonly stream: (context: Context) => Response;
  readonly listeners: () => number;
};

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let announced: NodeJS.Timeout | undefined;
  return {
    announce() {
      if (announced !== undefined) return;
      announced = setTimeout(() => {
        announced = undefined;
        for (const tell of listeners) tell();
      }, TOGETHER_MS).unref();
    },
    stream: (context) =>
      streamSSE(context, async (stream) => {
        const bell = createBell();
        listeners.add(bell.ring);
        stream.onAbort(() => {
          listeners.delete(bell.ring);
          bell.ring();
        });
        await stream.write('retry: 1000\n\n');
        while (!stream.aborted) await tellNext(stream, bell);
      }),
    listeners: () => listeners.size,
  };
}

async function tellNext(stream: SSEStreamingApi, bell: Bell): Promise<void> {
  const rang = await bell.heard(HEARTBEAT_MS);
  if (stream.aborted) return;
  if (rang) await stream.writeSSE({ event: 'change', data: '' });
  else await stream.write(': still here\n\n');
}

type Bell = {
  readonly ring: () => void;
  /** True as soon as it has rung since it was last heard, false when it did not for so long. */
  readonly heard: (ms: number) => Promise<boolean>;
};

/** A slow reader hears one ring, however often the bell rang meanwhile. */
function createBell(): Bell {
  let rung = Promise.withResolvers<boolean>();
  return {
    ring: () => rung.resolve(true),
    async heard(ms) {
      const silence = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => silence.resolve(false), ms).unref();
      const rang = await Promise.race([rung.promise, silence.promise]);
      clearTimeout(timer);
      if (rang) rung = Promise.withResolvers();
      return rang;
    },
  };
}
