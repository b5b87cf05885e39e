/** All rules over the evidence. */
import {
  commandsApproved,
  enoughAgreed,
  fewRunInAnHour,
  mentionsFewTimes,
  pressesApprove,
  refusedStaysUnsent,
} from './agreements.ts';
import { alertsShownOnce, nothingShownTwice } from './alerts.ts';
import { cardsAreRecorded, cardsAreTrue, noLiveButtons } from './cards.ts';
import {
  changedGetsNothing,
  commandsSentOnce,
  nothingClaimedUnsent,
  nothingOldSent,
  takenOverStaysUnsent,
} from './commands.ts';
import type { Evidence, Rule, Violation } from './evidence.ts';
import {
  brakeHolds,
  heldSendsNothing,
  lookedBeforeRepeat,
  pausedClaimsNothing,
  wavesSentInOrder,
} from './journal.ts';
import {
  approvalsEnd,
  cardsCountRight,
  claimsStayInWave,
  heldClaimsNothing,
  lostAnswersHold,
  releasedByAnother,
  toldOnce,
  wavesProve,
} from './rollouts.ts';
import { auditIntact, noSecretsInLogs, nothingStuck } from './stuck-and-audit.ts';
import { writesIn } from './writes.ts';

const RULES: readonly Rule[] = [
  alertsShownOnce,
  nothingShownTwice,
  commandsSentOnce,
  commandsApproved,
  nothingOldSent,
  nothingClaimedUnsent,
  cardsAreTrue,
  cardsAreRecorded,
  noLiveButtons,
  nothingStuck,
  auditIntact,
  noSecretsInLogs,
  heldClaimsNothing,
  brakeHolds,
  lostAnswersHold,
  claimsStayInWave,
  releasedByAnother,
  cardsCountRight,
  toldOnce,
  lookedBeforeRepeat,
  pausedClaimsNothing,
  heldSendsNothing,
  wavesSentInOrder,
  changedGetsNothing,
  takenOverStaysUnsent,
  approvalsEnd,
  wavesProve,
  enoughAgreed,
  refusedStaysUnsent,
  fewRunInAnHour,
  pressesApprove,
  mentionsFewTimes,
];

/** Everything that is wrong; empty when all is well. */
export function check(evidence: Evidence): readonly Violation[] {
  return RULES.flatMap((rule) => rule(evidence));
}

export type Counts = Readonly<
  Record<'events' | 'alerts' | 'messages' | 'commands' | 'writes' | 'posts' | 'checks', number>
>;

const ALERTING: ReadonlySet<string> = new Set(['system.patch.failed', 'system.add']);

/** How much was checked. */
export function countsOf(evidence: Evidence): Counts {
  const { tables, messages, events, requests } = evidence;
  return {
    events: events.length,
    alerts: events.filter(({ name }) => ALERTING.has(name)).length,
    messages: messages.length,
    commands: tables.request_targets.filter(({ state }) => state !== 'ready').length,
    writes: writesIn(evidence).length,
    posts: requests.filter(({ path }) => path === '/api/chat.postMessage').length,
    checks: RULES.length,
  };
}
