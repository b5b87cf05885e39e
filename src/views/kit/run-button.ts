/** A button that carries a command. */
import type { ButtonValue } from '../model.ts';
import { type Button, type ButtonOptions, button } from './blocks.ts';
import { writeButtonValue } from './button-value.ts';

type Run = Omit<ButtonOptions, 'value'> & Omit<Extract<ButtonValue, { do: 'run' }>, 'do'>;

/** A button that runs a command; null where its input is longer than a button can carry. */
export function runButton({ command, input, page, ...options }: Run): Button | null {
  const value = writeButtonValue({ do: 'run', command, input, ...(page === undefined ? {} : { page }) });
  return value === null ? null : button({ ...options, value });
}
