/** A bot that is a bare HTTP server, to observe what Bolt's receiver hides. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type StartOptions, startWorkspace } from './workspace-harness.ts';

export type AnswerRequest = ServerResponse;
export type BotRequest = {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly url: string;
};

/** Starts the server and points a workspace at it; `answer` gets each request with its complete body. */
export async function withHttpBot(
  answer: (response: AnswerRequest, heard: BotRequest) => void,
  options: StartOptions = {},
) {
  const started = await startWorkspace({ transport: 'http', ...options });
  const heard: BotRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url ?? '' };
    heard.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a TCP server's address is an object
  started.workspace.setBotUrl(`http://127.0.0.1:${port}`);
  return { ...started, heard };
}
