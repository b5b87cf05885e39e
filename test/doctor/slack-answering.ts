/** A Slack on loopback that the doctor's checks ask. */
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { secret } from '../../src/lib/secret.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { createClients } from '../../src/slack/web-api/clients.ts';

/** `answer` gets the path of each call and its arguments. */
export async function slackAnswering(answer: (path: string, call: URLSearchParams) => object) {
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', async (request, response) => {
      const body = JSON.stringify(answer(request.url ?? '', new URLSearchParams(await text(request))));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  );
  onTestFinished(stop);
  const transport = { kind: 'socket', appToken: secret('xapp-1') } as const;
  const slack = { botToken: secret('xoxb-1'), transport, apiUrl: `${url}/`, command: '/fleet', proxy: null };
  return { slack, reads: createClients(slack, silentLog).reads };
}
