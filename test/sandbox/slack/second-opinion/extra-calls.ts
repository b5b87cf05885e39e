/** Rarer calls of the product that the recording lacks, and refusals that it must understand. */
import type { JsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import type { RecordedCall } from './recording.ts';
import { MADE_UP } from './replay.ts';

export type ExtraCall = RecordedCall & { readonly label: string };

const OPS = 'C0OPS000001';
const APPROVALS = 'C0APPROVALS';
const OPERATOR = 'U0OPERATOR1';
const NOWHERE = 'C0NOWHERE00';
const NO_TS = '1000000000.000001';
const block = { type: 'section', text: { type: 'mrkdwn', text: 'hello' } };
const view = { type: 'modal', title: { type: 'plain_text', text: 'Reason' }, blocks: [block] };

function aCase(method: string, how: string, args: JsonObject): ExtraCall {
  return { label: how === '' ? method : `${method} ${how}`, method, args, answer: {} };
}

/** Made in this order, after the recorded calls. */
export const EXTRA_CALLS: readonly ExtraCall[] = [
  aCase('conversations.info', '', { channel: OPS }),
  aCase('conversations.open', '', { users: OPERATOR }),
  aCase('chat.postEphemeral', '', { channel: OPS, user: OPERATOR, text: 'hello', blocks: [block] }),
  aCase('conversations.history', '', { channel: APPROVALS, limit: 200, include_all_metadata: true }),
  aCase('conversations.history', 'of one page', { channel: APPROVALS, limit: 1 }),
  aCase('conversations.history', 'of the future', { channel: APPROVALS, oldest: '4000000000.000000' }),
  aCase('auth.test', 'with a made-up token', { token: 'xoxb-made-up' }),
  aCase('fleet.dance', '', {}),
  aCase('chat.postMessage', 'to nowhere', { channel: NOWHERE, text: 'hello' }),
  aCase('chat.postMessage', 'of nothing', { channel: OPS }),
  aCase('chat.postMessage', 'of 51 blocks', { channel: OPS, text: 'hello', blocks: Array(51).fill(block) }),
  aCase('chat.postMessage', 'of an unknown block', {
    channel: OPS,
    text: 'hello',
    blocks: [{ type: 'hologram' }],
  }),
  aCase('chat.postMessage', 'with metadata without a type', {
    ...{ channel: OPS, text: 'hello', metadata: { event_payload: {} } },
  }),
  aCase('chat.update', 'of no message', { channel: OPS, ts: NO_TS, text: 'hello' }),
  aCase('chat.update', 'nowhere', { channel: NOWHERE, ts: NO_TS, text: 'hello' }),
  aCase('chat.postEphemeral', 'to nowhere', { channel: NOWHERE, user: OPERATOR, text: 'hello' }),
  aCase('chat.postEphemeral', 'to nobody', { channel: OPS, user: 'U0NOBODY000', text: 'hello' }),
  aCase('chat.getPermalink', 'of no message', { channel: OPS, message_ts: NO_TS }),
  aCase('conversations.history', 'of nowhere', { channel: NOWHERE }),
  aCase('conversations.info', 'of nowhere', { channel: NOWHERE }),
  aCase('conversations.open', 'with nobody', { users: 'U0NOBODY000' }),
  aCase('views.open', 'with a made-up trigger', { trigger_id: MADE_UP, view }),
];
