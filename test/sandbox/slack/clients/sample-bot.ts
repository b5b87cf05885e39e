/**
 * What the bots of this folder do, each by another library: they answer a command privately and with a card, open a
 * form for the card's button, refuse or take the reason, change the card, and read a channel when they are mentioned.
 */
import { getRequestListener } from '@hono/node-server';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { listenOnLoopback } from '../../../../src/sandbox/wire/listen.ts';

export type SampleBot = {
  /** The library, as in package.json. */
  readonly name: string;
  readonly transport: 'socket' | 'http';
  /** Connects the bot; it stops with the test. */
  readonly start: (workspace: Workspace) => Promise<void>;
};

export const ACTION = 'ask-why';
export const FORM = 'why';
export const FIELD = 'reason';

export const privateAnswer = (text: string) => `Looking for ${text}`;
export const cardText = (text: string) => `${text} is offline`;
export const changedText = (reason: string) => `Acknowledged: ${reason}`;
export const REFUSAL = 'Say more';
/** A reason is refused if it is shorter. */
export const LEAST_LENGTH = 5;

/** The answer to a mention: what people noted in the channel, oldest first. */
export function notesOf(newestFirst: readonly (string | undefined)[]): string {
  const notes = newestFirst.filter((text) => text?.startsWith('note: ')).toReversed();
  return `${notes.length} notes: ${notes.join('; ')}`;
}

/** Serves the bot over HTTP until the end of the test. */
export async function serveBot(workspace: Workspace, answer: Parameters<typeof getRequestListener>[0]) {
  const listener = getRequestListener(answer);
  const { url, stop } = await listenOnLoopback((server) => server.on('request', listener));
  onTestFinished(stop);
  workspace.setBotUrl(url);
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** Without a type of Slack's: every library has its own. */
export function cardBlocks(text: string) {
  const button = { type: 'button' as const, action_id: ACTION, text: plain('Why?'), value: text };
  return [
    { type: 'section' as const, text: { type: 'mrkdwn' as const, text: cardText(text) } },
    { type: 'actions' as const, elements: [button] },
  ];
}

/** The form; `where` is the card's place. */
export function formView(where: CardPlace) {
  const element = { type: 'plain_text_input' as const, action_id: FIELD };
  return {
    type: 'modal' as const,
    callback_id: FORM,
    private_metadata: JSON.stringify(where),
    title: plain('Reason'),
    submit: plain('Send'),
    blocks: [{ type: 'input' as const, block_id: FIELD, label: plain('Reason'), element }],
  };
}

export type CardPlace = { readonly channel: string; readonly ts: string };

/** The place that {@link formView} noted. */
export function placeIn(privateMetadata: string): CardPlace {
  const { channel, ts }: CardPlace = JSON.parse(privateMetadata);
  return { channel, ts };
}
