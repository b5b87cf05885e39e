/** Commands in the words of answers, as they can be typed. */
import { code, type Mrkdwn } from './escape.ts';
import { SHOWN } from './limits.ts';

/** A command with the root of the settings. */
export function typed(root: string, line: string): Mrkdwn {
  return code(`${root} ${line}`, SHOWN.sentence);
}
