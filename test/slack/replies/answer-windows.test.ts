/** Answers in a window whose blocks Slack refuses. */
import { describe, expect, it } from 'vitest';
import { isWindowClosed, showAnswer } from '../../../src/slack/replies/private-replies.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb, type ShownView } from '../../../src/slack/web-api/slack-web.ts';
import { loadingWindow, type Modal } from '../../../src/views/kit/answer-window.ts';
import { startRawBot } from '../../sandbox/slack/harness/raw-bot.ts';
import { clientOf, startWorkspace } from '../../sandbox/slack/harness/workspace-harness.ts';

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
