/** A person with modals, and a bot that answers what they submit. */
import type { KnownBlock, ModalView } from '@slack/types';
import { type Envelope, startRawBot } from '../harness/raw-bot.ts';
import { aModal } from '../harness/sample-views.ts';
import {
  answerOf,
  button,
  type StartOptions,
  section,
  startWorkspace,
} from '../harness/workspace-harness.ts';

export type Json = Record<string, unknown>;
export const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: '' };
export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const GOOD = { why: { reason: 'because' } };
export const withButton = (view: ModalView = aModal()): ModalView => ({
  ...view,
  blocks: [...view.blocks, section('x', { accessory: button('go') }) as KnownBlock],
});

/** A person's modals; `answer` acknowledges what they submit. */
export async function stage(answer: (envelope: Envelope) => Json = () => ({}), options: StartOptions = {}) {
  const { workspace, clock } = await startWorkspace(options);
  const bot = await startRawBot(workspace, (envelope) =>
    envelope.payload['type'] === 'view_submission' ? answer(envelope) : {},
  );
  const trigger = async () => {
    const command = await workspace.command(asking);
    return command.ok ? command.trigger_id : '';
  };
  const call = (method: string, args: Json) => answerOf(workspace, method, args);
  const open = async (view: unknown = aModal()) => call('views.open', { trigger_id: await trigger(), view });
  const modals = () => workspace.views('operator').modals as (Json & { id: string; hash: string })[];
  const top = () => modals().at(-1) ?? { id: '', hash: '' };
  const submit = (values = GOOD, view_id = top().id) =>
    workspace.submit({ user: 'operator', view_id, values });
  const click = (view_id = top().id) =>
    workspace.click({ user: 'operator', channel: '', ts: '', view_id, action_id: 'go' });
  const push = async (view: unknown) => {
    await click();
    return call('views.push', { trigger_id: bot.last()['trigger_id'], view });
  };
  return { workspace, clock, bot, trigger, call, open, modals, top, submit, click, push };
}
