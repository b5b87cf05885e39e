/** Events that may prove a command. */

import type { FleetReader, Lane } from '../../fleet/fleet.ts';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';

/** Pages of one device's events that are read at most: the proof is among the newest. */
const EVENT_PAGES = 4;

type EventQueryContext = {
  readonly command: FleetCommand;
  readonly deviceId: DeviceId;
  readonly since: Instant;
};

/**
 * The events of the device since `since`, for a command of a policy those of the policy alone; the day before is
 * asked for too, because dates have no zone (§4.9). Throws FleetFailure.
 */
export async function recentEvents(
  reader: Pick<FleetReader, 'events'>,
  { command, deviceId, since }: EventQueryContext,
  lane: Lane,
): Promise<readonly FleetEvent[]> {
  const policyId = policyIdOf(command);
  const ofPolicy = policyId === null ? {} : { policyId };
  const found: FleetEvent[] = [];
  let pages = 0;
  for await (const page of reader.events({ deviceId, ...ofPolicy, after: later(since, -DAY) }, { lane })) {
    found.push(...page.rows);
    pages += 1;
    if (pages === EVENT_PAGES) break;
  }
  return found;
}
