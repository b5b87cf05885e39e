/** Charts and tables on every way to a Slack that refuses them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RespondError, type RespondFn } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Served } from '../../../src/sandbox/contracts/services.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { clientOptions } from '../../../src/slack/web-api/clients.ts';
import { createSlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { View } from '../../../src/views/model.ts';
import { aDevice, aQueueEntry, START } from '../../harness/builders.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const CALLER = { person: personId('U0OPERATOR'), channel: channelId('C0OPS') };
const QUEUE: View = { kind: 'queue', device: aDevice(), rows: [aQueueEntry({ type: 'GetOS' })], asOf: START };

type Sent = { readonly way: string; readonly kinds: readonly string[]; readonly taken: boolean };
const sent: Sent[] = [];
/** Refused types of blocks, and Slack's code for it. */
let refused: readonly string[] = [];
let word = 'invalid_blocks';
/** Status of a response URL that refuses, and whether it has expired. */
let status = 400;
let gone = false;
let slack: Served;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const way = String(request.url).replace('/api/', '');
  const kinds = await kindsIn(request);
  const taken = gone ? way !== '/respond' : !kinds.some((kind) => refused.includes(kind));
  sent.push({ way, kinds, taken });
  // A Web API method always answers 200; a response URL refuses by its status.
  response.writeHead(taken || way !== '/respond' ? 200 : status, { 'Content-Type': 'application/json' });
  const body = taken ? { ok: true, channel: 'C0OPS', ts: '1.000001' } : { ok: false, error: word };
  response.end(JSON.stringify(body));
}

async function kindsIn(request: IncomingMessage): Promise<readonly string[]> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const json = body.startsWith('{') ? body : `{"blocks":${new URLSearchParams(body).get('blocks') ?? '[]'}}`;
  const { blocks }: { readonly blocks: readonly { readonly type: string }[] } = JSON.parse(json);
  return blocks.map(({ type }) => type);
}

/** Like Bolt's own. */
const respond: RespondFn = async (message) => {
  const answer = await fetch(`${slack.url}/respond`, { method: 'POST', body: JSON.stringify(message) });
  if (!answer.ok) throw new RespondError('the response URL did not take it', answer.status);
  return answer;
};

function ways() {
  const client = new WebClient(
    'xoxb-test',
    clientOptions({ apiUrl: `${slack.url}/api/`, proxy: null }, silentLog, 0),
  );
  const web = createSlackWeb({ writes: client, reads: client, upload: async () => undefined });
  const replies = createPrivateReplies({ web, log: silentLog });
  const share = createShareAnswer(
    {
      runCommand: async () => ({
        kind: 'shareable',
        view: QUEUE,
        again: { command: 'queue', input: {}, page: 0 },
        share: true,
        file: false,
      }),
    },
    web,
    noExternalChannels,
  );
  const order = { name: 'queue', input: {}, page: 0, caller: CALLER, requestKey: 'test' };
  const direct = replies.toDirectMessage(CALLER);
  return {
    '/respond': () => replies.viaResponseUrl(respond, CALLER)(QUEUE, { replace: true }),
    'chat.postEphemeral': () => replies.ephemeral(CALLER)(QUEUE),
    'chat.postMessage': () => share(order),
    'chat.update': async () => {
      await direct.sendDelayNotice();
      sent.length = 0;
      await direct.sendAnswer(QUEUE);
    },
  };
}

beforeAll(async () => {
  slack = await listenOnLoopback((server) => server.on('request', answer));
  return slack.stop;
});
beforeEach(() => {
  sent.length = 0;
  refused = [];
  word = 'invalid_blocks';
  status = 400;
  gone = false;
});

describe.each([['/respond'], ['chat.postEphemeral'], ['chat.postMessage'], ['chat.update']] as const)(
  'an answer with a table by %s',
  (way) => {
    const send = () => ways()[way]();

    it('goes as it is where Slack takes it', async () => {
      await send();
      expect(sent).toEqual([{ way, taken: true, kinds: expect.arrayContaining(['table']) }]);
    });

    it.each([['invalid_blocks'], ['invalid_attachments'], ['only_one_table_allowed']])(
      'goes with its lines where Slack refuses tables: %s',
      async (said) => {
        refused = ['table'];
        word = said;
        await send();
        expect(sent.map(({ way: by, taken }) => [by, taken])).toEqual([
          [way, false],
          [way, true],
        ]);
        expect(sent[1]?.kinds).not.toContain('table');
        expect(sent[1]?.kinds).toEqual(expect.arrayContaining(['section', 'context', 'actions']));
      },
    );

    it('goes as text where Slack refuses the lines too', async () => {
      refused = ['table', 'section'];
      await send();
      expect(sent.map(({ kinds }) => kinds.length === 0)).toEqual([false, false, true]);
    });
  },
);

it.each(['chat.postEphemeral', 'chat.postMessage'] as const)(
  'an answer by %s is not sent again where Slack refuses for another reason',
  async (way) => {
    refused = ['table'];
    word = 'missing_scope';
    await ways()[way]();
    expect(sent.map((one) => one.way)).toEqual([way]);
  },
);

it('an answer with a table goes with its lines where the response URL answers 404 to tables', async () => {
  refused = ['table'];
  status = 404;
  await ways()['/respond']();
  expect(sent.map(({ way, taken }) => [way, taken])).toEqual([
    ['/respond', false],
    ['/respond', true],
  ]);
});

it.each([404, 410])(
  'an answer whose response URL has expired goes another way, as it is: %s',
  async (said) => {
    status = said;
    gone = true;
    await ways()['/respond']();
    const forms = said === 404 ? [true, false, false] : [true];
    expect(sent.map(({ way, kinds }) => [way, kinds.includes('table')])).toEqual([
      ...forms.map((form) => ['/respond', form]),
      ['chat.postEphemeral', true],
    ]);
  },
);
