/** Whether Slack may send: when the start succeeded, when it failed, and when the app token is refused for good. */
import type { Log } from '../../lib/log.ts';
import { StartupError } from '../web-api/sign-in.ts';
import type { ConnectionUrl } from './connection-urls.ts';

export type ConnectionStatusOptions = {
  /** Connections that Slack may send to. */
  readonly connections: () => number;
  readonly onFatal: (reason: string) => void;
  readonly log: Log;
};

export type ConnectionStatus = {
  /** Resolves at the first open connection. Rejects with a {@link StartupError} when Slack accepts none. */
  readonly started: Promise<void>;
  /** Slack answered a request for an address. */
  readonly requested: (address: ConnectionUrl) => void;
  readonly unavailable: (reason: string) => void;
  /** A connection was opened, or one ended. */
  readonly changed: () => void;
  /** From now on, a lost connection is no problem. */
  readonly stop: () => void;
};

/** A token that worked may be refused by mistake; this many refusals in a row are no mistake. */
const MAX_REFUSALS = 3;
/** Over about a minute, with the pauses between them. */
const MAX_START_TRIES = 7;

export function createConnectionStatus({
  connections,
  onFatal,
  log,
}: ConnectionStatusOptions): ConnectionStatus {
  const started = Promise.withResolvers<void>();
  // A stop may come before anybody waits for the start.
  started.promise.catch(() => undefined);
  let refusals = 0;
  let failures = 0;
  let wasOpen = false;
  let stopped = false;

  const unavailable = (reason: string): void => {
    failures += 1;
    if (stopped) return;
    if (!wasOpen && failures >= MAX_START_TRIES)
      started.reject(new StartupError(`No answer from Slack at SLACK_API_URL: ${reason}`));
    if (connections() === 0)
      log.warn({ event: 'slack.unavailable', reason, failures }, 'could not connect to Slack, retrying');
  };
  const refused = (reason: string): void => {
    refusals += 1;
    if (stopped) return;
    const words = `Slack rejected SLACK_APP_TOKEN: ${reason}`;
    if (!wasOpen) {
      started.reject(new StartupError(words));
      return;
    }
    log.error({ event: 'slack.app-token-refused', reason, refusals }, words);
    if (refusals >= MAX_REFUSALS && connections() === 0) onFatal(words);
  };

  return {
    started: started.promise,
    requested(address) {
      if (address.kind === 'address') refusals = 0;
      if (address.kind === 'unavailable') unavailable(address.reason);
      if (address.kind === 'refused') refused(address.reason);
    },
    unavailable,
    changed() {
      if (connections() > 0) {
        if (wasOpen && failures > 0) log.info({ event: 'slack.connected' }, 'reconnected to Slack');
        failures = 0;
        wasOpen = true;
        started.resolve();
      } else if (!stopped) {
        log.warn({ event: 'slack.disconnected' }, 'disconnected from Slack, reconnecting');
      }
    },
    stop() {
      stopped = true;
      started.reject(new Error('stopped'));
    },
  };
}
