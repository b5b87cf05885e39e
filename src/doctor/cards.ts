/**
 * Whether Slack accepts our cards: one of each kind, with invented data, goes to `blocks.validate`, which posts nothing
 * (docs.slack.dev/reference/methods/blocks.validate).
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { wallNow } from '../lib/clock.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import { renderView } from '../views/render.ts';
import { type Finding, failFinding, okFinding, slackRemedy, warnFinding } from './finding.ts';
import { sampleCards } from './sample-cards.ts';

const CARDS_CHECK = 'Slack cards';

/** One finding for all cards: the first that Slack refuses, or how many it accepts. */
export async function checkCards(reads: Pick<WebClient, 'blocks'>): Promise<Finding> {
  const cards = Object.entries(sampleCards(wallNow())).flatMap(([kind, views]) =>
    views.map((view) => ({ kind, blocks: [...renderView(view).blocks] })),
  );
  for (const { kind, blocks } of cards) {
    const refusal = await refusalOf(() => reads.blocks.validate({ blocks }));
    if (refusal !== null) return refusalFinding(kind, refusal);
  }
  return okFinding(CARDS_CHECK, `Slack accepts all ${cards.length} sample cards`);
}

async function refusalOf(validate: () => Promise<unknown>): Promise<unknown> {
  try {
    await validate();
    return null;
  } catch (error) {
    return error;
  }
}

/** What `blocks.validate` answers beside its error. */
const problemsSchema = z.object({
  data: z.object({
    error: z.enum(['invalid_blocks', 'invalid_message']),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })),
  }),
});

function refusalFinding(kind: string, error: unknown): Finding {
  const refused = problemsSchema.safeParse(error);
  if (refused.success) {
    const [first] = refused.data.data.errors;
    const where = first === undefined ? '' : ` (${first.pointer}: ${first.message})`;
    return failFinding(
      CARDS_CHECK,
      `Slack rejects the sample card "${kind}"${where}`,
      'update Patchbay, or report this line; such cards are posted in a plainer form meanwhile',
    );
  }
  const fault = readSlackError(error);
  // Workspaces on older servers, and substitutes for Slack, may not have the method.
  return warnFinding(
    CARDS_CHECK,
    `could not be checked: ${slackErrorText(fault)}`,
    slackRemedy(fault, 'nothing to do: cards are posted in a plainer form where Slack rejects them'),
  );
}
