/**
 * Bolt, behind one door for both transports: what is no payload of Slack's, or belongs to another app or team, is
 * acknowledged and goes no further; and whatever happens to the rest, it ends acknowledged and without an exception.
 */
import { type AckFn, App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { isPayload, type Payload } from './request-body.ts';
import type { LogRejected } from './request-checks.ts';

export type PayloadGuard = {
  readonly logRejected: LogRejected;
  /** Whether a payload is for another app, team or enterprise, or from a person of another team. Says so by itself. */
  readonly isForeign: (payload: Payload) => boolean;
};

export class GuardedApp extends App {
  readonly #guard: PayloadGuard;

  constructor(options: AppOptions, guard: PayloadGuard) {
    super(options);
    this.#guard = guard;
  }

  /** Never rejects, and acknowledges at the latest when everything is done. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { logRejected, isForeign } = this.#guard;
    const { ack, acknowledgeAnyway } = sendOnce(event.ack, logRejected);
    const { body }: { readonly body: unknown } = event;
    try {
      if (!isPayload(body) || !isSlackPayload(body)) logRejected('payload', 'no payload of a known kind');
      else if (!isForeign(body)) await super.processEvent({ ...event, ack });
    } catch {
      // What it says may hold the payload.
      logRejected('payload', 'failed before its listener');
    }
    await acknowledgeAnyway();
  }
}

/**
 * Whether some listener could be meant: all that Bolt looks at without looking whether it is there
 * (docs.slack.dev/reference/interaction-payloads). The rest is the business of the listener's own door.
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

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The acknowledgement, sent at most once; one that cannot be sent is only said. */
function sendOnce(send: AckFn<unknown>, noteOdd: LogRejected) {
  let sent = false;
  const ack: AckFn<unknown> = async (answer) => {
    if (sent) throw new Error('acknowledged twice');
    sent = true;
    await send(answer);
  };
  return {
    ack,
    acknowledgeAnyway: async (): Promise<void> => {
      if (!sent) await ack().catch(() => noteOdd('payload', 'could not be acknowledged'));
    },
  };
}
