/** The buttons that open the form of a change, filled with what was not done. */

import { changesRecord } from '../../fleet/model/actions.ts';
import { type AgainSet, isAgain } from '../../rollout/results.ts';
import { saysGone } from '../../store/port/evidence.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { type Button, type ButtonOptions } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';
import type { CommandChoice } from '../models/report-model.ts';

const REQUEST_AGAIN = { action: 'again', label: 'Request again' } as const;
const RETRY = { action: 'retry:failed', label: 'Retry' } as const;

/** The button for a card or message about a request of one device; null where it cannot be requested again. */
export function requestAgainButton(request: RequestWithTargets): Button | null {
  const isLeft = (of: AgainSet) =>
    request.targets.some((target) => isAgain(request, of, target) && !saysGone(target.evidence));
  if (isLeft(null)) return againButton(request, null, REQUEST_AGAIN);
  // An edit that is not confirmed may have been made.
  return isLeft('failed') && !changesRecord(request.action) ? againButton(request, 'failed', RETRY) : null;
}

/** By reference, because a command may be too long for a button. `of`: see `commands/forms/request-again.ts`. */
export function againButton(
  { id: request, action: { kind } }: Pick<RequestWithTargets, 'id' | 'action'>,
  of: 'failed' | 'not-sent' | null,
  words: Pick<ButtonOptions, 'action' | 'label'>,
): Button | null {
  const command = kind === 'patch-all' || kind === 'patch-each' ? 'patch' : kind;
  return formButton({ ...words, command, input: { again: { request, of } } });
}

/** The same for input that never became an operation; null where it does not fit into a button. */
export function requestChoiceAgainButton(choice: CommandChoice): Button | null {
  return runButton({ ...REQUEST_AGAIN, ...choice });
}
