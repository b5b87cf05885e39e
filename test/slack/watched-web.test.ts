import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../src/clock.ts';
import { channelId, messageTs } from '../../src/ids.ts';
import type { SlackFault } from '../../src/slack/faults.ts';
import { type SlackWatch, watchedWeb } from '../../src/slack/watched-web.ts';
import { createFakeWeb } from './fake-web.ts';

const PLACE = { channel: channelId('C0ALERTS'), ts: messageTs('1.000001') };

/** What is told of a removal that ends so. */
async function told(fault: SlackFault): Promise<readonly string[]> {
  const said: string[] = [];
  const watch: SlackWatch = {
    answered: () => said.push('answered'),
    silent: () => said.push('silent'),
    refused: () => said.push('refused'),
    channelTook: () => said.push('took'),
    channelRefused: () => said.push('channel refused'),
    granted: () => said.push('granted'),
  };
  const web = createFakeWeb(createManualClock(instant(0)).now);
  web.next('remove', fault);
  await watchedWeb(web, watch).remove(PLACE);
  return said;
}

describe('what became of a call to Slack', () => {
  it.each<[string, SlackFault, string]>([
    ['silence where the answer was lost', { kind: 'uncertain', detail: 'cut', inFlight: false }, 'silent'],
    ['silence where there was no connection', { kind: 'unsent', detail: 'ENOTFOUND' }, 'silent'],
    ['an answer where Slack asks to wait', { kind: 'throttled', retryAfterMs: 1_000 }, 'answered'],
    ['an answer where Slack refuses it', { kind: 'refused', error: 'message_not_found' }, 'answered'],
    ['a refusal where it knows the token no more', { kind: 'refused', error: 'token_revoked' }, 'refused'],
  ])('is %s', async (_what, fault, word) => {
    expect(await told(fault)).toEqual([word]);
  });
});
