/** What is said of every problem: what happened, whether anything changed, and what to do next. */
import { type Mrkdwn, md } from '../kit/escape.ts';

export type Wording = { readonly what: Mrkdwn; readonly changed: Mrkdwn; readonly next: Mrkdwn };

export const NOTHING = md`Nothing was changed.`;
