/** Sends calls to one workspace through Slack's own client and returns their outcome. */
import { beforeEach } from 'vitest';
import { asJsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import { type ApiReplyBody, bench } from '../conformance/conformance-harness.ts';
import { type RawBot, startRawBot } from '../harness/raw-bot.ts';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';

type Json = Readonly<Record<string, unknown>>;
/** A method with its arguments; channels, triggers and ids are filled in. */
export type SlackCall = { readonly method: string; readonly args: Json };
export type CallOutcome = { readonly word: string; readonly pointers: readonly string[] };
export type SlackUnderTest = {
  /** Makes the calls one after another and returns the outcome of the last. */
  readonly outcomeOf: (...calls: readonly SlackCall[]) => Promise<CallOutcome>;
};

/** The button in a modal that gives a trigger from inside it. */
export const MORE = { type: 'button', action_id: 'more', text: { type: 'plain_text', text: 'More' } };

/** One workspace for all tests of a file, with a Home and a bot that acknowledges everything. */
export function useSlack(): SlackUnderTest {
  const on = bench();
  let bot: RawBot | undefined;
  let viewId = '';
  beforeEach(async () => {
    bot = await startRawBot(on.workspace);
  });
  const trigger = () => bot?.last()['trigger_id'];
  /** Arguments that a method needs besides the one under test. */
  const missing = async (method: string): Promise<Json> => {
    switch (method) {
      case 'chat.postEphemeral':
        return { channel: OPS, user: OPERATOR };
      case 'chat.update': {
        const { ts } = await on.call('chat.postMessage', { channel: OPS, text: 'to be updated' });
        return { channel: OPS, ts };
      }
      case 'views.publish':
        return { user_id: OPERATOR };
      case 'views.update':
        return { view_id: viewId };
      case 'views.open':
        await on.workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
        return { trigger_id: trigger() };
      case 'views.push':
        await on.workspace.click({
          user: 'operator',
          channel: '',
          ts: '',
          view_id: viewId,
          action_id: 'more',
        });
        return { trigger_id: trigger() };
      default:
        return { channel: OPS };
    }
  };
  return {
    async outcomeOf(...calls) {
      let outcome: CallOutcome = { word: 'ok', pointers: [] };
      for (const { method, args } of calls) {
        const answer = await on.call(method, { ...(await missing(method)), ...args });
        const { id } = asJsonObject(answer['view']);
        if (method !== 'views.publish' && typeof id === 'string') viewId = id;
        outcome = { word: answer.ok ? 'ok' : String(answer['error']), pointers: pointersIn(answer) };
      }
      return outcome;
    },
  };
}

/** Where the problems are; the objects that Slack names around them are left out. */
function pointersIn({ ok, response_metadata }: ApiReplyBody): readonly string[] {
  const { messages } = asJsonObject(response_metadata);
  if (ok || !Array.isArray(messages)) return [];
  return messages
    .map(String)
    .filter((message) => !message.startsWith('[ERROR] failed to match all allowed schemas'))
    .flatMap((message) => /^\[ERROR\] .+ \[json-pointer:(.*)\]$/.exec(message)?.[1] ?? []);
}
