/** Private answers through a response URL. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import {
  createPrivateReplies,
  isWindowClosed,
  showAnswer,
} from '../../../src/slack/replies/private-replies.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb, type ShownView } from '../../../src/slack/web-api/slack-web.ts';
import { loadingWindow, type Modal } from '../../../src/views/kit/answer-window.ts';
import { startRawBot } from '../../sandbox/slack/harness/bots.ts';
import { clientOf, startWorkspace } from '../../sandbox/slack/harness/workspace-harness.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const NONE = { kind: 'pause', what: 'none' } as const;
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
  await teller.sendAnswer(NONE);
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

const LOST = { kind: 'uncertain', detail: 'fatal_error', inFlight: false } as const;

type Replies = ReturnType<typeof createPrivateReplies>;
const respondLost = async () => new Response('{"ok":false,"error":"internal_error"}');

it.each<[string, number, (replies: Replies) => Promise<void>]>([
  [
    'an answer after a lost response',
    1,
    (replies) => replies.toCommand(respondLost, CALLER).sendAnswer(NONE),
  ],
  ['an answer to a mention', 2, (replies) => replies.toMention(CALLER).sendAnswer(NONE)],
  ['the note that an answer takes a while', 1, (replies) => replies.toMention(CALLER).sendDelayNotice()],
])('%s whose outcome is unknown is whispered at most %d times', async (_, times, send) => {
  const sent = counting(LOST);
  await send(createPrivateReplies({ web: sent.web, log: silentLog }));
  expect(sent.whispers()).toBe(times);
});

it('a list that may have been replaced is replaced once more, and not sent beside it', async () => {
  const sent = counting({ kind: 'ok', value: null });
  let responses = 0;
  const respond = async () => {
    responses += 1;
    return responses === 1 ? Promise.reject(new Error('socket hang up')) : new Response('ok');
  };
  const reply = createPrivateReplies({ web: sent.web, log: silentLog }).viaResponseUrl(respond, CALLER);
  await reply(NONE, { replace: true });
  expect([responses, sent.whispers()]).toEqual([2, 0]);
});

/** A Slack whose ephemeral messages all end like this. */
function counting(ending: SlackResult<null>) {
  let whispers = 0;
  const web = {
    ...createFakeSlackWeb(() => instant(0)),
    ephemeral: async () => {
      whispers += 1;
      return ending;
    },
  };
  return { web, whispers: () => whispers };
}

const HOSTILE = { text: 'the answer in words', blocks: [{ type: 'no_such_block' }] };
const PLACE = { depth: 1 };

/** Shows the answer in a window whose first update ends with this. */
async function shownAfter(first: SlackResult<ShownView>) {
  const windows: Modal[] = [];
  const ends = [first];
  const showView = async (_where: unknown, window: Modal) => {
    windows.push(window);
    return ends.shift() ?? ({ kind: 'ok', value: { id: 'V1', hash: 'h' } } as const);
  };
  const shown = await showAnswer({ showView }, 'V1', HOSTILE, PLACE);
  return { shown, windows: windows.map(({ blocks }) => JSON.stringify(blocks)) };
}

describe('an answer in a window', () => {
  it.each(['invalid_arguments', 'invalid_blocks', 'view_too_large'])(
    'goes in words where Slack says %s',
    async (error) => {
      const { shown, windows } = await shownAfter({ kind: 'refused', error });
      expect(shown.kind).toBe('ok');
      expect(windows).toEqual([
        expect.stringContaining('no_such_block'),
        expect.stringContaining('the answer in words'),
      ]);
    },
  );

  it.each<SlackResult<ShownView>>([
    { kind: 'refused', error: 'not_found' },
    { kind: 'refused', error: 'token_revoked' },
    { kind: 'throttled', retryAfterMs: 1_000 },
    { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
  ])('is not said again where that would not help: %o', async (fault) => {
    const { shown, windows } = await shownAfter(fault);
    expect(shown).toEqual(fault);
    expect(windows).toHaveLength(1);
  });

  it('goes in words to a Slack that checks it', async () => {
    const { workspace } = await startWorkspace();
    await startRawBot(workspace);
    const asked = await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
    if (!asked.ok) throw new Error('no trigger');
    const client = clientOf(workspace);
    const web = createSlackWeb({ writes: client, reads: client, upload: async () => undefined });
    const opened = await web.showView({ kind: 'open', triggerId: asked.trigger_id }, loadingWindow(1));
    if (opened.kind !== 'ok') throw new Error('no window');
    expect(await showAnswer(web, opened.value.id, HOSTILE, PLACE)).toMatchObject({ kind: 'ok' });
    expect(JSON.stringify(workspace.views('operator').modals)).toContain('the answer in words');
    const closed = await showAnswer(web, 'V0', HOSTILE, PLACE);
    expect(isWindowClosed(closed)).toBe(true);
  });
});
