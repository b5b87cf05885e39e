/** The card of a command that needed no approval. */

import { operationShort, reason } from './approval.ts';
import { section } from './blocks.ts';
import { heading, md } from './escape.ts';
import { person } from './mentions.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';
import { outcome, wayOn } from './outcome.ts';
import { when } from './when.ts';
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
