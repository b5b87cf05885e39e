import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { RespondError, type RespondFn } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createVitalSigns } from '../../../src/health/health-monitor.ts';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { channelId, messageTs, personId, userGroupId } from '../../../src/lib/ids.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import type { Served } from '../../../src/sandbox/contracts/services.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { clientOptions, createClients, slackLogger } from '../../../src/slack/web-api/clients.ts';
import { monitoredWeb, type SlackMonitor } from '../../../src/slack/web-api/monitored-web.ts';
import {
  networkErrorText,
  readRefusal,
  readResponse,
  readSlackError,
  type SlackError,
  slackErrorText,
} from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb, type SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { loadingWindow } from '../../../src/views/kit/answer-window.ts';
import type { View } from '../../../src/views/views.ts';
import { aDevice, aQueueEntry, START } from '../../harness/builders.ts';
import { perTest } from '../../harness/per-test.ts';
import { slackAt } from '../../harness/slack-at.ts';
import { OPERATOR, OPS, startWorkspace } from '../../sandbox/slack/harness/workspace-harness.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { noExternalChannels } from '../harness/open-access.ts';

describe('failures of our own', () => {
  const OWN_FAILURES = [
    ...['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout', 'update_failed'],
    ...['server_error', 'team_added_to_org', 'external_channel_migrating'],
  ];
  const RULES = [
    ...['invalid_blocks', 'channel_not_found', 'is_archived', 'message_not_found', 'edit_window_closed'],
    ...['ratelimited', 'missing_scope', 'accesslimited', 'expired_trigger_id', 'hash_conflict'],
  ];

  describe('an answer that Slack did not do it', () => {
    it.each(OWN_FAILURES)('because of %s says nothing about whether it did', (code) => {
      expect(readRefusal(code)).toEqual({ kind: 'uncertain', detail: code, inFlight: false });
      expect(readResponse(JSON.stringify({ ok: false, error: code }))).toEqual(readRefusal(code));
    });

    it.each(RULES)('because of %s says that nothing was done', (code) => {
      expect(readRefusal(code)).toEqual({ kind: 'refused', error: code });
    });

    it.each(['ok', '', '{"ok":true}'])('is not %j of a response URL', (text) => {
      expect(readResponse(text)).toEqual({ kind: 'ok', value: null });
    });
  });

  const CHANNEL = channelId(OPS);
  const PERSON = personId(OPERATOR);
  const WORDS = { text: 'what was asked for', blocks: [] };
  const CARD = { ...WORDS, metadata: { event_type: 'patchbay_card', event_payload: { key: 'notice:n1' } } };

  async function startSlack() {
    const channels = ['channels:join', 'channels:history', 'channels:read'];
    const scopes = ['chat:write', ...channels, 'im:write', 'im:history', 'files:write'];
    const { workspace, wire } = await startWorkspace({ scopes, ticking: true });
    const settings = { ...slackAt(workspace.apiUrl), botToken: secret(workspace.botToken) };
    const web = createSlackWeb(createClients(settings, silentLog), 0);
    const answers = (method: string, times: number, answer: { error: string; status?: number }) => {
      const { status = 200, error } = answer;
      const body = { ok: false, error };
      wire.inject({ service: 'slack', match: `POST /api/${method}`, kind: 'answer', times, status, body });
    };
    /** Answers with an error and does nothing. */
    const fails = (times: number) =>
      wire.inject({ service: 'slack', match: 'chat.postMessage', kind: 'status', status: 500, times });
    const calls = (method: string) =>
      wire.journal('slack').filter(({ path }) => path.endsWith(`/${method}`)).length;
    const seen = () =>
      (workspace.messages({ channel: OPS, user: 'operator' }) ?? []).filter(({ bot }) => bot);
    return { web, answers, fails, calls, seen };
  }

  async function startConversations() {
    const started = await startSlack();
    const [place, direct] = [await started.web.say(CHANNEL, WORDS), await started.web.openDirect(PERSON)];
    if (place.kind !== 'ok' || direct.kind !== 'ok') throw new Error('no conversation');
    return { ...started, place: place.value, direct: direct.value };
  }

  type Conversations = Awaited<ReturnType<typeof startConversations>>;
  const EDITED = { text: 'edited', blocks: [] };
  /** Calls whose effect stands in a conversation. */
  const SOUGHT: readonly [string, string, (started: Conversations) => Promise<{ readonly kind: string }>][] =
    [
      ['a message', 'chat.postMessage', ({ web }) => web.say(CHANNEL, WORDS)],
      ['a reply in a thread', 'chat.postMessage', ({ web, place }) => web.say(CHANNEL, WORDS, place.ts)],
      ['a direct message', 'chat.postMessage', ({ web, direct }) => web.say(direct, WORDS)],
      ['an edit', 'chat.update', ({ web, place }) => web.edit(place, EDITED)],
      [
        'a file',
        'files.completeUploadExternal',
        ({ web }) => web.sendFile(CHANNEL, { name: 'a.csv', text: 'a', comment: 'a' }),
      ],
    ];
  const ANSWERS = [{ error: 'fatal_error' }, { error: 'internal_error', status: 503 }];

  describe('after an answer that names a failure of Slack', () => {
    it.each(SOUGHT.flatMap(([what, ...call]) => ANSWERS.map((answer) => [what, answer, ...call] as const)))(
      '%s that stands is not sent again (%j)',
      async (_what, answer, method, send) => {
        const started = await startConversations();
        const before = started.calls(method);
        started.answers(method, 1, answer);
        expect((await send(started)).kind).toBe('ok');
        expect(started.calls(method)).toBe(before + 1);
      },
    );

    it('a message that does not stand is sent once more, and no more', async () => {
      const { web, calls, seen, fails } = await startSlack();
      fails(1);
      expect((await web.say(CHANNEL, WORDS)).kind).toBe('ok');
      expect([calls('chat.postMessage'), seen().length]).toEqual([2, 1]);
      fails(9);
      expect((await web.say(CHANNEL, WORDS)).kind).toBe('uncertain');
      expect([calls('chat.postMessage'), seen().length]).toEqual([4, 1]);
    });

    it('nothing else is believed refused', async () => {
      const { web, answers, place } = await startConversations();
      const error = 'fatal_error';
      const others: readonly [string, () => Promise<unknown>][] = [
        ['chat.postMessage', () => web.post(CHANNEL, CARD)],
        ['chat.update', () => web.update(place, CARD)],
        ['chat.postEphemeral', () => web.ephemeral(CHANNEL, PERSON, WORDS)],
        ['chat.delete', () => web.remove(place)],
        ['conversations.open', () => web.openDirect(PERSON)],
      ];
      for (const [method, call] of others) {
        answers(method, 1, { error });
        expect(await call(), method).toEqual({ kind: 'uncertain', detail: error, inFlight: false });
      }
    });
  });

  let server: Server | undefined;
  afterEach(() => void server?.close());

  async function addressOf(onSocket: Parameters<typeof createServer>[1]): Promise<string> {
    server = createServer(onSocket ?? (() => undefined));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  }

  async function closedAddress(): Promise<string> {
    const address = await addressOf(() => undefined);
    await new Promise((resolve) => server?.close(resolve));
    return address;
  }

  async function errorTextAt(slackApiUrl: string): Promise<string> {
    const logger = slackLogger(silentLog);
    const once = { retryConfig: { retries: 0 }, timeout: 500 };
    const client = new WebClient('xoxb-1', { slackApiUrl, logger, ...once });
    return client.auth.test().then(
      () => 'answered',
      (error: unknown) => slackErrorText(readSlackError(error)),
    );
  }

  describe('a Slack that does not answer', () => {
    const UNREADABLE = /^no connection, or it was lost$|^an unreadable answer$/;
    it.each([
      ['refuses connections', closedAddress, 'the connection was refused'],
      ['cuts them', () => addressOf((socket) => socket.destroy()), 'the connection was cut'],
      ['says nothing', () => addressOf(() => undefined), 'no answer in time'],
      [
        'has no such name',
        async () => 'http://slack.invalid/',
        /DNS (doesn’t know its name|isn’t answering)/,
      ],
      ['does not speak HTTP', () => addressOf((socket) => socket.end('hello\r\n')), UNREADABLE],
      ['is at a port that clients refuse', async () => 'http://127.0.0.1:1/', 'HTTP clients block its port'],
    ])('that %s is said in plain words', async (_, address, words) => {
      expect(await errorTextAt(await address())).toMatch(words);
    });

    it('is not described in the words of a library', () => {
      const inner = Object.assign(new Error('self-signed certificate'), {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
      expect(networkErrorText(new TypeError('fetch failed', { cause: inner }))).toBe(
        'its certificate isn’t trusted',
      );
      expect(networkErrorText(new TypeError('fetch failed'))).toBe('no connection, or it was lost');
      const unusual = Object.assign(new Error('write EPROTO http://secret.example'), { code: 'EPROTO' });
      expect(networkErrorText(new TypeError('fetch failed', { cause: unusual }))).toBe(
        'no connection, or it was lost (EPROTO)',
      );
      expect(networkErrorText('x')).toBe('no connection, or it was lost');
    });
  });
});

const PLACE = { channel: channelId('C0ALERTS'), ts: messageTs('1.000001') };

/** What the monitor hears of a removal that ends with this. */
async function reportsFor(fault: SlackError): Promise<readonly string[]> {
  const said: string[] = [];
  const watch: SlackMonitor = {
    answered: () => said.push('answered'),
    unanswered: () => said.push('silent'),
    refused: () => said.push('refused'),
    channelTook: () => said.push('took'),
    channelRefused: () => said.push('channel refused'),
    granted: () => said.push('granted'),
  };
  const web = createFakeSlackWeb(createManualClock(instant(0)).now);
  web.next('remove', fault);
  await monitoredWeb(web, watch).remove(PLACE);
  return said;
}

describe('the outcome of a call to Slack', () => {
  it.each<[string, SlackError, string]>([
    ['silence where the answer was lost', { kind: 'uncertain', detail: 'cut', inFlight: false }, 'silent'],
    ['silence where there was no connection', { kind: 'unsent', detail: 'ENOTFOUND' }, 'silent'],
    ['an answer where Slack asks to wait', { kind: 'throttled', retryAfterMs: 1_000 }, 'answered'],
    ['an answer where Slack refuses it', { kind: 'refused', error: 'message_not_found' }, 'answered'],
    ['a refusal where it knows the token no more', { kind: 'refused', error: 'token_revoked' }, 'refused'],
  ])('is %s', async (_what, fault, word) => {
    expect(await reportsFor(fault)).toEqual([word]);
  });
});

describe('unknown outcomes', () => {
  /** A Slack that receives each request whole and then drops the connection. */
  const slack = perTest(
    async () => {
      const requests: string[] = [];
      const { url, stop } = await listenOnLoopback((server) =>
        server.on('request', (request) => {
          request.resume();
          request.on('end', () => {
            requests.push(request.url ?? '');
            request.socket.destroy();
          });
        }),
      );
      const clients = createClients(slackAt(`${url}/api/`), silentLog);
      return { requests, web: createSlackWeb(clients, 0), stop };
    },
    ({ stop }) => stop(),
  );

  const C = channelId('C1');
  const PLACE = { channel: C, ts: messageTs('1.000001') };
  const WORDS = { text: 'hello', blocks: [] };
  const CARD = { ...WORDS, metadata: { event_type: 'patchbay_card', event_payload: { key: 'notice:n1' } } };
  const MODAL = loadingWindow(1);
  const PART = { oldest: instant(1), latest: instant(2), cursor: null };

  const ONCE = 1;
  /** Once, and the client's two retries. */
  const READ = 3;
  /** Once, and a look, which has no answer either. */
  const SOUGHT = ONCE + READ;

  const CALLS: Readonly<Record<keyof SlackWeb, readonly [number, (web: SlackWeb) => Promise<unknown>]>> = {
    identity: [READ, (web) => web.identity()],
    post: [ONCE, (web) => web.post(C, CARD)],
    update: [ONCE, (web) => web.update(PLACE, CARD)],
    remove: [ONCE, (web) => web.remove(PLACE)],
    ephemeral: [ONCE, (web) => web.ephemeral(C, personId('U1'), WORDS)],
    say: [SOUGHT, (web) => web.say(C, WORDS)],
    edit: [SOUGHT, (web) => web.edit(PLACE, WORDS)],
    permalink: [READ, (web) => web.permalink(PLACE)],
    cardsInHistory: [READ, (web) => web.cardsInHistory(C, PART)],
    memberChannels: [READ, (web) => web.memberChannels()],
    privateChannelsWith: [READ, (web) => web.privateChannelsWith(personId('U1'))],
    isExternal: [READ, (web) => web.isExternal(C)],
    openDirect: [ONCE, (web) => web.openDirect(personId('U1'))],
    userGroupMembers: [READ, (web) => web.userGroupMembers(userGroupId('S1'))],
    timeZone: [READ, (web) => web.timeZone(personId('U1'))],
    isActive: [READ, (web) => web.isActive(personId('U1'))],
    showView: [ONCE, (web) => web.showView({ kind: 'open', triggerId: 't' }, MODAL)],
    unfurl: [ONCE, (web) => web.unfurl(PLACE, new Map())],
    sendFile: [ONCE, (web) => web.sendFile(C, { name: 'a.csv', text: 'a', comment: 'a' })],
    publishHome: [
      ONCE,
      (web) => web.publishHome(personId('U1'), { type: 'home', callback_id: 'home', blocks: [] }),
    ],
  };

  describe('a call whose answer is lost', () => {
    it.each(Object.entries(CALLS))('%s', async (name, [times, call]) => {
      const answer = await call(slack().web);
      expect(slack().requests).toHaveLength(times);
      if (name === 'permalink') expect(answer).toBeNull();
      else expect(answer).toMatchObject({ kind: 'uncertain' });
    });
  });

  it('a message that was tried before is not sent while nobody can look for it', async () => {
    const { web, requests } = slack();
    const tried = { key: 'press:t1', attempts: 1 };
    expect(await web.say(C, WORDS, undefined, tried)).toMatchObject({ kind: 'uncertain' });
    expect(requests).toEqual(Array(READ).fill('/api/conversations.history'));
  });

  describe('a Slack that nobody can reach', () => {
    it('was certainly sent nothing', async () => {
      const { web, stop } = slack();
      await stop();
      expect(await web.post(C, CARD)).toEqual({ kind: 'unsent', detail: 'the connection was refused' });
    });
  });
});

describe('messages with a fallback', () => {
  const CALLER = { person: personId('U0OPERATOR'), channel: channelId('C0OPS') };
  const rows = [aQueueEntry({ type: 'GetOS' })];
  const QUEUE: View = { kind: 'queue', device: aDevice(), rows, asOf: START };

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
    const json = body.startsWith('{')
      ? body
      : `{"blocks":${new URLSearchParams(body).get('blocks') ?? '[]'}}`;
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
    const at = { apiUrl: `${slack.url}/api/`, proxy: null };
    const client = new WebClient('xoxb-test', clientOptions(at, silentLog, 0));
    const web = createSlackWeb({ writes: client, reads: client, upload: async () => undefined });
    const replies = createPrivateReplies({ web, log: silentLog });
    const again = { command: 'queue', input: {}, page: 0 };
    const shareable: View = { kind: 'shareable', view: QUEUE, again, share: true, file: false };
    const share = createShareAnswer({ runCommand: async () => shareable }, web, noExternalChannels);
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
});

it('a missing right is missing until the app was reinstalled with other scopes', async () => {
  let scopes = 'chat:write,users:read';
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json', 'x-oauth-scopes': scopes });
      response.end(JSON.stringify({ ok: true, user_id: 'U0BOT', team_id: 'T1' }));
    }),
  );
  onTestFinished(stop);
  const signs = createVitalSigns(createManualClock(instant(0)));
  const web = monitoredWeb(createSlackWeb(createClients(slackAt(`${url}/api/`), silentLog)), signs.slack);
  await web.identity();
  signs.slack.refused('users.info', 'missing_scope', false);
  await web.identity();
  expect(signs.slackIsWell()).toBe(false);
  scopes = 'chat:write,users:read,users:read.email';
  await web.identity();
  expect(signs.slackIsWell()).toBe(true);
});
