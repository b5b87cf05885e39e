/** What to do about a call that Slack did not do, for all checks alike. */
import type { SlackFault } from '../slack/faults.ts';

/** `whenRefused` holds only where Slack itself said no: without an answer nothing is known of tokens and rights. */
export function slackRemedy(fault: SlackFault, whenRefused: string): string {
  switch (fault.kind) {
    case 'refused':
      return whenRefused;
    case 'throttled':
      return 'Slack is rate limiting; wait a minute and try again';
    case 'unsent':
    case 'uncertain':
      return 'check SLACK_API_URL and the network to it (firewall, proxy, DNS)';
  }
}
