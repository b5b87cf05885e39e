/** Requests as views draw them: what was approved and sent, and evidence with foreign words. */

import type { TargetFacts } from '../../src/fleet/facts/facts.ts';
import { later, MINUTE } from '../../src/lib/clock.ts';
import { personId } from '../../src/lib/ids.ts';
import type { EvidenceList } from '../../src/store/port/evidence.ts';
import type { RequestTarget, RequestWithTargets } from '../../src/store/port/request-records.ts';
import { START } from '../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget } from '../harness/records.ts';

/** Evidence that quotes the service. */
export function quoting(detail: string): EvidenceList {
  return [{ kind: 'refused', error: { kind: 'invalid', status: 422, detail, held: null } }];
}

/** Targets of which nothing was sent yet. */
export function readyTargets(...facts: readonly TargetFacts[]): readonly RequestTarget[] {
  return facts.map(aReadyTarget);
}

/** A reboot that was approved and sent; it is as far as its targets are. */
export function aSentRequest(over: Partial<RequestWithTargets> = {}): RequestWithTargets {
  const { targets = [aTarget()] } = over;
  return aRequest({
    state: targets.some(({ endedAt }) => endedAt === null) ? 'running' : 'ended',
    decidedBy: personId('UAPPROVER'),
    decidedAt: later(START, 3 * MINUTE),
    ...over,
    targets,
  });
}
