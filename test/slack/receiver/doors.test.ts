/** What a request that is signed may still not do: come twice, or have its answer sent elsewhere. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { later, MINUTE, wallNow } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createSignatureMemory } from '../../../src/slack/receiver/request-checks.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { command, FORM, JSON_TYPE, post, signed, startHttp } from './receiver-harness.ts';

const asForm = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();

async function aStore() {
  const store = await memoryStore();
  onTestFinished(store.close);
  return store;
}

/** Posts what somebody recorded, header by header. */
const send = (url: string, body: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${url}/slack/events`, { method: 'POST', headers, body });

describe('a request that is sent again as it was', () => {
  const BODIES: readonly [string, string, string][] = [
    ['a command', FORM, asForm({ ...command, text: 'pause off' })],
    ['a press', FORM, asForm({ payload: JSON.stringify(aPress()) })],
    ['an event', JSON_TYPE, JSON.stringify(anEvent())],
  ];
  it.each(BODIES)('%s is refused, by each replica and after a restart', async (_, type, body) => {
    const { replicas } = await aStore();
    const first = await startHttp(replicas);
    const recorded = { 'content-type': type, ...signed(body) };
    expect((await send(first.url, body, recorded)).status).toBe(200);
    const second = await startHttp(replicas);
    for (const { url } of [first, second]) expect((await send(url, body, recorded)).status).toBe(401);
    expect([first.heard.length, second.heard.length]).toEqual([1, 0]);
  });

  it('is refused by one process also while the database does not answer', async () => {
    const rememberSignature = () => Promise.reject(new Error('down'));
    const { url, heard } = await startHttp({ rememberSignature });
    const body = asForm(command);
    const recorded = { 'content-type': FORM, ...signed(body) };
    expect((await send(url, body, recorded)).status).toBe(200);
    expect((await send(url, body, recorded)).status).toBe(401);
    expect(heard).toHaveLength(1);
  });

  it('is no retry of Slack’s, which has a new time and signature', async () => {
    const { replicas } = await aStore();
    const { url, heard } = await startHttp(replicas);
    const body = JSON.stringify(anEvent());
    expect((await post(url, body)).status).toBe(200);
    const retry = { 'content-type': JSON_TYPE, 'x-slack-retry-num': '1' };
    expect((await send(url, body, { ...retry, ...signed(body, { secondsAhead: 270 }) })).status).toBe(200);
    expect(heard).toHaveLength(2);
  });

  it('is remembered for ten minutes', async () => {
    const { replicas } = await aStore();
    const before = wallNow();
    expect(await createSignatureMemory(replicas, silentLog)('v0=1')).toBe(true);
    const comes = (minutes: number) => {
      const at = later(before, minutes * MINUTE);
      return replicas.rememberSignature('v0=1', at, later(at, 10 * MINUTE));
    };
    expect([await comes(9.9), await comes(11)]).toEqual([false, true]);
  });
});

describe('an answer', () => {
  const HOSTS: readonly [string, boolean][] = [
    ['https://hooks.slack.com/commands/T1/2/3', true],
    ['https://hooks.slack-gov.com/commands/T1/2/3', true],
    ['http://127.0.0.1:1/response/1', true],
    ['http://hooks.slack.com/commands/1', false],
    ['https://hooks.slack.com:8443/commands/1', false],
    ['https://hooks.slack.com@evil.example/1', false],
    ['https://user:word@hooks.slack.com/1', false],
    ['https://hooks.slack.com.evil.example/1', false],
    ['https://evil.example/hooks.slack.com', false],
    ['http://169.254.169.254/latest', false],
    ['file:///etc/passwd', false],
    ['not an address', false],
  ];
  it.each(HOSTS)('is sent to %s: %s', async (response_url, isSlack) => {
    const { url, answerable } = await startHttp();
    expect((await post(url, asForm({ ...command, response_url }), { type: FORM })).status).toBe(200);
    expect(answerable).toEqual([isSlack]);
  });
});

function aPress() {
  return {
    ...{ type: 'block_actions', user: { id: 'U1' }, channel: { id: 'C1' }, trigger_id: 't1' },
    container: { type: 'message', message_ts: '1.1' },
    actions: [{ action_id: 'resume', block_id: 'b', value: 'v' }],
    response_url: 'http://127.0.0.1:1/',
  };
}

function anEvent() {
  const event = { type: 'app_mention', channel: 'C1', user: 'U1', text: 'pause off', ts: '1.1' };
  return { type: 'event_callback', event_id: 'Ev1', event };
}
