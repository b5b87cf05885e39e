/** One address per test file: the browser caches the page's files, while each test has its own answers. */
import type { RequestListener } from 'node:http';
import { listenOnLoopback } from '../../../../src/sandbox/wire/listen.ts';

/** Cache header for the page's files in tests; the sandbox itself forbids caching. */
export const CACHED_FILES = 'max-age=600';

export type PageAddress = {
  /** Root, without a slash at its end. */
  readonly url: string;
  /** From now on this answers; earlier requests are still answered by their own listener. */
  readonly answerWith: (listener: RequestListener) => void;
  readonly stop: () => Promise<void>;
};

/** Listens on a free port of 127.0.0.1. */
export async function openAddress(): Promise<PageAddress> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', (request, response) => answer(request, response)),
  );
  return {
    url,
    answerWith(listener) {
      answer = listener;
    },
    stop,
  };
}
