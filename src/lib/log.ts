/** JSON lines on standard output. Whatever looks like a credential is blanked in every line, wherever it came from. */
import { inspect } from 'node:util';
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino';

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/**
 * Slack's tokens, bearer headers, and the addresses that let anyone who has them post: response URLs and socket
 * tickets.
 */
const CREDENTIALS =
  /xox[a-z]-[\w-]+|xapp-[\w-]+|Bearer\s+[^\s"\\]+|https?:\/\/hooks\.slack\.com\/[^\s"\\]+|[?&](?:ticket|token)=[^\s"&\\]+/gi;

type LogOptions = {
  readonly level: LevelWithSilent;
  /** Further values to blank, whatever they look like. */
  readonly secrets?: readonly Secret[];
  readonly destination?: DestinationStream;
};

/** A log that blanks credentials and `secrets` of 8 characters or more in every line. */
export function createLog({ level, secrets = [], destination }: LogOptions): Log {
  const long = secrets.map((value) => value.reveal()).filter((value) => value.length >= 8);
  // Inside a JSON line, quotes and backslashes are escaped.
  const known = new Set([...long.map((value) => JSON.stringify(value).slice(1, -1)), ...long]);
  const blank = (line: string): string =>
    [...known]
      .reduce((text, value) => text.replaceAll(value, '[secret]'), line)
      .replace(CREDENTIALS, '[secret]');
  const options = { level, base: null, hooks: { streamWrite: blank } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export const silentLog: Log = pino({ level: 'silent' });

/** A value that must not be printed: as text, as JSON and when inspected it is `[secret]`. */
export type Secret = {
  /** Called only where the value is sent. */
  readonly reveal: () => string;
};

export function secret(value: string): Secret {
  const hidden = () => '[secret]';
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden, [inspect.custom]: hidden });
}
