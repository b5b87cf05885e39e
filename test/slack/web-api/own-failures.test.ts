/** Answers that name a failure of Slack's own: what was asked for may have been done, so it is looked for before it is repeated. */
import { describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { secret } from '../../../src/lib/secret.ts';
import { createClients } from '../../../src/slack/web-api/clients.ts';
import { readRefusal, readResponse } from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb, type SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { slackAt } from '../../harness/slack-at.ts';
import { clientOf, OPERATOR, OPS, startWorkspace } from '../../sandbox/slack/harness/workspace-harness.ts';

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
  await clientOf(workspace).conversations.join({ channel: OPS });
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

/** Calls whose effect stands in a conversation. */
const SOUGHT: readonly [string, string, (web: SlackWeb) => Promise<{ readonly kind: string }>][] = [
  ['a message', 'chat.postMessage', (web) => web.say(CHANNEL, WORDS)],
  ['a file', 'files.completeUploadExternal', (web) => web.sendFile(CHANNEL, { name: 'a.csv', text: 'a' })],
];

describe('after an answer that names a failure of Slack', () => {
  it.each(SOUGHT.flatMap(([what, ...call]) => OWN_FAILURES.map((error) => [what, error, ...call] as const)))(
    '%s that stands is not sent again (%s)',
    async (_what, error, method, send) => {
      const { web, answers, calls, seen } = await startSlack();
      answers(method, 1, { error });
      expect((await send(web)).kind).toBe('ok');
      expect([calls(method), seen().length]).toEqual([1, 1]);
    },
  );

  it.each(SOUGHT)(
    '%s with a status of 5xx and JSON is not sent again either',
    async (_what, method, send) => {
      const { web, answers, calls, seen } = await startSlack();
      answers(method, 1, { error: 'internal_error', status: 503 });
      expect((await send(web)).kind).toBe('ok');
      expect([calls(method), seen().length]).toEqual([1, 1]);
    },
  );

  it('a reply in a thread is looked for there', async () => {
    const { web, answers, calls } = await startSlack();
    const first = await web.say(CHANNEL, WORDS);
    if (first.kind !== 'ok') throw new Error('not posted');
    answers('chat.postMessage', 1, { error: 'fatal_error' });
    expect((await web.say(CHANNEL, WORDS, first.value.ts)).kind).toBe('ok');
    expect(calls('chat.postMessage')).toBe(2);
  });

  it('a direct message that stands is not sent again', async () => {
    const { web, answers, calls } = await startSlack();
    const direct = await web.openDirect(PERSON);
    if (direct.kind !== 'ok') throw new Error('no direct message');
    answers('chat.postMessage', 1, { error: 'internal_error' });
    expect((await web.say(direct.value, WORDS)).kind).toBe('ok');
    expect(calls('chat.postMessage')).toBe(1);
  });

  it('an edit that shows is not made again', async () => {
    const { web, answers, calls } = await startSlack();
    const first = await web.say(CHANNEL, WORDS);
    if (first.kind !== 'ok') throw new Error('not posted');
    answers('chat.update', 1, { error: 'update_failed' });
    expect((await web.edit(first.value, { text: 'edited', blocks: [] })).kind).toBe('ok');
    expect(calls('chat.update')).toBe(1);
  });

  it('a message that does not stand is sent once more, and no more', async () => {
    const { web, calls, seen, fails } = await startSlack();
    fails(1);
    expect((await web.say(CHANNEL, WORDS)).kind).toBe('ok');
    expect([calls('chat.postMessage'), seen().length]).toEqual([2, 1]);
    fails(9);
    expect((await web.say(CHANNEL, WORDS)).kind).toBe('uncertain');
    expect([calls('chat.postMessage'), seen().length]).toEqual([4, 1]);
  });

  it.each(OWN_FAILURES)('nothing else is believed refused (%s)', async (error) => {
    const { web, answers } = await startSlack();
    const place = await web.say(CHANNEL, WORDS);
    if (place.kind !== 'ok') throw new Error('not posted');
    const others: readonly [string, () => Promise<unknown>][] = [
      ['chat.postMessage', () => web.post(CHANNEL, CARD)],
      ['chat.update', () => web.update(place.value, CARD)],
      ['chat.postEphemeral', () => web.ephemeral(CHANNEL, PERSON, WORDS)],
      ['chat.delete', () => web.remove(place.value)],
      ['conversations.open', () => web.openDirect(PERSON)],
    ];
    for (const [method, call] of others) {
      answers(method, 1, { error });
      expect([method, await call()]).toEqual([method, { kind: 'uncertain', detail: error, inFlight: false }]);
    }
  });
});
