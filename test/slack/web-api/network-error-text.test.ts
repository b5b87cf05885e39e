import { createServer, type Server } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/lib/log.ts';
import { slackLogger } from '../../../src/slack/web-api/clients.ts';
import { networkErrorText, readSlackError, slackErrorText } from '../../../src/slack/web-api/slack-errors.ts';

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
