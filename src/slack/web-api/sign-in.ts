/** Our identity in Slack, read once at the start, and the error when Slack refuses it. */
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { type Clock, SECOND, waitOn } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { readSlackError, slackErrorText } from './slack-errors.ts';
import type { Identity, SlackWeb } from './slack-web.ts';

/** A start that fails until somebody fixes something: one clear line, no stack. */
export class StartupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartFailure';
  }
}

/** What to do stands in the same line: whoever starts the product may see no other. */
export const tokenRejected = (variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', reason: string): string =>
  `Slack rejected ${variable}: ${reason}. Set it to the token shown on the app’s page at api.slack.com/apps, then start again. “npm run doctor” checks it.`;

/** Slack may be unreachable while we start, as after an outage of both. */
const MAX_TRIES = 30;
const PAUSE_MS = 2 * SECOND;

export async function signIn(web: Pick<SlackWeb, 'identity'>, clock: Clock, log: Log): Promise<Identity> {
  for (let tries = 1; ; tries += 1) {
    const answer = await web.identity();
    if (answer.kind === 'ok') {
      if (answer.value.appId === null)
        log.warn(
          { event: 'slack.app-unknown' },
          'Slack did not name the app: the app id of payloads is not checked',
        );
      return answer.value;
    }
    const reason = slackErrorText(answer);
    if (answer.kind === 'refused') throw new StartupError(tokenRejected('SLACK_BOT_TOKEN', reason));
    if (tries === MAX_TRIES) throw new StartupError(`No answer from Slack at SLACK_API_URL: ${reason}`);
    log.warn({ event: 'slack.sign-in-delayed', tries, reason }, 'Slack is not answering, retrying');
    await waitOn(clock, answer.kind === 'throttled' ? answer.retryAfterMs : PAUSE_MS);
  }
}

/** The startup error for an error of `apps.connections.open`; null where it is none. */
export function startupErrorOf(error: unknown): StartupError | null {
  const kinds = [WebAPIPlatformError, WebAPIRequestError, WebAPIHTTPError];
  if (!kinds.some((kind) => error instanceof kind)) return null;
  const fault = readSlackError(error);
  return new StartupError(
    fault.kind === 'refused'
      ? tokenRejected('SLACK_APP_TOKEN', fault.error)
      : `No answer from Slack at SLACK_API_URL: ${slackErrorText(fault)}`,
  );
}
