/** Slack's published rate limits (docs.slack.dev/apis/web-api/rate-limits), counted on the clock. */
import { type Clock, type Instant, MINUTE, SECOND } from '../../../../lib/clock.ts';
import type { WorkspaceCore } from '../../core/core.ts';
import type { CallArguments } from './arguments.ts';
import { channelOrPerson } from './channel-access.ts';
import type { WebApiMethod } from './method.ts';

export type SlackRateLimits = {
  /** Seconds to wait, or null when the call is allowed; a refused call does not count. */
  readonly refuses: (method: WebApiMethod, args: CallArguments, core: WorkspaceCore) => number | null;
  readonly reset: () => void;
};

/** chat.postMessage: one per second and channel, in addition to its limit per minute. */
const POSTING = 'chat.postMessage';

type Limit = { readonly key: string; readonly most: number; readonly windowMs: number };

export function createSlackRateLimits(clock: Pick<Clock, 'now'>): SlackRateLimits {
  const calls = new Map<string, readonly Instant[]>();
  const recent = ({ key, windowMs }: Limit) =>
    (calls.get(key) ?? []).filter((at) => clock.now() - at < windowMs);
  const waitFor = (limit: Limit): number => {
    const [first] = recent(limit);
    if (first === undefined || recent(limit).length < limit.most) return 0;
    return Math.ceil((first + limit.windowMs - clock.now()) / SECOND);
  };
  return {
    refuses({ name, perMinute }, args, core) {
      const limits: Limit[] = [{ key: name, most: perMinute, windowMs: MINUTE }];
      const place = name === POSTING ? channelOrPerson(args.text('channel') ?? '', core) : undefined;
      if (place) limits.push({ key: `${name} ${place.id}`, most: 1, windowMs: SECOND });
      const wait = Math.max(...limits.map(waitFor));
      if (wait > 0) return wait;
      for (const limit of limits) calls.set(limit.key, [...recent(limit), clock.now()]);
      return null;
    },
    reset: () => calls.clear(),
  };
}
