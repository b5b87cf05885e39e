/** Requests as views draw them: what was approved and sent, and evidence of earlier versions. */
import { later, MINUTE } from '../../src/lib/clock.ts';
import { personId } from '../../src/lib/ids.ts';
import type { EvidenceList } from '../../src/store/port/evidence.ts';
import type { TargetFacts } from '../../src/store/port/records.ts';
import type { RequestTarget, RequestWithTargets } from '../../src/store/port/request-records.ts';
import { START } from '../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget, someFacts } from '../harness/records.ts';

/** A whole sentence, as earlier versions stored it. */
export function sentence(text: string, cause?: 'failed' | 'gone'): EvidenceList {
  return [{ kind: 'text', text, ...(cause === undefined ? {} : { cause }) }];
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
    targets: targets.map((target) => ({ ...target, facts: target.facts ?? someFacts() })),
  });
}
