import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { channelId, messageTs } from '../../../src/lib/ids.ts';
import { monitoredWeb, type SlackMonitor } from '../../../src/slack/web-api/monitored-web.ts';
import type { SlackError } from '../../../src/slack/web-api/slack-errors.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

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
