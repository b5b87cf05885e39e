/** A Slack on loopback that the doctor's checks ask. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { secret } from '../../src/lib/secret.ts';
import { createClients } from '../../src/slack/web-api/clients.ts';

/** `answer` gets the path of each call and its arguments. */
export async function slackAnswering(answer: (path: string, call: URLSearchParams) => object) {
  const server = createServer(async (request, response) => {
    const body = JSON.stringify(answer(request.url ?? '', new URLSearchParams(await text(request))));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const transport = { kind: 'socket', appToken: secret('xapp-1') } as const;
  const slack = { botToken: secret('xoxb-1'), transport, apiUrl, command: '/fleet', proxy: null };
  return { slack, reads: createClients(slack, silentLog).reads };
}
