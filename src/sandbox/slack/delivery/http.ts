/** Signed HTTP (docs.slack.dev/authentication/verifying-requests-from-slack, /apis/events-api). */
import { createHmac } from 'node:crypto';
import { wallNow } from '../../../clock.ts';
import type { App } from '../app.ts';
import { fieldsOf, parseJson } from '../json.ts';
import {
  ACK_WITHIN_MS,
  type Deliver,
  type Envelope,
  type Outcome,
  TIMED_OUT,
  UNREACHABLE,
} from './delivery.ts';

/** Bolt's default address for commands, interactions and events alike. */
const ENDPOINT = '/slack/events';

type HttpOptions = { readonly app: App; readonly botUrl: () => string | null };

export function createHttpDelivery({ app, botUrl }: HttpOptions): Deliver {
  return async (envelope) => {
    const root = botUrl();
    if (root === null) return UNREACHABLE;
    const body = bodyOf(envelope);
    const headers = { ...headersOf(envelope), ...signature(app.signingSecret, body) };
    try {
      const response = await fetch(new URL(ENDPOINT, root), {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ACK_WITHIN_MS),
      });
      return await outcomeOf(response);
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? TIMED_OUT : UNREACHABLE;
    }
  };
}

/** Commands are a form, interactions a form with JSON in its one field, events JSON. */
function bodyOf({ kind, payload }: Envelope): string {
  switch (kind) {
    case 'slash_commands':
      return new URLSearchParams(
        Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
    case 'interactive':
      return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    case 'events_api':
      return JSON.stringify(payload);
  }
}

function headersOf({ kind, retry }: Envelope): Record<string, string> {
  return {
    'content-type': kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    ...(retry ? { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retry.reason } : {}),
  };
}

function signature(secret: string, body: string): Record<string, string> {
  const seconds = Math.floor(wallNow() / 1_000);
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const text = await response.text();
  if (!response.ok) {
    const final = response.headers.get('x-slack-no-retry') === '1';
    return { kind: 'failed', error: 'dispatch_failed', reason: 'http_error', final };
  }
  const type = response.headers.get('content-type') ?? '';
  const json = type.includes('json') ? parseJson(text) : undefined;
  if (json !== undefined) return { kind: 'acknowledged', body: fieldsOf(json) };
  return { kind: 'acknowledged', body: text.trim() === '' ? {} : { text } };
}
