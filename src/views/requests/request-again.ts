/** The button that requests a change once more that was not sent, or not accepted. */

import { isAgain } from '../../rollout/results.ts';
import { saysGone } from '../../store/port/evidence.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { fallbackText } from '../kit/block-text.ts';
import { type Button, button, context, rowBlocks, section } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { runButton } from '../kit/command-buttons.ts';
import { md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage, fitsMessage, mapBothForms } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { CommandChoice } from '../models/report-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { countText } from '../text/common-text.ts';
import type { NestedViews, View } from '../views.ts';
import { leftOutRows } from './left-out.ts';

/** Commands that were not sent were requested again, without the devices in `unrequested`. `view` null: none could be. */
export type RequestedAgainView = {
  readonly kind: 'requested-again';
  readonly view: View | null;
  readonly unrequested: readonly UnrequestedTarget[];
};

const REQUEST_AGAIN = { action: 'again', label: 'Request again' } as const;

/** The button for a card or message about a request of one device; null where it cannot be requested again. */
export function requestAgainButton(request: RequestWithTargets): Button | null {
  const undone = request.targets.some(
    (target) => isAgain(request, null, target) && !saysGone(target.evidence),
  );
  const value = undone ? writeButtonValue({ do: 'again', operation: request.id }) : null;
  return value === null ? null : button({ ...REQUEST_AGAIN, value });
}

/** The same for input that never became an operation; null where it does not fit into a button. */
export function requestChoiceAgainButton(choice: CommandChoice): Button | null {
  return runButton({ ...REQUEST_AGAIN, ...choice });
}

/** Private answer to *Request again*, where some devices could not be requested. */

const BUDGET = 5_000;

/** What was to be done is done on the device. */
const HAVE_IT: readonly Problem['kind'][] = ['nothing-to-install', 'none-missing', 'already-so'];
const NOT_COUNTED = md`Ignored and deferred packages aren’t counted.`;

export function renderRequestedAgain(
  { view, unrequested }: RequestedAgainView,
  { draw }: NestedViews,
): RenderedMessage {
  const requested = view && draw(view);
  if (unrequested.length === 0 && requested === null) {
    const text = md`Everything was already sent. Nothing was requested.`;
    return buildMessage({ text, body: [section(text)] });
  }
  const list = rowBlocks(leftOutRows(unrequested), {
    budget: BUDGET,
    more: (left) => md`${left} more not shown.`,
  });
  if (requested === null && unrequested.every(({ problem }) => HAVE_IT.includes(problem.kind))) {
    const devices = unrequested.length;
    const all = devices === 1 ? md`the device has` : md`all ${devices} devices have`;
    const text = md`Nothing to retry: ${all} it now.`;
    return buildMessage({ text, body: [section(text), context(NOT_COUNTED)] });
  }
  if (requested === null) {
    const text = md`Nothing was requested for ${countText(unrequested.length, 'device')}:`;
    return buildMessage({ text, body: [section(text), ...list] });
  }
  const notRequestedNote = section(md`Not requested for ${countText(unrequested.length, 'device')}:`);
  const both = mapBothForms(requested, (blocks) => {
    const more = [...blocks, notRequestedNote, ...list];
    return fitsMessage(more) ? more : [...blocks, notRequestedNote];
  });
  // The first block's words are replaced by the text of the whole answer, so the note is passed twice.
  return {
    ...both,
    text: fallbackText(trustedMrkdwn(requested.text), [notRequestedNote, notRequestedNote, ...list]),
  };
}
