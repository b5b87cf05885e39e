/** The card of a command that needed no approval. */

import { cardTitle, operationLabel, reason, stateLine } from './approval.ts';
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { outcome, wayOn } from './outcome.ts';

export function renderOperation({ operation }: Extract<View, { kind: 'operation' }>): RenderedMessage {
  const label = operationLabel(operation);
  const why =
    operation.reason === null || operation.reason === '' ? md`` : md` · ${reason(operation.reason)}`;
  return message({
    text: stateLine(label, operation),
    body: [
      section(cardTitle(label, operation)),
      section(md`Requested by ${person(operation.requesterId)} ${when(operation.createdAt)}${why}`),
      ...outcome(operation),
    ],
    end: wayOn(operation),
  });
}
