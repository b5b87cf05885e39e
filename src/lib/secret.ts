/** A value that must not be printed: as text, as JSON and when inspected it is `[secret]`. */
import { inspect } from 'node:util';

export type Secret = {
  /** Called only where the value is sent. */
  readonly reveal: () => string;
};

export function secret(value: string): Secret {
  const hidden = () => '[secret]';
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect.custom]: hidden });
}
