/** Answers that name a failure of Slack's own: what was asked for may have been done, so it is looked for before it is repeated. */

import { createServer, type Server } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { secret, silentLog } from '../../../src/lib/log.ts';
import { createClients, slackLogger } from '../../../src/slack/web-api/clients.ts';
import {
  networkErrorText,
  readRefusal,
  readResponse,
  readSlackError,
  slackErrorText,
} from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { slackAt } from '../../harness/slack-at.ts';
import { OPERATOR, OPS, startWorkspace } from '../../sandbox/slack/harness/workspace-harness.ts';

const OWN_FAILURES = [
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'update_failed',
  'server_error',
  'team_added_to_org',
  'external_channel_migrating',
];
const RULES = [
  'invalid_blocks',
  'channel_not_found',
  'is_archived',
  'message_not_found',
  'edit_window_closed',
  'ratelimited',
  'missing_scope',
  'accesslimited',
  'expired_trigger_id',
  'hash_conflict',
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
  const scopes = [
    'chat:write',
    'channels:join',
    'channels:history',
    'channels:read',
    'im:write',
    'im:history',
    'files:write',
  ];
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
  const seen = () => (workspace.messages({ channel: OPS, user: 'operator' }) ?? []).filter(({ bot }) => bot);
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
const SOUGHT: readonly [string, string, (started: Conversations) => Promise<{ readonly kind: string }>][] = [
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
      expect([method, await call()]).toEqual([method, { kind: 'uncertain', detail: error, inFlight: false }]);
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
  const client = new WebClient('xoxb-1', { slackApiUrl, logger, retryConfig: { retries: 0 }, timeout: 500 });
  return client.auth.test().then(
    () => 'answered',
    (error: unknown) => slackErrorText(readSlackError(error)),
  );
}

describe('a Slack that does not answer', () => {
  it.each([
    ['refuses connections', closedAddress, 'the connection was refused'],
    ['cuts them', () => addressOf((socket) => socket.destroy()), 'the connection was cut'],
    ['says nothing', () => addressOf(() => undefined), 'no answer in time'],
    [
      'has no such name',
      async () => 'http://slack.invalid/',
      /DNS doesn’t know its name|DNS isn’t answering/,
    ],
    [
      'does not speak HTTP',
      () => addressOf((socket) => socket.end('hello\r\n')),
      /^no connection, or it was lost$|^an unreadable answer$/,
    ],
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
