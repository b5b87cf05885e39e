/** Said while the answer takes long. */
import { context } from './blocks.ts';
import { md } from './escape.ts';
import { message } from './message.ts';
import type { RenderedMessage } from './model.ts';

const WORDS = md`Looking…`;

export const LOOKING: RenderedMessage = message({ text: WORDS, body: [context(WORDS)] });
