/** The signs of states: one for each meaning, the same everywhere, and never without the state's name. */
import { boldHeading, type Mrkdwn, md, trustedMrkdwn } from './escape.ts';

export const SIGN = {
  /** Waiting or scheduled. */
  waiting: '⏳',
  /** Accepted, queued, answered: under way. */
  running: '▶️',
  /** Verified or resolved. */
  good: '✅',
  /** Not verified, partly, paused. */
  warning: '⚠️',
  /** Firing, denied, failed, not accepted. */
  failed: '⛔',
  unknown: '❓',
  /** Not sent, expired, withdrawn, stopped: over, and nothing failed. */
  ended: '▫️',
} as const;

export type Sign = (typeof SIGN)[keyof typeof SIGN];

/** The first line of a request's card: sign, state, command and device. One bold line where the name is harmless. */
export function stateTitle({ sign, words }: Labelled, what: string, name: string): Mrkdwn {
  const whole = boldHeading(`${words}: ${what}`, name);
  return whole.startsWith('*') && whole.endsWith('*')
    ? md`${trustedMrkdwn(sign)} ${whole}`
    : md`${trustedMrkdwn(sign)} *${trustedMrkdwn(words)}:* ${boldHeading(what, name)}`;
}

export type Labelled = { readonly sign: Sign; readonly words: string };
