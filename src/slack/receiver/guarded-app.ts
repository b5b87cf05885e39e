/**
 * Guards Bolt for both transports. Payloads that are not Slack's, or that belong to another app or team, are
 * acknowledged and dropped; all others end acknowledged and without an exception.
 */
import { type AckFn, App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { isPayload, type Payload } from './request-body.ts';
import type { LogRejected } from './request-checks.ts';

export type PayloadGuard = {
  readonly logRejected: LogRejected;
  /** Whether a payload belongs to another app, team or enterprise, or to a person of another team. Logs it itself. */
  readonly isForeign: (payload: Payload) => boolean;
  /** `SLACK_API_URL`: its host may take answers, too. */
  readonly slackHost: Pick<URL, 'protocol' | 'hostname'>;
};

export class GuardedApp extends App {
  readonly #guard: PayloadGuard;

  constructor(options: AppOptions, guard: PayloadGuard) {
    super(options);
    this.#guard = guard;
  }

  /** Never rejects, and acknowledges at the latest when the event was processed. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { logRejected, isForeign, slackHost } = this.#guard;
    const { ack, acknowledgeAnyway } = sendOnce(event.ack, logRejected);
    const { body }: { readonly body: unknown } = event;
    try {
      if (!isPayload(body) || !isSlackPayload(body)) logRejected('payload', 'no payload of a known kind');
      else if (!isForeign(body)) {
        // No window of ours asks for `response_urls`.
        const { response_url: url, response_urls: _, ...rest } = body;
        const isAnswerable = url === undefined || url === '' || isResponseUrl(url, slackHost);
        if (!isAnswerable) logRejected('payload', 'a response URL elsewhere');
        // Without its address, so the answer is an ephemeral message.
        await super.processEvent({
          ...event,
          ack,
          body: isAnswerable ? { ...rest, response_url: url } : rest,
        });
      }
    } catch {
      // The error's message may contain the payload.
      logRejected('payload', 'failed before its listener');
    }
    await acknowledgeAnyway();
  }
}

/**
 * Whether some listener could handle it: checks the fields that Bolt reads without checking that they exist
 * (docs.slack.dev/reference/interaction-payloads). The listeners validate the rest.
 */
function isSlackPayload({ event, type, command, actions, view, ...payload }: Payload): boolean {
  if (event !== undefined) return type === 'event_callback' && isPayload(event) && isText(event['type']);
  if (command !== undefined) return isText(command);
  switch (type) {
    case 'block_actions':
      return Array.isArray(actions) && isPayload(actions[0]) && isText(actions[0]['action_id']);
    case 'view_submission':
      return isPayload(view) && isText(view['callback_id']);
    case 'block_suggestion':
      return isText(payload['action_id']);
    case 'shortcut':
    case 'message_action':
      return isText(payload['callback_id']);
    default:
      return false;
  }
}

/** For workspaces, and for those of GovSlack (docs.slack.dev/interactivity/handling-user-interaction; docs.slack.dev/govslack). */
const RESPONSE_HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Answers hold facts of the fleet, so they go to Slack alone. */
function isResponseUrl(value: unknown, slackHost: PayloadGuard['slackHost']): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return false;
  const { protocol, hostname, port, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === slackHost.protocol && hostname === slackHost.hostname) return true;
  return protocol === 'https:' && port === '' && RESPONSE_HOSTS.includes(hostname);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Sends the acknowledgement at most once; a failure to send is only logged. */
function sendOnce(send: AckFn<unknown>, logRejected: LogRejected) {
  let sent = false;
  const ack: AckFn<unknown> = async (answer) => {
    if (sent) throw new Error('acknowledged twice');
    sent = true;
    await send(answer);
  };
  return {
    ack,
    acknowledgeAnyway: async (): Promise<void> => {
      if (!sent) await ack().catch(() => logRejected('payload', 'could not be acknowledged'));
    },
  };
}
