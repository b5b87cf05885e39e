/** A Slack on loopback that the doctor's checks ask. */
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { createClients } from '../../src/slack/web-api/clients.ts';
import { slackAt } from '../harness/slack-at.ts';

/** `answer` gets the path of each call and its arguments. */
export async function slackAnswering(answer: (path: string, call: URLSearchParams) => object) {
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', async (request, response) => {
      const body = JSON.stringify(answer(request.url ?? '', new URLSearchParams(await text(request))));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  );
  onTestFinished(stop);
  const slack = slackAt(`${url}/`);
  return { slack, reads: createClients(slack, silentLog).reads };
}
