/** Buttons that carry a command: to run it, or to open its form. */
import type { ButtonValue } from '../model.ts';
import { type Button, type ButtonOptions, button } from './blocks.ts';
import { writeButtonValue } from './button-value.ts';

type Run = Omit<ButtonOptions, 'value'> & Omit<Extract<ButtonValue, { do: 'run' }>, 'do'>;

/** A button that runs a command; null where its input is longer than a button can carry. */
export function runButton({ command, input, page, ...options }: Run): Button | null {
  const value = writeButtonValue({ do: 'run', command, input, ...(page === undefined ? {} : { page }) });
  return value === null ? null : button({ ...options, value });
}

type Opening = Pick<ButtonOptions, 'label'> & Partial<Pick<ButtonOptions, 'action'>> & Omit<FormValue, 'do'>;
type FormValue = Extract<ButtonValue, { do: 'form' }>;

/** A button that opens the form of a command, filled with `input`; null where that is longer than a button can carry. */
export function formButton({ action = 'form', label, command, input }: Opening): Button | null {
  const value = writeButtonValue({ do: 'form', command, input });
  return value === null ? null : button({ action, label, value });
}
