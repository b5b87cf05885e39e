/** The button that requests a change once more that was not sent, or not accepted. */
import { isUndone } from '../fleet/undone.ts';
import type { OperationId } from '../ids.ts';
import type { OperationRecord, TargetState } from '../store/records.ts';
import { type Button, button } from './kit/blocks.ts';
import { writeButtonValue } from './kit/button-value.ts';
import { runButton } from './kit/run-button.ts';
import type { Choice } from './models/report-model.ts';

const AGAIN = { action: 'again', label: 'Request again' } as const;

/** May still be sent, or is being sent. */
const UNDECIDED: ReadonlySet<TargetState> = new Set(['ready', 'issuing']);

/**
 * On what shows an operation, once it is certain what of it was not done; null where that is nothing. It names the
 * operation, which knows its devices: a list of them would not fit.
 */
export function againButton({ id, targets }: OperationRecord): Button | null {
  const undone = targets.filter(isUndone);
  if (undone.length === 0 || targets.some(({ state }) => UNDECIDED.has(state))) return null;
  if (undone.length === targets.length) return operationButton(id);
  const what = undone.every(({ state }) => state === 'not_sent') ? 'not sent' : 'not done';
  return operationButton(id, `${AGAIN.label}: ${undone.length} ${what}`);
}

/** The same where its targets are not at hand. */
export function operationButton(operation: OperationId, label: string = AGAIN.label): Button | null {
  const value = writeButtonValue({ do: 'again', operation });
  return value === null ? null : button({ ...AGAIN, label, value });
}

/** The same for what never became an operation; null where it is longer than a button can carry. */
export function choiceButton(choice: Choice): Button | null {
  return runButton({ ...AGAIN, ...choice });
}
