/** Signed HTTP (docs.slack.dev/authentication/verifying-requests-from-slack, /apis/events-api). */
import { createHmac, randomBytes } from 'node:crypto';
import { wallNow } from '../../../lib/clock.ts';
import type { ControlAnswer } from '../../contracts/people.ts';
import { parseJson } from '../../parse-json.ts';
import type { InstalledApp } from '../core/installed-app.ts';
import { asJsonObject } from '../core/json-object.ts';
import {
  ACKNOWLEDGE_WITHIN_MS,
  type DeliveryOutcome,
  type DeliveryRequest,
  TIMED_OUT,
  UNREACHABLE,
  undeliveredOutcome,
} from './delivery.ts';

/** Bolt's default path for commands, interactions and events. */
const ENDPOINT = '/slack/events';
const FORM = 'application/x-www-form-urlencoded';

export type HttpDelivery = Readonly<ReturnType<typeof createHttpDelivery>>;
type HttpOptions = { readonly app: InstalledApp; readonly botUrl: () => string | null };
type SignedBody = { readonly type: string; readonly body: string; readonly headers?: Record<string, string> };

export function createHttpDelivery({ app, botUrl }: HttpOptions) {
  const endpoint = () => {
    const root = botUrl();
    return root === null ? null : new URL(ENDPOINT, root);
  };
  return {
    async deliver(envelope: DeliveryRequest): Promise<DeliveryOutcome> {
      const url = endpoint();
      if (url === null) return UNREACHABLE;
      try {
        return await outcomeOf(envelope, await send(app, url, encodeBody(envelope)));
      } catch (error) {
        return networkErrorOf(error);
      }
    },
    /** Sends the URL verification challenge, as Slack does when the address is entered. */
    async verify(): Promise<ControlAnswer> {
      const url = endpoint();
      if (url === null) return { ok: false, error: 'no_request_url' };
      const challenge = randomBytes(24).toString('hex');
      const body = JSON.stringify({ token: app.verificationToken, challenge, type: 'url_verification' });
      try {
        const response = await send(app, url, { type: 'application/json', body });
        const answer = asJsonObject(parseJson(await response.text()));
        const isRight = response.status === 200 && answer['challenge'] === challenge;
        return isRight ? { ok: true } : { ok: false, error: 'challenge_failed' };
      } catch {
        return { ok: false, error: 'request_url_unreachable' };
      }
    },
  };
}

async function send(app: InstalledApp, url: URL, { type, body, headers }: SignedBody): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': type,
      // As in requests that a receiver wrote down (latenode, 2026-02; prismatic-io, 2025-08).
      accept: type === FORM ? 'application/json,*/*' : '*/*',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...headers,
      ...signature(app.signingSecret, body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ACKNOWLEDGE_WITHIN_MS),
  });
}

/** Commands are a form, interactions a form with JSON in one field, events JSON. */
function encodeBody({ kind, payload, retry }: DeliveryRequest): SignedBody {
  switch (kind) {
    case 'slash_commands': {
      const fields = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]);
      return { type: FORM, body: new URLSearchParams(fields).toString() };
    }
    case 'interactive':
      return { type: FORM, body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString() };
    case 'events_api': {
      const headers: Record<string, string> = retry
        ? { 'x-slack-retry-num': String(retry.attempt), 'x-slack-retry-reason': retry.reason }
        : {};
      return { type: 'application/json', body: JSON.stringify(payload), headers };
    }
  }
}

function signature(secret: string, body: string): Record<string, string> {
  const seconds = Math.floor(wallNow() / 1_000);
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${digest}` };
}

/** Any 2xx acknowledges an event; only 200 acknowledges a command or an interaction. */
async function outcomeOf({ kind }: DeliveryRequest, response: Response): Promise<DeliveryOutcome> {
  const text = await response.text();
  const isTaken = kind === 'events_api' ? response.ok : response.status === 200;
  if (!isTaken) {
    const final = response.headers.get('x-slack-no-retry') === '1';
    return undeliveredOutcome('http_error', final);
  }
  const type = response.headers.get('content-type') ?? '';
  const json = type.includes('json') ? parseJson(text) : undefined;
  if (json !== undefined) return { kind: 'acknowledged', body: asJsonObject(json) };
  return { kind: 'acknowledged', body: text.trim() === '' ? {} : { text } };
}

function networkErrorOf(error: unknown): DeliveryOutcome {
  return error instanceof Error && error.name === 'TimeoutError' ? TIMED_OUT : UNREACHABLE;
}
