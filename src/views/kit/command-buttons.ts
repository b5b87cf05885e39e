/** Buttons that run a command or open its form. */
import type { ButtonValue } from '../models/rendered-model.ts';
import { type Button, type ButtonOptions, button } from './blocks.ts';
import { writeButtonValue } from './button-value.ts';
import { inlineCode, type Mrkdwn } from './escape.ts';
import { DISPLAY_LIMIT } from './limits.ts';

type RunButtonOptions = Omit<ButtonOptions, 'value'> & Omit<Extract<ButtonValue, { do: 'run' }>, 'do'>;

/** A button that runs a command; null where the input is too long for a button. */
export function runButton({ command, input, page, ...options }: RunButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'run', command, input, ...(page === undefined ? {} : { page }) });
  return value === null ? null : button({ ...options, value });
}

type FormButtonOptions = Pick<ButtonOptions, 'label'> &
  Partial<Pick<ButtonOptions, 'action'>> &
  Omit<Extract<ButtonValue, { do: 'form' }>, 'do'>;
/** A button that opens a command's form, filled with `input`; null where the input is too long for a button. */
export function formButton({ action = 'form', label, command, input }: FormButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'form', command, input });
  return value === null ? null : button({ action, label, value });
}

/** A command as it is typed, with the configured slash command as its root. */
export function typedCommand(root: string, line: string): Mrkdwn {
  return inlineCode(`${root} ${line}`, DISPLAY_LIMIT.sentence);
}
