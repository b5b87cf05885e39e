/** A real HTTP server on 127.0.0.1 that answers by script, in all the ways a service can go wrong. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';

export type Seen = {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** An object or array is sent as JSON, a text or bytes as they are. */
      readonly body?: unknown;
    }
  /** Never answered. */
  | 'hang'
  /** The connection is dropped before an answer. */
  | 'drop'
  /** Status and a part of the announced body, then the connection is dropped. */
  | { readonly cut: string; readonly status?: number }
  /** Status and a part of the announced body, then nothing. */
  | { readonly stall: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> };

export type Script = Reply | readonly Reply[] | ((request: Seen, index: number) => Reply | Promise<Reply>);

export type ScriptedServer = {
  readonly url: string;
  /** Every request, as soon as it was received whole. */
  readonly requests: readonly Seen[];
  readonly stop: () => Promise<void>;
};

/** Starts it; it stops with the test. The last reply of a list repeats. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: Seen[] = [];
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', (request, response) => {
      void receive(request).then(async (seen) => {
        const index = requests.push(seen) - 1;
        send(response, await replyTo(script, seen, index));
      });
    }),
  );
  onTestFinished(stop);
  return { url, requests, stop };
}

function replyTo(script: Script, seen: Seen, index: number): Reply | Promise<Reply> {
  if (typeof script === 'function') return script(seen, index);
  if (!isList(script)) return script;
  const reply = script[Math.min(index, script.length - 1)];
  if (reply === undefined) throw new Error('an empty script');
  return reply;
}

/** `Array.isArray` does not narrow a readonly list. */
function isList(script: Reply | readonly Reply[]): script is readonly Reply[] {
  return Array.isArray(script);
}

async function receive(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  const url = new URL(request.url ?? '/', 'http://scripted');
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'drop') {
    response.socket?.destroy();
    return;
  }
  if ('cut' in reply || 'stall' in reply) {
    const part = 'cut' in reply ? reply.cut : reply.stall;
    response.writeHead(reply.status ?? 200, {
      'content-type': 'application/json',
      'content-length': '10000',
      ...('stall' in reply ? reply.headers : {}),
    });
    response.write(part, () => {
      if ('cut' in reply) response.socket?.destroy();
    });
    return;
  }
  const { status = 200, headers = {}, body } = reply;
  const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body));
}
