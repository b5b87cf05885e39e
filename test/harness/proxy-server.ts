/** A small real proxy on loopback: forwards plain requests and opens tunnels, or refuses both. */
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';

export type ProxyServer = {
  /** With these credentials, or none. */
  readonly address: (credentials?: string) => string;
  /** `GET http://…` for forwarded requests, `CONNECT host:port` for tunnels. */
  readonly seen: readonly string[];
  readonly credentials: readonly (string | undefined)[];
  /** Answers everything with this status from now on. */
  readonly refuse: (status: number) => void;
  /** Answers forwarded requests to such an address itself, with this JSON. */
  readonly answer: (part: string, json: string) => void;
  readonly stop: () => Promise<void>;
};

export async function startProxy(): Promise<ProxyServer> {
  const seen: string[] = [];
  const credentials: (string | undefined)[] = [];
  const onwards = new Set<Duplex>();
  const answers = new Map<string, string>();
  let refusal = 0;

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { method, url = '', headers } = incoming;
    seen.push(`${method} ${url}`);
    credentials.push(headers['proxy-authorization']);
    if (refusal !== 0) {
      outgoing.writeHead(refusal).end();
      return;
    }
    const own = [...answers].find(([part]) => url.includes(part))?.[1];
    if (own !== undefined) {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(own);
      return;
    }
    const onward = send(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const tunnel = ({ url = '', headers }: IncomingMessage, socket: Duplex): void => {
    seen.push(`CONNECT ${url}`);
    credentials.push(headers['proxy-authorization']);
    if (refusal !== 0) {
      socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onwards.add(onward);
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  };

  const { port, stop } = await listenOnLoopback((server) =>
    server.on('request', forward).on('connect', tunnel),
  );
  return {
    address: (user) => `http://${user === undefined ? '' : `${user}@`}127.0.0.1:${port}`,
    seen,
    credentials,
    refuse: (status) => {
      refusal = status;
    },
    answer: (part, json) => void answers.set(part, json),
    stop: () => {
      for (const onward of onwards) onward.destroy();
      return stop();
    },
  };
}
