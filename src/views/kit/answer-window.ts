/** The window that answers where there is no place for private messages, or in the place of a form. */
import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import type { Block } from '../model.ts';
import { section } from './blocks.ts';
import { withoutRichBlocks } from './charts.ts';
import { type Mrkdwn, md, truncate, trustedMrkdwn } from './escape.ts';
import { LIMIT } from './limits.ts';

/** `callback_id` of an answer. */
export const ANSWER_WINDOW_CALLBACK = 'home_answer';

export type PlainText = { readonly type: 'plain_text'; readonly text: string };
/** As Slack's `views.open`, `views.push` and `views.update` take it. */
export type AnswerWindow = {
  readonly type: 'modal';
  readonly callback_id: string;
  /** An {@link AnswerWindowState}. */
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

/** Where a window stands, and where what its buttons ask for belongs. */
export type AnswerWindowState = {
  /** How many windows lie over each other with this one. */
  readonly depth: number;
  /** Absent: the person's direct message. */
  readonly channel?: ChannelId | undefined;
  readonly thread?: MessageTs | undefined;
};

const stateSchema = z.object({
  depth: z.int().positive(),
  channel: z.string().transform(channelId).optional(),
  thread: z.string().transform(messageTs).optional(),
});

/** The place that a window carries; one over no other where it carries none. */
export function readAnswerWindowState(text: string): AnswerWindowState {
  try {
    return stateSchema.safeParse(JSON.parse(text)).data ?? { depth: 1 };
  } catch {
    return { depth: 1 };
  }
}

/** What is shown at once, because a trigger lives three seconds. */
export function loadingWindow(depth: number): AnswerWindow {
  return answerWindow([section(md`Looking…`)], { depth });
}

/** The same for what was asked for and is stored. */
export function acceptedWindow(at: AnswerWindowState): AnswerWindow {
  return answerWindow([section(ACCEPTED_TEXT)], at);
}
const ACCEPTED_TEXT: Mrkdwn = md`Looking…\nYour request is saved. The answer will appear here. If you close this window, or it can’t be updated, you’ll get the answer in a message.`;

/** An answer as a message has it, in a window. */
export function answerWindow(blocks: readonly Block[], at: AnswerWindowState): AnswerWindow {
  const { depth } = at;
  return {
    type: 'modal',
    callback_id: ANSWER_WINDOW_CALLBACK,
    private_metadata: JSON.stringify(at),
    title: { type: 'plain_text', text: 'Patchbay' },
    close: { type: 'plain_text', text: depth > 1 ? 'Back' : 'Close' },
    blocks: withoutRichBlocks(blocks).slice(0, LIMIT.modalBlocks),
  };
}

/** The same in words alone, for a Slack that does not understand the blocks. */
export function textWindow(words: string, at: AnswerWindowState): AnswerWindow {
  return answerWindow([section(trustedMrkdwn(truncate(words, LIMIT.sectionText)))], at);
}
