/** The product's calls to Slack, sent to our workspace and to one written by others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import { withEmojiNames } from '../../../../src/sandbox/slack/objects/emoji-names.ts';
import { watchHosts } from '../harness/watch-hosts.ts';
import { shapeDifferences, shapeOf } from './answer-shape.ts';
import { KNOWN_DISAGREEMENTS } from './known-disagreements.ts';
import { type RecordedCall, recordProduct } from './recording.ts';
import { createReplay, disagreements, MADE_UP } from './replay.ts';
import { startOurs, startTheirs, type WorkspaceSide } from './workspaces.ts';

type ExtraCall = RecordedCall & { readonly label: string };

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

/** Made in this order, after the recorded calls: rarer ones, and refusals that the product must understand. */
const EXTRA_CALLS: readonly ExtraCall[] = [
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

const PEOPLE = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin', 'outsider'];
const CHANNELS = ['ops', 'approvals', 'patch-alerts', 'new-devices'];

describe('a second opinion on the local Slack', () => {
  const watched = watchHosts();
  const found = new Set<string>();
  const asked = new Set<string>();
  let ours: WorkspaceSide;
  let theirs: WorkspaceSide;

  beforeAll(async () => {
    const calls = await recordProduct();
    ours = await startOurs();
    theirs = await startTheirs(PEOPLE, CHANNELS);
    const [askOurs, askTheirs] = [createReplay(ours, ours.ids), createReplay(theirs, ours.ids)];
    for (const call of [...calls.map((call) => ({ ...call, label: call.method })), ...EXTRA_CALLS]) {
      asked.add(call.label);
      const lines = disagreements(await askOurs(call), await askTheirs(call));
      for (const line of lines) found.add(`${call.label}: ${line}`);
    }
  });
  afterAll(async () => {
    watched.stop();
    await ours?.stop();
    await theirs?.stop();
  });

  it('asks for all that the product asks for', () => {
    const methods = ['auth.test', 'apps.connections.open', 'usergroups.users.list', 'chat.postMessage'];
    expect([...asked]).toEqual(
      expect.arrayContaining([...methods, 'chat.getPermalink', 'chat.update', 'views.open']),
    );
  });

  it('finds no disagreement that is not known', () => {
    const known = new Set(KNOWN_DISAGREEMENTS.map(({ what }) => what));
    expect([...found].filter((line) => !known.has(line)).sort()).toEqual([]);
  });

  it('finds every known disagreement', () => {
    expect(KNOWN_DISAGREEMENTS.map(({ what }) => what).filter((what) => !found.has(what))).toEqual([]);
  });

  it('knows none in which the documentation is against us', () => {
    expect(KNOWN_DISAGREEMENTS.filter(({ right }) => right === 'theirs')).toEqual([]);
  });

  it.each(['approvals', 'patch-alerts'])('finds the same messages in #%s on both sides', async (channel) => {
    const [here, there] = [await contentOf(ours, channel), await contentOf(theirs, channel)];
    expect(here).not.toEqual([]);
    // The other one gives emoji back as they were sent.
    expect(here).toEqual(JSON.parse(withEmojiNames(JSON.stringify(there))));
  });

  it('never leaves this machine', () => {
    expect([...watched.hosts]).toEqual(['127.0.0.1']);
  });
});

/** The product's message contents, newest first. */
async function contentOf(side: WorkspaceSide, channel: string): Promise<readonly JsonObject[]> {
  const { messages = [] } = await side.client.conversations.history({
    channel: side.ids.get(channel) ?? '',
    include_all_metadata: true,
  });
  return messages.map(({ text, blocks = [], metadata }) => ({
    ...{ text, metadata },
    blocks: blocks.map((block) => ({ ...block, block_id: null })),
  }));
}

const between = (ours: unknown, theirs: unknown) => shapeDifferences(shapeOf(ours), shapeOf(theirs));

it.each([
  { what: 'the same', ours: { ok: true, ts: '1' }, theirs: { ok: true, ts: '2' }, lines: [] },
  { what: 'a key too much', ours: { a: 1 }, theirs: {}, lines: ['a: number / absent'] },
  { what: 'a key too few', ours: {}, theirs: { a: null }, lines: ['a: absent / null'] },
  { what: 'another kind', ours: { a: [] }, theirs: { a: {} }, lines: ['a: list / object'] },
  {
    what: 'a key deep down',
    ours: { list: [{ a: { b: '' } }] },
    theirs: { list: [{ a: {} }] },
    lines: ['list[].a.b: string / absent'],
  },
  {
    what: 'a whole part, said once',
    ours: { part: { a: 1, b: 2 } },
    theirs: {},
    lines: ['part: object / absent'],
  },
  {
    what: 'a list without entries',
    ours: { list: [] },
    theirs: { list: [{ a: 1 }] },
    lines: ['list[]: absent / object'],
  },
])('says of $what where the kinds differ', ({ ours, theirs, lines }) => {
  expect(between(ours, theirs)).toEqual(lines);
});

it('does not look into what came from the caller', () => {
  expect(between({ elements: [{ a: 1 }] }, { elements: [{ b: 1 }] })).toEqual([]);
});
