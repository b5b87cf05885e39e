/** Buttons that carry a command: to run it, or to open its form. */
import type { ButtonValue } from '../model.ts';
import { type Button, type ButtonOptions, button } from './blocks.ts';
import { writeButtonValue } from './button-value.ts';
import { inlineCode, type Mrkdwn } from './escape.ts';
import { DISPLAY_LIMIT } from './limits.ts';

type RunButtonOptions = Omit<ButtonOptions, 'value'> & Omit<Extract<ButtonValue, { do: 'run' }>, 'do'>;

/** A button that runs a command; null where its input is longer than a button can carry. */
export function runButton({ command, input, page, ...options }: RunButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'run', command, input, ...(page === undefined ? {} : { page }) });
  return value === null ? null : button({ ...options, value });
}

type FormButtonOptions = Pick<ButtonOptions, 'label'> &
  Partial<Pick<ButtonOptions, 'action'>> &
  Omit<FormValue, 'do'>;
type FormValue = Extract<ButtonValue, { do: 'form' }>;

/** A button that opens the form of a command, filled with `input`; null where that is longer than a button can carry. */
export function formButton({ action = 'form', label, command, input }: FormButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'form', command, input });
  return value === null ? null : button({ action, label, value });
}

/** Commands in the words of answers, as they can be typed. */

/** A command with the root of the settings. */
export function typedCommand(root: string, line: string): Mrkdwn {
  return inlineCode(`${root} ${line}`, DISPLAY_LIMIT.sentence);
}
