/** The card of a command that needed no approval. */

import { operationShort, reason } from './approval.ts';
import { section } from './kit/blocks.ts';
import { heading, md } from './kit/escape.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { outcome, wayOn } from './outcome.ts';
import { commandWords, deedTitle } from './words.ts';

export function renderOperation({ operation }: Extract<View, { kind: 'operation' }>): RenderedMessage {
  const names = operation.targets.map((target) => target.displayName);
  const [name = ''] = names;
  const subject = names.length === 1 ? name : `${names.length} devices`;
  const why = operation.reason === null ? md`` : md` ${reason(operation.reason)}`;
  return message({
    text: md`${deedTitle(operation.command, names)}: ${operationShort(operation)}.`,
    body: [
      section(heading(commandWords(operation.command), subject)),
      section(md`Asked for by ${person(operation.requesterId)} ${when(operation.createdAt)}.${why}`),
      ...outcome(operation),
    ],
    end: wayOn(operation),
  });
}
