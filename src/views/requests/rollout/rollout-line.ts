/** A line in the thread of a rollout's card: a wave ended, or something happened that people should know. */
import type { RolloutIncident } from '../../../rollout/incidents.ts';
import { type RequestRecord, type TargetCounts, totalOf } from '../../../store/port/request-records.ts';
import { section } from '../../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { mentionPerson } from '../../kit/mentions.ts';
import { buildMessage } from '../../kit/message.ts';
import { SIGN } from '../../kit/signs.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import type { RenderedMessage } from '../../models/rendered-model.ts';
import { brakedText } from './control-buttons.ts';
import {
  CONTINUED_BY_OTHERS,
  countsLine,
  RESUMED_BY_OTHERS,
  unansweredText,
  waveWaits,
} from './rollout-label.ts';

export type RolloutLineView = {
  readonly kind: 'rollout-line';
  readonly request: RequestRecord;
  readonly incident: RolloutIncident;
  /** Counts of each wave. */
  readonly waves: readonly TargetCounts[];
};

export function renderRolloutLine(view: RolloutLineView): RenderedMessage {
  const text = lineText(view);
  return buildMessage({ text, body: [section(text)] });
}

function lineText({ request, incident, waves }: RolloutLineView): Mrkdwn {
  const all = request.rollout?.plan.waves.length ?? 1;
  switch (incident.kind) {
    case 'wave-ended': {
      const counts = waves[incident.wave] ?? {};
      const results = totalOf(counts) === 0 ? md`` : md`: ${countsLine(counts)}`;
      const next =
        request.rollout?.wave === incident.wave + 1 ? waveWaits(request.rollout, request.counts) : [];
      const done = md`${trustedMrkdwn(SIGN.running)} Wave ${incident.wave + 1} of ${all} done${results}.`;
      return joinMrkdwn([done, ...next], ' ');
    }
    // Returned for a new approval, or held where another request waits for the same.
    case 'drifted':
      return md`${trustedMrkdwn(SIGN.warning)} Stopped automatically before wave ${incident.wave + 1} of ${all}: ${incident.bad} of ${incident.ended} devices changed since the request. An approver has to decide on the rest.`;
    case 'braked':
    case 'unproven':
      return md`${trustedMrkdwn(SIGN.warning)} ${brakedText(incident)} ${RESUMED_BY_OTHERS}`;
    case 'unanswered':
      return md`${trustedMrkdwn(SIGN.warning)} ${unansweredText(request.action, incident.sends)} ${RESUMED_BY_OTHERS}`;
    case 'expired':
      return md`${trustedMrkdwn(SIGN.warning)} Paused: the approval ended. ${CONTINUED_BY_OTHERS}`;
    case 'away':
      return md`${trustedMrkdwn(SIGN.warning)} Paused: Patchbay wasn’t running since ${relativeDate(incident.from)}. ${CONTINUED_BY_OTHERS}`;
    case 'unresumed':
      return md`${trustedMrkdwn(SIGN.ended)} Stopped: nobody continued it for 7 days. What was sent can’t be canceled.`;
    case 'paused':
      return incident.by === null
        ? md`${trustedMrkdwn(SIGN.warning)} Paused by Patchbay. The card says why.`
        : md`${trustedMrkdwn(SIGN.warning)} Paused by ${mentionPerson(incident.by)}.`;
    case 'resumed':
      return md`${trustedMrkdwn(SIGN.running)} Resumed${byText(incident.by)}.`;
    case 'continued':
      return md`${trustedMrkdwn(SIGN.running)} Continued${byText(incident.by)}.`;
    case 'continued-without':
      return md`${trustedMrkdwn(SIGN.running)} Continued${byText(incident.by)} without the offline devices. They run the command once they’re back online.`;
    case 'closed':
      return md`${trustedMrkdwn(SIGN.ended)} Closed${byText(incident.by)}. Offline devices that already have the command may still run it.`;
    case 'stopped':
      return md`${trustedMrkdwn(SIGN.ended)} Stopped${byText(incident.by)}. What was sent can’t be canceled.`;
  }
}

function byText(by: Parameters<typeof mentionPerson>[0] | null): Mrkdwn {
  return by === null ? md`` : md` by ${mentionPerson(by)}`;
}
