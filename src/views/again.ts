/** The button that asks for a change once more which was not sent. */
import type { OperationRecord } from '../store/records.ts';
import { type Button, button } from './kit/blocks.ts';
import { writeButtonValue } from './kit/button-value.ts';
import { runButton } from './kit/run-button.ts';
import type { Choice } from './models/report-model.ts';

const AGAIN = { action: 'again', label: 'Request again' } as const;

/** On what shows an operation; null where something of it was sent, or where it is about several things. */
export function againButton({ id, targets }: OperationRecord): Button | null {
  const [only, ...others] = targets;
  if (only?.state !== 'not_sent' || others.length > 0) return null;
  const value = writeButtonValue({ do: 'again', operation: id });
  return value === null ? null : button({ ...AGAIN, value });
}

/** The same for what never became an operation; null where it is longer than a button can carry. */
export function choiceButton(choice: Choice): Button | null {
  return runButton({ ...AGAIN, ...choice });
}
