/** Draws the card of a rollout. */
import { later, MINUTE } from '../../../../src/lib/clock.ts';
import { personId } from '../../../../src/lib/ids.ts';
import type { RequestWithTargets } from '../../../../src/store/port/request-records.ts';
import type { RolloutDetails } from '../../../../src/views/models/request-model.ts';
import { renderView } from '../../../../src/views/views.ts';
import { START } from '../../../harness/builders.ts';
import { aRolloutRequest } from '../../../harness/rollouts.ts';
import { renderedButtons } from '../../rendered-text.ts';

export const APPROVER = personId('UAPPROVER');
export const DECIDED = { decidedBy: APPROVER, decidedAt: later(START, MINUTE) };
export const NOTHING: RolloutDetails = {
  waves: [],
  problems: [],
  offline: [],
  onlyOffline: false,
  least: null,
};

export function draw(over: Partial<RequestWithTargets> = {}, details: Partial<RolloutDetails> = {}) {
  return renderView({ kind: 'request', request: aRolloutRequest(over), details: { ...NOTHING, ...details } });
}
export const actionsOf = (...given: Parameters<typeof draw>) =>
  renderedButtons(draw(...given)).map(({ action }) => action);
export const firstLine = (...given: Parameters<typeof draw>) => draw(...given).text.split('\n', 1)[0];
export const running = (over: Partial<RequestWithTargets> = {}, details: Partial<RolloutDetails> = {}) =>
  draw({ state: 'running', ...DECIDED, ...over }, details);
