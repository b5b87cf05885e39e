import { randomBytes } from 'node:crypto';
import { asJsonObject } from '../../core/json-object.ts';

/** In every recorded answer (slack-ruby/slack-ruby-client, spec/fixtures/slack/web, 2021 and 2025). */
const ALWAYS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache, no-store, must-revalidate',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-slack-req-id, retry-after',
  'x-content-type-options': 'nosniff',
};

/** An answer of Slack; each has an id of its own. */
export function jsonAnswer(body: unknown, { headers, ...init }: ResponseInit = {}): Response {
  const answer = Response.json(body, { ...init, headers: headers ?? {} });
  for (const [name, value] of Object.entries(ALWAYS)) answer.headers.set(name, value);
  answer.headers.set('x-slack-req-id', randomBytes(16).toString('hex'));
  // ansible-collections/community.general, pull request 12032, an answer of 2026-05-17
  const { ok, error } = asJsonObject(body);
  if (ok === false) answer.headers.set('x-slack-failure', String(error));
  return answer;
}
