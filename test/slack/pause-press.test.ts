/** The press that answers whether to pause all changes. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/commands/index.ts';
import { silentLog } from '../../src/log.ts';
import { createActions } from '../../src/slack/actions.ts';
import { createReplies } from '../../src/slack/replies.ts';
import type { View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';
import { START } from '../harness/builders.ts';
import { buttons } from '../views/drawn.ts';
import { allInternal } from './doors.ts';
import { createFakeWeb } from './fake-web.ts';

const NOTHING: View = { kind: 'pause', what: 'none' };

/** How the answer to the press is to be shown. */
async function answered(container: Readonly<Record<string, unknown>>, channel: string): Promise<unknown> {
  const taken: unknown[] = [];
  const web = createFakeWeb(() => START);
  const answer = async () => NOTHING;
  const { press } = createActions({
    registry,
    dispatch: { text: answer, command: answer, again: answer, decide: answer },
    desk: { addReason: async () => ({ kind: 'refused', outcome: { kind: 'absent' } }) },
    inbox: {
      take: async (_press, _trigger, _reply, options) => void taken.push(options),
      workOff: async () => ({ kind: 'done' }),
    },
    replies: createReplies({ web, log: silentLog }),
    reachOf: allInternal,
    note: answer,
    openForm: async () => null,
    kick: () => {},
    log: silentLog,
    web,
  });
  const asked = buttons(render({ kind: 'pause', what: 'ask' }));
  const actions = asked
    .filter(({ action }) => action === 'pause')
    .map(({ action, value }) => ({ action_id: action, value }));
  await press(
    { user: { id: 'U0ANN' }, channel: { id: channel }, container, trigger_id: 't1', actions },
    async () => {},
    async () => new Response('ok'),
  );
  return taken[0];
}

describe('the answer to a press that pauses all changes', () => {
  it.each([
    ['a private message', { is_ephemeral: true, message_ts: '1.000001' }, 'C0OPS'],
    ['a direct message', { message_ts: '1.000001' }, 'D0ANN'],
  ])('takes the place of the question in %s', async (_where, container, channel) => {
    expect(await answered(container, channel)).toEqual({ replace: true });
  });
});
