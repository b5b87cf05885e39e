/** Said while the answer takes long. */
import { context } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage } from './model.ts';

const WORDS = md`Looking…`;

export const LOOKING: RenderedMessage = message({ text: WORDS, body: [context(WORDS)] });
