/** The signs of states: one for each meaning, the same on every surface, and never without the word. */
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

/** The first line of a card of a request: the sign, the state, what is requested and of what. One bold line where the names are harmless. */
export function stateTitle({ sign, words, isCount }: Labelled, what: string, name: string): Mrkdwn {
  if (isCount === true) return md`${trustedMrkdwn(sign)} ${boldHeading(what, `${name}: ${words}`)}`;
  const whole = boldHeading(`${words}: ${what}`, name);
  return whole.startsWith('*') && whole.endsWith('*')
    ? md`${trustedMrkdwn(sign)} ${whole}`
    : md`${trustedMrkdwn(sign)} *${trustedMrkdwn(words)}:* ${boldHeading(what, name)}`;
}

/** A state as people read it. */
export type Labelled = {
  readonly sign: Sign;
  readonly words: string;
  /** The words count the states of several devices, so they follow what is requested. */
  readonly isCount?: boolean;
};

/** The first line of a card: the sign, the state in words, what it is about and a name. */
export function titled(sign: Sign, words: string, name: string): Mrkdwn {
  return md`${trustedMrkdwn(sign)} ${boldHeading(words, name)}`;
}
