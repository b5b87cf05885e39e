/**
 * Every answer is a JSON object with `ok`, and with an error code when that is false
 * (https://docs.slack.dev/apis/web-api).
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allMethods } from '../../../../src/sandbox/slack/web-api/web-api.ts';
import { runs } from '../../../harness/runs.ts';
import { KNOWN_ERRORS } from '../documented/documented-lists.ts';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench, posted, WEB_API } from './conformance-harness.ts';

const on = bench();
const METHODS = allMethods(() => '').map(({ name }) => name);
const NAMES = [
  ...['channel', 'channel_id', 'user', 'users', 'user_id', 'bot', 'types', 'limit', 'cursor', 'oldest'],
  ...['ts', 'thread_ts', 'message_ts', 'text', 'blocks', 'metadata', 'view', 'view_id', 'trigger_id', 'hash'],
  ...['unfurls', 'files', 'filename', 'length', 'usergroup', 'initial_comment', '__proto__'],
];

/** Arguments of a careless program: valid ids, wrong types, deep structures, odd words. */
const value = (ts: string) =>
  fc.oneof(
    fc.constantFrom(OPS, OPERATOR, ts, 'V1', '', '0', 'true', '[]', '{}', '[{}]', 'null', '1e999'),
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.record({ type: fc.constantFrom('section', 'actions', 'input', 'x'), text: fc.jsonValue() })),
    fc.string(),
  );

it(`${WEB_API}: every call is answered with HTTP 200 and ok, whatever it says`, async () => {
  const ts = await posted(on);
  const call = fc.tuple(
    fc.constantFrom(...METHODS),
    fc.dictionary(fc.constantFrom(...NAMES), value(ts), { maxKeys: 6 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(call, async ([method, args, asJson]) => {
      const form = new URLSearchParams();
      for (const [name, each] of Object.entries(args))
        form.set(name, typeof each === 'string' ? each : JSON.stringify(each));
      const type = asJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
      const response = await fetch(on.workspace.apiUrl + method, {
        method: 'POST',
        headers: { authorization: `Bearer ${on.workspace.botToken}`, 'content-type': type },
        body: asJson ? JSON.stringify(args) : form.toString(),
      });
      expect(response.status).toBe(200);
      const answer: Record<string, unknown> = JSON.parse(await response.text());
      expect(typeof answer['ok']).toBe('boolean');
      // Only a refusal has an error code.
      expect(typeof answer['error']).toBe(answer['ok'] === true ? 'undefined' : 'string');
      if (answer['ok'] === false) expect([...KNOWN_ERRORS]).toContain(answer['error']);
    }),
    { numRuns: runs(400) },
  );
});

it('JSON too deep to be written down again is no JSON, so that people still see the channel', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const response = await fetch(`${on.workspace.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${on.workspace.botToken}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: `{"channel":"${OPS}","text":"hi","metadata":{"event_type":"x","event_payload":${deep}}}`,
  });
  expect(await response.json()).toMatchObject({ ok: false, error: 'invalid_json' });
  expect(on.workspace.messages({ user: 'operator', channel: 'ops' })).toEqual([]);
});
