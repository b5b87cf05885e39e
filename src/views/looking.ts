/** Said while the answer takes long. */
import { context } from './kit/blocks.ts';
import { type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage } from './model.ts';

const said = (words: Mrkdwn): RenderedMessage => message({ text: words, body: [context(words)] });

/** Where the answer takes its place. */
export const LOOKING = said(md`Looking…`);

/** Where it stays for good, so it must be true beside the answer, too. */
export const LATE = said(md`This took longer than usual, so the answer comes below.`);
