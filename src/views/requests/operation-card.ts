/** The card of a command that needed no approval. */

import { section } from '../kit/blocks.ts';
import { md } from '../kit/escape.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage, View } from '../model.ts';
import { cardTitle, operationLabel, reasonText, stateLine } from './approval-card.ts';
import { nextStepButtons, outcomeBlocks } from './outcome.ts';

export function renderOperationCard({ operation }: Extract<View, { kind: 'operation' }>): RenderedMessage {
  const label = operationLabel(operation);
  const why =
    operation.reason === null || operation.reason === '' ? md`` : md` · ${reasonText(operation.reason)}`;
  return buildMessage({
    text: stateLine(label, operation),
    body: [
      section(cardTitle(label, operation)),
      section(
        md`Requested by ${mentionPerson(operation.requesterId)} ${relativeDate(operation.createdAt)}${why}`,
      ),
      ...outcomeBlocks(operation),
    ],
    footer: nextStepButtons(operation),
  });
}
