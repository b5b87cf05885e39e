/** Private answers through a response URL. */
import { expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const CALLER = { channel: channelId('C1'), person: personId('U1') };

async function answered(respond: () => Promise<Response>) {
  const whispered: string[] = [];
  const fake = createFakeSlackWeb(() => instant(0));
  const web = {
    ...fake,
    ephemeral: async (...[, , { text }]: Parameters<typeof fake.ephemeral>) => {
      whispered.push(text);
      return { kind: 'ok', value: null } as const;
    },
  };
  let responses = 0;
  const teller = createPrivateReplies({ web, log: silentLog }).toCommand(() => {
    responses += 1;
    return respond();
  }, CALLER);
  await teller.sendAnswer({ kind: 'pause', what: 'none' });
  return { whispered, responses };
}

it('an answer is sent once where the response URL takes it', async () => {
  expect(await answered(async () => new Response('ok'))).toEqual({ whispered: [], responses: 1 });
});

it('an answer is sent again as an ephemeral message where its outcome is unknown', async () => {
  const lost = await answered(async () => Promise.reject(new Error('socket hang up')));
  expect(lost.responses).toBe(1);
  expect(lost.whispered).toHaveLength(1);
});
